#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/net/http.hpp"
#include "baton/net/url.hpp"
#include "baton/sim/github_api.hpp"
#include "baton/sim/github_api_call.hpp"
#include "baton/sim/github_app.hpp"
#include "baton/sim/github_json.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_paging.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/hook_log.hpp"
#include "baton/sim/token_book.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The endpoints that the App speaks to as itself, with its JWT.
namespace baton::sim {

namespace json = boost::json;

namespace {

json::object shown(const GithubModel& model, const Account& owner, InstallationId installation) {
    const auto& options = model.options();
    const AppFacts app{.id = options.app_id, .slug = options.app_slug};
    return installation_json(options.site, app, owner, installation);
}

json::object attempt_json(const HookAttempt& attempt) {
    const auto& webhook = *attempt.webhook;
    return {
        {"id", attempt.id},
        {"guid", webhook.id.text()},
        {"delivered_at", to_rfc3339(attempt.at)},
        {"redelivery", attempt.redelivery},
        {"duration", static_cast<double>(attempt.took.count()) / 1000.0},
        {"status", attempt.status},
        {"status_code", attempt.status_code},
        {"event", webhook.event},
        {"action", webhook.action.empty() ? json::value(nullptr) : json::value(webhook.action)},
        {"installation_id", static_cast<std::int64_t>(webhook.installation)},
        {"repository_id", static_cast<std::int64_t>(webhook.repo)},
        {"throttled_at", nullptr},
    };
}

json::object headers_json(const net::Headers& headers) {
    json::object out;
    for (const auto& [name, value] : headers.all()) {
        out[name] = value;
    }
    return out;
}

using Narrowing = std::optional<std::set<RepoId>>;

/// The repository that one entry of a token request means, by its short name or its id.
const Repo* named_by(const json::value& entry, const std::vector<const Repo*>& there) {
    const auto is_it = [&](const Repo* repo) {
        if (entry.is_string()) {
            return lower(repo->name.repo()) == lower(entry.as_string());
        }
        return entry.is_int64() && repo->id == RepoId{entry.as_int64()};
    };
    const auto found = std::ranges::find_if(there, is_it);
    return found == there.end() ? nullptr : *found;
}

/// The repositories that a token request narrows itself to; nullopt when it does not.
Result<Narrowing> wanted_repos(const json::object& body, const std::vector<const Repo*>& there) {
    json::array entries;
    bool narrows = false;
    for (const auto* field : {"repositories", "repository_ids"}) {
        const auto* const list = body.if_contains(field);
        if (list != nullptr && list->is_array()) {
            narrows = true;
            entries.insert(entries.end(), list->as_array().begin(), list->as_array().end());
        }
    }
    std::set<RepoId> out;
    for (const auto& entry : entries) {
        const auto* const repo = named_by(entry, there);
        if (repo == nullptr) {
            return fail(
                Errc::invalid,
                "There is at least one repository that does not exist or is not accessible to the "
                "parent installation."
            );
        }
        out.insert(repo->id);
    }
    return narrows ? Narrowing(std::move(out)) : std::nullopt;
}

Result<Grants> wanted_grants(const json::object& body) {
    const auto* const permissions = body.if_contains("permissions");
    if (permissions == nullptr || !permissions->is_object()) {
        return app_grants();
    }
    Grants out{{"metadata", "read"}};
    for (const auto& [name, access] : permissions->as_object()) {
        const auto granted = app_grants().find(std::string_view(name));
        const std::string wanted = access.is_string() ? std::string(access.as_string()) : "";
        const bool known = wanted == "read" || wanted == "write";
        if (granted == app_grants().end() || !known ||
            (wanted == "write" && granted->second != "write")) {
            return fail(
                Errc::invalid, "The permissions requested are not granted to this installation."
            );
        }
        out[std::string(name)] = wanted;
    }
    return out;
}

} // namespace

ApiReply GithubApi::app(const Call& /*call*/) {
    const auto& options = model_.options();
    return api_json(200, app_json(options.site, {.id = options.app_id, .slug = options.app_slug}));
}

ApiReply GithubApi::installations(const Call& call) {
    std::vector<std::pair<const Account*, InstallationId>> found;
    for (const auto& [owner, id] : model_.installations()) {
        const auto* const account = model_.find_account(Login(owner));
        if (account != nullptr && !model_.installed_repos(id).empty()) {
            found.emplace_back(account, id);
        }
    }
    const auto& query = call.request.query;
    const auto ask = PageAsk::in(query);
    json::array out;
    for (auto i = ask.begin(); i < std::min(found.size(), ask.begin() + ask.per_page); ++i) {
        out.push_back(shown(model_, *found[i].first, found[i].second));
    }
    auto reply = api_json(200, out);
    const auto url = model_.options().site.api_url + "/app/installations";
    if (auto links = page_links(url, query, ask, found.size()); !links.empty()) {
        reply.headers.add("Link", std::move(links));
    }
    return reply;
}

ApiReply GithubApi::installation(const Call& call) {
    if (!call.repo->installed) {
        return api_error(404, "Not Found");
    }
    return api_json(200, shown(model_, call.repo->owner, model_.installation_of(*call.repo)));
}

ApiReply GithubApi::access_tokens(const Call& call) {
    const InstallationId installation{number_in(call.capture(0)).value_or(0)};
    const auto there = model_.installed_repos(installation);
    if (there.empty()) {
        return api_error(404, "Not Found");
    }
    boost::system::error_code broken;
    const auto& text = call.request.body;
    const auto parsed = text.empty() ? json::value(json::object{}) : json::parse(text, broken);
    if (broken || !parsed.is_object()) {
        return api_error(400, "Problems parsing JSON");
    }
    const auto repos = wanted_repos(parsed.as_object(), there);
    const auto grants = wanted_grants(parsed.as_object());
    if (!repos || !grants) {
        return api_error(422, !repos ? repos.error().detail : grants.error().detail);
    }
    json::object body{
        {"expires_at", github_time(call.now + TokenBook::kLife)},
        {"permissions", grants_json(*grants)},
        {"repository_selection", "selected"},
    };
    const Narrowing& narrowing = *repos;
    if (narrowing) {
        json::array named;
        for (const auto id : *narrowing) {
            named.push_back(repo_json(model_.options().site, *model_.repo(id)));
        }
        body["repositories"] = std::move(named);
    }
    TokenScope scope{.installation = installation, .repos = narrowing, .grants = *grants};
    body["token"] = tokens_.issue(std::move(scope), call.now);
    return api_json(201, body);
}

ApiReply GithubApi::deliveries(const Call& call) {
    const auto& query = call.request.query;
    const auto limit = PageAsk::in(query).per_page;
    const auto status = net::query_value(query, "status").value_or("");
    if (!status.empty() && status != "success" && status != "failure") {
        return api_error(422, "Validation Failed: status is neither success nor failure");
    }
    const auto cursor = net::query_value(query, "cursor");
    HookPageQuery page{.now = call.now, .before = std::nullopt, .limit = limit + 1};
    if (!status.empty()) {
        page.succeeded = status == "success";
    }
    if (cursor) {
        page.before =
            number_in(cursor->starts_with("v1_") ? std::string_view(*cursor).substr(3) : "");
        if (!page.before) {
            return api_error(422, "Invalid cursor");
        }
    }
    auto lines = model_.hooks().page(page);
    const bool more = lines.size() > limit;
    lines.resize(std::min(lines.size(), limit));
    json::array out;
    for (const auto& line : lines) {
        out.push_back(attempt_json(line));
    }
    auto reply = api_json(200, out);
    if (more) {
        reply.headers.add(
            "Link",
            fmt::format(
                "<{}/app/hook/deliveries?per_page={}&cursor=v1_{}{}{}>; rel=\"next\"",
                model_.options().site.api_url,
                limit,
                lines.back().id,
                status.empty() ? "" : "&status=",
                status
            )
        );
    }
    return reply;
}

ApiReply GithubApi::delivery(const Call& call) {
    const auto* const line =
        model_.hooks().attempt(number_in(call.capture(0)).value_or(0), call.now);
    if (line == nullptr) {
        return api_error(404, "Not Found");
    }
    auto out = attempt_json(*line);
    const auto& webhook = *line->webhook;
    const HookExchange exchange = line->exchange ? *line->exchange : HookExchange{};
    out["url"] = exchange.url;
    out["request"] = {
        {"headers", headers_json(exchange.request)},
        {"payload", json::parse(webhook.body)},
    };
    const bool answered = !exchange.response.all().empty();
    out["response"] = {
        {"headers", headers_json(exchange.response)},
        {"payload", answered ? json::value(exchange.payload) : json::value(nullptr)},
    };
    return api_json(200, out);
}

ApiReply GithubApi::redeliver(const Call& call) {
    const auto asked = model_.redeliver(number_in(call.capture(0)).value_or(0), call.now);
    return asked ? api_json(202, json::object{}) : api_error(404, "Not Found");
}

} // namespace baton::sim
