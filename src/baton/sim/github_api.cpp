#include "baton/sim/github_api.hpp"

#include "baton/crypto/sha256.hpp"
#include "baton/net/url.hpp"
#include "baton/sim/api_limits.hpp"
#include "baton/sim/github_api_call.hpp"
#include "baton/sim/github_model.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace baton::sim {

namespace json = boost::json;

namespace {

/// A broken escape stays as it is.
std::string decoded(std::string_view text) {
    return net::percent_decode(text).value_or(std::string(text));
}

std::vector<std::string_view> segments_of(std::string_view path) {
    std::vector<std::string_view> out;
    while (!path.empty()) {
        path.remove_prefix(1); // the slash before each segment
        const auto end = std::min(path.find('/'), path.size());
        out.push_back(path.substr(0, end));
        path.remove_prefix(end);
    }
    return out;
}

using Segments = std::span<const std::string_view>;

/// The captures, or nullopt when the path is another one.
std::optional<std::vector<std::string>> fit(std::string_view pattern, Segments path) {
    const auto wanted = segments_of(pattern);
    std::vector<std::string> captures;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        if (i >= path.size()) {
            return std::nullopt;
        }
        if (wanted[i] == "{*}") {
            std::string rest;
            for (const auto segment : path.subspan(i)) {
                rest += (rest.empty() ? "" : "/") + decoded(segment);
            }
            captures.push_back(std::move(rest));
            return captures;
        }
        if (wanted[i] == "{}") {
            captures.push_back(decoded(path[i]));
        } else if (wanted[i] != path[i]) {
            return std::nullopt;
        }
    }
    return wanted.size() == path.size() ? std::optional(captures) : std::nullopt;
}

/// GitHub marks whatever is read, and says 304 to whoever has it already.
void mark(ApiReply& reply, const ApiRequest& request) {
    auto etag = fmt::format("W/\"{}\"", crypto::sha256_hex(reply.body));
    if (request.headers.find("If-None-Match") == etag) {
        reply = {.status = 304, .content_type = "", .headers = {}, .body = ""};
    }
    reply.headers.add("ETag", std::move(etag));
}

} // namespace

GithubApi::GithubApi(
    GithubModel& model, ApiLimits& limits, crypto::RsaPublicKey app_key, std::uint64_t seed
)
    : model_(model)
    , limits_(limits)
    , app_key_(std::move(app_key))
    , tokens_(seed) {}

std::vector<GithubApi::Route> GithubApi::routes_about_repos() {
    using Words = std::array<std::string_view, 3>; // name, method, pattern
    using Answer = ApiReply (GithubApi::*)(const Call&);
    const auto as_app = [](Words words, Answer answer, bool of_repo = false) {
        return Route{
            .name = words[0],
            .method = words[1],
            .pattern = words[2],
            .of_repo = of_repo,
            .asker = Asker::app,
            .permission = "",
            .access = "",
            .answer = answer,
        };
    };
    const auto about_repo = [&](Words words, std::array<std::string_view, 2> right, Answer answer) {
        auto route = as_app(words, answer, true);
        route.asker = Asker::token;
        route.permission = right[0];
        route.access = right[1];
        return route;
    };
    auto limits = as_app({"rate_limit", "GET", "/rate_limit"}, &GithubApi::rate_limit);
    limits.asker = Asker::token;
    return {
        limits,
        as_app({"app", "GET", "/app"}, &GithubApi::app),
        as_app({"installations", "GET", "/app/installations"}, &GithubApi::installations),
        as_app(
            {"access_tokens", "POST", "/app/installations/{}/access_tokens"},
            &GithubApi::access_tokens
        ),
        as_app({"deliveries", "GET", "/app/hook/deliveries"}, &GithubApi::deliveries),
        as_app({"delivery", "GET", "/app/hook/deliveries/{}"}, &GithubApi::delivery),
        as_app({"redeliver", "POST", "/app/hook/deliveries/{}/attempts"}, &GithubApi::redeliver),
        as_app({"installation", "GET", "/installation"}, &GithubApi::installation, true),
        about_repo({"repo", "GET", ""}, {"metadata", "read"}, &GithubApi::repo),
        about_repo(
            {"contents", "GET", "/contents/{*}"}, {"contents", "read"}, &GithubApi::contents
        ),
        about_repo(
            {"permission", "GET", "/collaborators/{}/permission"},
            {"metadata", "read"},
            &GithubApi::permission
        ),
        about_repo({"pulls", "GET", "/pulls"}, {"pull_requests", "read"}, &GithubApi::pulls),
        about_repo({"pull", "GET", "/pulls/{}"}, {"pull_requests", "read"}, &GithubApi::pull),
        about_repo({"commit", "GET", "/commits/{*}"}, {"contents", "read"}, &GithubApi::commit),
        about_repo({"branch", "GET", "/branches/{*}"}, {"contents", "read"}, &GithubApi::branch),
        about_repo(
            {"dispatches", "POST", "/dispatches"}, {"contents", "write"}, &GithubApi::dispatches
        ),
    };
}

