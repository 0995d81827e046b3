#include "baton/crypto/base64url.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/domain/plan.hpp"
#include "baton/net/url.hpp"
#include "baton/sim/github_api.hpp"
#include "baton/sim/github_api_call.hpp"
#include "baton/sim/github_json.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"

#include <boost/json/object.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

/// The endpoints that an installation speaks to with its token.
namespace baton::sim {

namespace json = boost::json;

namespace {

constexpr int kSearchesPerMinute = 30;
constexpr std::size_t kInlineBytesMax =
    std::size_t{1024} * 1024; // larger files have no content in the JSON form

/// Base64 as GitHub writes it: the usual alphabet, padded, in lines of 60.
std::string base64_lines(std::string_view bytes) {
    const auto flat = crypto::base64(bytes);
    std::string out;
    for (std::size_t i = 0; i < flat.size(); i += 60) {
        out += flat.substr(i, 60) + "\n";
    }
    return out;
}

/// GitHub's older word: it knows neither triage nor maintain.
std::string_view legacy_name(domain::Permission permission) {
    switch (permission) {
    case domain::Permission::none:
        return "none";
    case domain::Permission::read:
    case domain::Permission::triage:
        return "read";
    case domain::Permission::write:
    case domain::Permission::maintain:
        return "write";
    case domain::Permission::admin:
        return "admin";
    }
    return "none";
}

std::string_view role_name(domain::Permission permission) {
    switch (permission) {
    case domain::Permission::triage:
        return "triage";
    case domain::Permission::maintain:
        return "maintain";
    case domain::Permission::none:
    case domain::Permission::read:
    case domain::Permission::write:
    case domain::Permission::admin:
        return legacy_name(permission);
    }
    return "none";
}

} // namespace

json::object file_json(const FileView& file) {
    const auto api = fmt::format("{}/repos/{}", file.site.api_url, file.repo.name.text());
    const auto html = fmt::format("{}/{}", file.site.html_url, file.repo.name.text());
    const auto sha = blob_sha(file.text);
    const auto self = fmt::format("{}/contents/{}?ref={}", api, file.path, file.ref);
    const auto git = fmt::format("{}/git/blobs/{}", api, sha);
    const auto page = fmt::format("{}/blob/{}/{}", html, file.ref, file.path);
    const bool small = file.text.size() <= kInlineBytesMax;
    return {
        {"name", file.path.substr(file.path.rfind('/') + 1)},
        {"path", file.path},
        {"sha", sha},
        {"size", file.text.size()},
        {"url", self},
        {"html_url", page},
        {"git_url", git},
        {"download_url", fmt::format("{}/raw/{}/{}", html, file.ref, file.path)},
        {"type", "file"},
        {"content", small ? base64_lines(file.text) : ""},
        {"encoding", small ? "base64" : "none"},
        {"_links", {{"self", self}, {"git", git}, {"html", page}}},
    };
}

ApiReply GithubApi::rate_limit(const Call& call) {
    const auto& limit = model_.rate_limit(call.scope.installation, call.now);
    const json::object core{
        {"limit", limit.limit},
        {"used", limit.used},
        {"remaining", limit.remaining()},
        {"reset",
         std::chrono::floor<std::chrono::seconds>(limit.reset_at).time_since_epoch().count()},
    };
    // Nothing here is searched, so that the share of searches stays whole.
    const json::object search{
        {"limit", kSearchesPerMinute},
        {"used", 0},
        {"remaining", kSearchesPerMinute},
        {"reset", core.at("reset")},
    };
    return api_json(
        200, json::object{{"resources", {{"core", core}, {"search", search}}}, {"rate", core}}
    );
}

ApiReply GithubApi::repo(const Call& call) {
    auto out = repo_json(model_.options().site, *call.repo);
    out["network_count"] = 0; // only here, not where a repository is part of something else
    out["subscribers_count"] = 0;
    return api_json(200, out);
}

ApiReply GithubApi::contents(const Call& call) {
    const auto& repo = *call.repo;
    const auto ref = net::query_value(call.request.query, "ref").value_or("");
    const auto* const branch = GithubModel::branch(repo, ref);
    if (branch == nullptr) {
        return api_error(404, fmt::format("No commit found for the ref {}", ref));
    }
    const auto file = branch->files.find(call.capture(0));
    if (file == branch->files.end()) {
        return api_error(404, "Not Found");
    }
    const auto accept = call.request.headers.find("Accept").value_or("");
    const bool raw = accept.find("application/vnd.github.raw") != std::string_view::npos ||
                     accept.find("application/vnd.github.v3.raw") != std::string_view::npos;
    // The two forms are different bytes, so they have different marks.
    const auto etag =
        fmt::format("\"{}\"", crypto::sha256_hex((raw ? "raw " : "json ") + file->second));
    ApiReply reply;
    if (call.request.headers.find("If-None-Match") == etag) {
        reply.status = 304;
        reply.content_type.clear();
    } else if (raw) {
        reply.content_type = "application/vnd.github.raw+json; charset=utf-8";
        reply.body = file->second;
    } else {
        reply = api_json(
            200,
            file_json({
                .site = model_.options().site,
                .repo = repo,
                .path = file->first,
                .ref = ref.empty() ? repo.default_branch : ref,
                .text = file->second,
            })
        );
    }
    reply.headers.add("ETag", etag);
    return reply;
}

ApiReply GithubApi::permission(const Call& call) {
    const Login login(call.capture(0));
    const auto* const account = model_.find_account(login);
    if (account == nullptr) {
        return api_error(404, fmt::format("{} is not a user", login.text()));
    }
    const auto may = model_.permission(*call.repo, login);
    auto user = account_json(model_.options().site, *account);
    user["role_name"] = role_name(may);
    return api_json(
        200,
        json::object{
            {"permission", legacy_name(may)},
            {"user", std::move(user)},
            {"role_name", role_name(may)},
        }
    );
}

ApiReply GithubApi::dispatches(const Call& call) {
    const auto verdict = model_.dispatch(call.repo->id, call.request.body, call.now);
    if (verdict.status != 204) {
        return api_error(verdict.status, verdict.message);
    }
    ApiReply reply;
    reply.status = 204;
    reply.content_type.clear();
    return reply;
}

} // namespace baton::sim
