#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/net/url.hpp"
#include "baton/sim/check_book.hpp"
#include "baton/sim/check_json.hpp"
#include "baton/sim/comment_book.hpp"
#include "baton/sim/github_api.hpp"
#include "baton/sim/github_api_call.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_paging.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/post.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// The endpoints about checks, comments and re-runs.
namespace baton::sim {

namespace json = boost::json;

namespace {

std::int64_t number_of(const std::string& text) {
    return number_in(text).value_or(0);
}

/// One page of them, each shown by `show`.
template <class Value, class Show>
json::array page_of(const std::vector<Value>& all, const PageAsk& ask, const Show& show) {
    json::array out;
    for (auto i = ask.begin(); i < std::min(all.size(), ask.begin() + ask.per_page); ++i) {
        out.push_back(show(all[i]));
    }
    return out;
}

/// `check_name`, `status` and `app_id`.
bool is_asked_for(const CheckRun& run, std::string_view query) {
    const auto name = net::query_value(query, "check_name");
    const auto status = net::query_value(query, "status");
    const auto app = net::query_value(query, "app_id");
    return (!name || *name == run.name) && (!status || *status == run.status) &&
           (!app || whole_number(*app) == run.app_id);
}

json::object shown(const GithubModel& model, const Repo& repo, const CheckRun& run) {
    return check_run_json(
        {.site = model.options().site, .repo = repo, .app_slug = model.slug_of(run.app_id)}, run
    );
}

json::object shown(const GithubModel& model, const Repo& repo, const IssueComment& comment) {
    const auto& options = model.options();
    const auto* const known = model.find_account(comment.author);
    const Account app{.login = comment.author, .id = options.app_id};
    return comment_json(
        {.site = options.site,
         .repo = repo,
         .author = known != nullptr ? *known : app,
         .association = known != nullptr ? model.association_of(repo, comment.author) : "NONE",
         .app_slug = options.app_slug},
        comment
    );
}

/// The answer with links to the other pages of `url`.
ApiReply
linked(ApiReply reply, const std::string& url, const std::string& query, std::size_t total) {
    if (auto links = page_links(url, query, PageAsk::in(query), total); !links.empty()) {
        reply.headers.add("Link", std::move(links));
    }
    return reply;
}

} // namespace

std::vector<GithubApi::Route> GithubApi::routes_about_checks() {
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
            .access = words[1] == "GET" ? "read" : "write",
            .instead = permission == "pull_requests" ? "issues" : "",
            .answer = answer,
        };
    };
    return {
        route({"create_check", "POST", "/check-runs"}, "checks", &GithubApi::create_check),
        route({"update_check", "PATCH", "/check-runs/{}"}, "checks", &GithubApi::update_check),
        route({"check_run", "GET", "/check-runs/{}"}, "checks", &GithubApi::check_run),
        route({"check_runs", "GET", "/commits/{}/check-runs"}, "checks", &GithubApi::check_runs),
        route(
            {"check_suites", "GET", "/commits/{}/check-suites"}, "checks", &GithubApi::check_suites
        ),
        route(
            {"create_comment", "POST", "/issues/{}/comments"},
            "pull_requests",
            &GithubApi::create_comment
        ),
        route(
            {"update_comment", "PATCH", "/issues/comments/{}"},
            "pull_requests",
            &GithubApi::update_comment
        ),
        route({"comments", "GET", "/issues/{}/comments"}, "pull_requests", &GithubApi::comments),
        route({"rerun", "POST", "/actions/runs/{}/rerun"}, "actions", &GithubApi::rerun),
        route(
            {"rerun", "POST", "/actions/runs/{}/rerun-failed-jobs"}, "actions", &GithubApi::rerun
        ),
    };
}

std::string GithubApi::address_of(const Call& call) const {
    return fmt::format(
        "{}/repositories/{}{}",
        model_.options().site.api_url,
        static_cast<std::int64_t>(call.repo->id),
        call.match.behind_repo
    );
}

ApiReply GithubApi::create_check(const Call& call) {
    const auto made = model_.create_check(call.repo->id, body_in(call.request), call.now);
    return made.good()
               ? api_json(made.status, shown(model_, *call.repo, *model_.checks().find(made.id)))
               : api_error(made.status, made.message);
}

ApiReply GithubApi::update_check(const Call& call) {
    const auto id = number_of(call.capture(0));
    const auto changed = model_.change_check(call.repo->id, id, body_in(call.request), call.now);
    return changed.good()
               ? api_json(changed.status, shown(model_, *call.repo, *model_.checks().find(id)))
               : api_error(changed.status, changed.message);
}

ApiReply GithubApi::check_run(const Call& call) {
    const auto* const run = model_.checks().find(number_of(call.capture(0)));
    if (run == nullptr || run->repo != call.repo->id) {
        return api_error(404, "Not Found");
    }
    return api_json(200, shown(model_, *call.repo, *run));
}

