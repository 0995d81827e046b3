#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/github_api.hpp"
#include "baton/sim/github_api_call.hpp"
#include "baton/sim/github_json.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

/// The endpoints that change a repository: branches, files on them, and pull requests from them.
namespace baton::sim {

namespace json = boost::json;

namespace {

/// Text of a member; empty when there is none.
std::string text_in(const json::value& body, std::string_view name) {
    const auto* const found = body.is_object() ? body.as_object().if_contains(name) : nullptr;
    return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

/// The commit as it stands beside a file that was just written.
json::object
file_commit_json(const GithubModel& model, const Repo& repo, const HeadSha& sha, std::string text) {
    const auto& site = model.options().site;
    const auto api = fmt::format("{}/repos/{}/git", site.api_url, repo.name.text());
    const auto bot = model.options().app_slug + "[bot]";
    const json::object person{
        {"name", bot},
        {"email", bot + "@users.noreply.github.com"},
        {"date", github_time(repo.pushed_at)},
    };
    return {
        {"sha", sha.text()},
        {"node_id", "C_kwDO" + sha.text().substr(0, 12)},
        {"url", fmt::format("{}/commits/{}", api, sha.text())},
        {"html_url", fmt::format("{}/{}/commit/{}", site.html_url, repo.name.text(), sha.text())},
        {"author", person},
        {"committer", person},
        {"message", std::move(text)},
        {"tree", {{"sha", sha.text()}, {"url", fmt::format("{}/trees/{}", api, sha.text())}}},
        {"parents", json::array{}},
        {"verification",
         {{"verified", false},
          {"reason", "unsigned"},
          {"signature", nullptr},
          {"payload", nullptr},
          {"verified_at", nullptr}}},
    };
}

} // namespace

json::value body_in(const ApiRequest& request) {
    boost::system::error_code broken;
    auto parsed = json::parse(request.body, broken);
    return broken ? json::value(nullptr) : parsed;
}

std::vector<GithubApi::Route> GithubApi::routes_about_branches() {
    using Words = std::array<std::string_view, 3>; // name, method, pattern
    using Answer = ApiReply (GithubApi::*)(const Call&);
    const auto route = [](Words words, std::string_view permission, Answer answer) {
        return Route{
            .name = words[0],
            .method = words[1],
            .pattern = words[2],
            .of_repo = true,
            .asker = Asker::token,
            .permission = permission,
            .access = "write",
            .answer = answer,
        };
    };
    return {
        route({"create_ref", "POST", "/git/refs"}, "contents", &GithubApi::create_ref),
        route({"write_file", "PUT", "/contents/{*}"}, "contents", &GithubApi::write_file),
        route({"create_pull", "POST", "/pulls"}, "pull_requests", &GithubApi::create_pull),
    };
}

ApiReply GithubApi::create_ref(const Call& call) {
    const auto body = body_in(call.request);
    const auto made = model_.create_ref(call.repo->id, body);
    if (!made.good()) {
        return api_error(made.status, made.message);
    }
    const auto ref = text_in(body, "ref");
    const auto& head = call.repo->refs.at(ref).head;
    const auto api =
        fmt::format("{}/repos/{}/git", model_.options().site.api_url, call.repo->name.text());
    return api_json(
        made.status,
        json::object{
            {"ref", ref},
            {"node_id", "REF_kwDO" + head.text().substr(0, 12)},
            {"url", fmt::format("{}/{}", api, ref)},
            {"object",
             {{"type", "commit"},
              {"sha", head.text()},
              {"url", fmt::format("{}/commits/{}", api, head.text())}}},
        }
    );
}

ApiReply GithubApi::write_file(const Call& call) {
    const auto body = body_in(call.request);
    const auto& path = call.capture(0);
    const auto written = model_.write_file(call.repo->id, path, body, call.now);
    if (!written.good()) {
        return api_error(written.status, written.message);
    }
    const auto ref = text_in(body, "branch");
    const auto* const branch = GithubModel::branch(*call.repo, ref);
    const FileView file{
        .site = model_.options().site,
        .repo = *call.repo,
        .path = path,
        .ref = ref.empty() ? call.repo->default_branch : ref,
        .text = branch->files.at(path),
    };
    auto content = file_json(file);
    content.erase("content"); // it was just sent
    content.erase("encoding");
    auto commit = file_commit_json(model_, *call.repo, branch->head, text_in(body, "message"));
    return api_json(
        written.status, json::object{{"content", std::move(content)}, {"commit", std::move(commit)}}
    );
}

ApiReply GithubApi::create_pull(const Call& call) {
    const auto made = model_.create_pull(call.repo->id, body_in(call.request), call.now);
    return made.good()
               ? api_json(
                     made.status, shown(model_, *call.repo, call.repo->pulls.at(PrNumber{made.id}))
                 )
               : api_error(made.status, made.message);
}

} // namespace baton::sim