const std::vector<GithubApi::Route>& GithubApi::routes() {
    static const auto table = [] {
        auto all = routes_about_checks(); // before `commit`, which takes whatever follows
        for (const auto& others : {routes_about_repos(), routes_about_branches()}) {
            all.insert(all.end(), others.begin(), others.end());
        }
        return all;
    }();
    return table;
}

std::optional<GithubApi::Match> GithubApi::match(const ApiRequest& request) {
    const auto path = segments_of(request.path);
    Match out;
    Segments rest = path;
    bool of_repo = false;
    if (path.size() >= 3 && path[0] == "repos") {
        auto name = RepoName::parse(fmt::format("{}/{}", decoded(path[1]), decoded(path[2])));
        if (!name) {
            return std::nullopt;
        }
        out.name = *std::move(name);
        rest = rest.subspan(3);
        of_repo = true;
    } else if (path.size() >= 2 && path[0] == "repositories") {
        const auto id = number_in(path[1]);
        if (!id) {
            return std::nullopt;
        }
        out.id = RepoId{*id};
        rest = rest.subspan(2);
        of_repo = true;
    }
    for (const auto segment : rest) {
        out.behind_repo += fmt::format("/{}", segment);
    }
    for (const auto& route : routes()) {
        if (route.of_repo != of_repo || route.method != request.method) {
            continue;
        }
        if (auto captures = fit(route.pattern, rest)) {
            out.route = &route;
            out.captures = *std::move(captures);
            return out;
        }
    }
    return std::nullopt;
}

const Repo* GithubApi::target_of(const Match& match) const {
    if (match.id) {
        return model_.repo(*match.id);
    }
    return match.name ? model_.repo(*match.name) : nullptr;
}

RouteHit GithubApi::route_of(const ApiRequest& request) const {
    const auto found = match(request);
    if (!found) {
        return {};
    }
    const auto* const repo = target_of(*found);
    return {
        .name = found->route->name,
        .repo = repo != nullptr ? std::optional(repo->name) : found->name,
    };
}

GithubApi::Answered GithubApi::take(const ApiRequest& request, TimePoint now) {
    auto found = match(request);
    if (!found) {
        Answered nothing{.reply = api_error(404, "Not Found"), .under_way = std::nullopt};
        add_rate_headers(nothing.reply, std::nullopt, now);
        return nothing;
    }
    Call call{.request = request, .match = *std::move(found), .now = now, .scope = {}};
    call.repo = target_of(call.match);
    auto refused = admit(call);
    Answered out{
        .reply = refused ? *std::move(refused) : (this->*call.match.route->answer)(call),
        .under_way = call.entered ? call.payer : std::nullopt,
    };
    if (request.method == "GET" && out.reply.status == 200 && !out.reply.headers.find("ETag")) {
        mark(out.reply, request);
    }
    add_rate_headers(out.reply, call.payer, now);
    return out;
}

ApiReply GithubApi::handle(const ApiRequest& request, TimePoint now) {
    auto answered = take(request, now);
    if (answered.under_way) {
        limits_.leave(*answered.under_way);
    }
    return std::move(answered.reply);
}

ApiReply api_json(int status, const json::value& body) {
    return {
        .status = status,
        .content_type = "application/json; charset=utf-8",
        .headers = {{"X-GitHub-Media-Type", "github.v3; format=json"}},
        .body = json::serialize(body),
    };
}

ApiReply api_error(int status, std::string_view message) {
    return api_json(
        status,
        json::object{
            {"message", message},
            {"documentation_url", "https://docs.github.com/rest"},
            {"status", std::to_string(status)},
        }
    );
}

std::optional<std::int64_t> number_in(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc{} && end == text.data() + text.size() && number >= 0;
    return whole ? std::optional(number) : std::nullopt;
}

} // namespace baton::sim