ApiReply GithubApi::check_runs(const Call& call) {
    const auto sha = GithubModel::commit(*call.repo, call.capture(0));
    if (!sha) {
        return api_error(422, fmt::format("No commit found for SHA: {}", call.capture(0)));
    }
    const auto& query = call.request.query;
    const auto filter = net::query_value(query, "filter").value_or("latest");
    if (filter != "latest" && filter != "all") {
        return api_error(422, "Validation Failed: filter is not a known value");
    }
    const auto& book = model_.checks();
    auto found =
        filter == "all" ? book.of(call.repo->id, *sha) : book.newest_of(call.repo->id, *sha);
    std::erase_if(found, [&](const CheckRun* run) { return !is_asked_for(*run, query); });
    std::ranges::reverse(found); // the newest first
    const auto ask = PageAsk::in(query);
    auto reply = api_json(
        200,
        json::object{
            {"total_count", found.size()},
            {"check_runs",
             page_of(
                 found, ask, [&](const CheckRun* run) { return shown(model_, *call.repo, *run); }
             )},
        }
    );
    return linked(std::move(reply), address_of(call), call.request.query, found.size());
}

ApiReply GithubApi::check_suites(const Call& call) {
    const auto sha = GithubModel::commit(*call.repo, call.capture(0));
    if (!sha) {
        return api_error(422, fmt::format("No commit found for SHA: {}", call.capture(0)));
    }
    std::map<std::int64_t, std::vector<const CheckRun*>> by_suite;
    for (const auto* const run : model_.checks().newest_of(call.repo->id, *sha)) {
        by_suite[run->suite].push_back(run);
    }
    std::vector<std::vector<const CheckRun*>> suites;
    for (auto& [id, runs] : by_suite) {
        suites.push_back(std::move(runs));
    }
    const auto ask = PageAsk::in(call.request.query);
    const auto show = [&](const std::vector<const CheckRun*>& runs) {
        return model_.suite_json(*call.repo, runs);
    };
    auto reply = api_json(
        200,
        json::object{{"total_count", suites.size()}, {"check_suites", page_of(suites, ask, show)}}
    );
    return linked(std::move(reply), address_of(call), call.request.query, suites.size());
}

/// The permission for pull requests is none for issues.
std::optional<ApiReply> GithubApi::refused_on_issue(const Call& call, PrNumber number) {
    const bool may = call.scope.allows("issues", call.match.route->access);
    return call.repo->issues.contains(number) && !may
               ? std::optional(api_error(403, "Resource not accessible by integration"))
               : std::nullopt;
}

ApiReply GithubApi::create_comment(const Call& call) {
    const PrNumber pr{number_of(call.capture(0))};
    if (auto refused = refused_on_issue(call, pr)) {
        return *std::move(refused);
    }
    const auto made = model_.create_comment(call.repo->id, pr, body_in(call.request), call.now);
    return made.good()
               ? api_json(made.status, shown(model_, *call.repo, *model_.comments().find(made.id)))
               : api_error(made.status, made.message);
}

ApiReply GithubApi::update_comment(const Call& call) {
    const auto id = number_of(call.capture(0));
    const auto changed = model_.change_comment(call.repo->id, id, body_in(call.request), call.now);
    return changed.good()
               ? api_json(changed.status, shown(model_, *call.repo, *model_.comments().find(id)))
               : api_error(changed.status, changed.message);
}

ApiReply GithubApi::comments(const Call& call) {
    const PrNumber pr{number_of(call.capture(0))};
    if (!call.repo->pulls.contains(pr) && !call.repo->issues.contains(pr)) {
        return api_error(404, "Not Found");
    }
    if (auto refused = refused_on_issue(call, pr)) {
        return *std::move(refused);
    }
    auto found = model_.comments().of(call.repo->id, pr);
    if (const auto since = net::query_value(call.request.query, "since")) {
        const auto from = parse_rfc3339(*since).value_or(TimePoint{});
        std::erase_if(found, [from](const IssueComment* comment) {
            return comment->updated_at < from;
        });
    }
    const auto ask = PageAsk::in(call.request.query);
    auto reply = api_json(200, page_of(found, ask, [&](const IssueComment* comment) {
                              return shown(model_, *call.repo, *comment);
                          }));
    return linked(std::move(reply), address_of(call), call.request.query, found.size());
}

ApiReply GithubApi::rerun(const Call& call) {
    const auto asked = model_.rerun({
        .repo = call.repo->id,
        .run = number_of(call.capture(0)),
        .failed_only = call.match.behind_repo.ends_with("/rerun-failed-jobs"),
        .now = call.now,
    });
    return asked.good() ? api_json(asked.status, json::object{})
                        : api_error(asked.status, asked.message);
}

} // namespace baton::sim
