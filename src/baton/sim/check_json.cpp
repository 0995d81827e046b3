#include "baton/sim/check_json.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/check_book.hpp"
#include "baton/sim/comment_book.hpp"
#include "baton/sim/github_app.hpp"
#include "baton/sim/github_json.hpp"
#include "baton/sim/github_types.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace baton::sim {

namespace json = boost::json;

namespace {

json::value text_or_null(const std::string& text) {
    return text.empty() ? json::value(nullptr) : json::value(text);
}

json::value time_or_null(const std::optional<TimePoint>& when) {
    return when ? json::value(github_time(*when)) : json::value(nullptr);
}

std::string api_of(const Site& site, const Repo& repo) {
    return fmt::format("{}/repos/{}", site.api_url, repo.name.text());
}

std::string html_of(const Site& site, const Repo& repo) {
    return fmt::format("{}/{}", site.html_url, repo.name.text());
}

json::object reactions_json(const std::string& of) {
    json::object out{{"url", of + "/reactions"}, {"total_count", 0}};
    for (const auto* each :
         {"+1", "-1", "laugh", "confused", "heart", "hooray", "eyes", "rocket"}) {
        out[each] = 0;
    }
    return out;
}

/// What the runs of a suite come to: not ended while one of them has not, else the worst of them.
std::pair<std::string, std::string> verdict_of(std::span<const CheckRun* const> runs) {
    constexpr std::array<std::string_view, 7> kWorstFirst{
        "action_required", "timed_out", "cancelled", "failure", "success", "neutral", "skipped"
    };
    const auto is_open = [](const CheckRun* run) { return run->status != "completed"; };
    if (std::ranges::any_of(runs, is_open)) {
        const bool begun =
            std::ranges::any_of(runs, [](const CheckRun* run) { return run->status != "queued"; });
        return {begun ? "in_progress" : "queued", ""};
    }
    for (const auto conclusion : kWorstFirst) {
        if (std::ranges::find(runs, conclusion, [](const CheckRun* run) {
                return std::string_view(run->conclusion);
            }) != runs.end()) {
            return {"completed", std::string(conclusion)};
        }
    }
    return {"completed", "neutral"};
}

json::object app_of(const CheckScene& scene, std::int64_t app_id) {
    return app_json(scene.site, {.id = app_id, .slug = scene.app_slug});
}

} // namespace

json::object simple_commit_json(const Repo& repo, const HeadSha& sha, TimePoint when) {
    const json::object person{
        {"name", repo.owner.login.text()},
        {"email", repo.owner.login.text() + "@users.noreply.github.com"},
    };
    return {
        {"id", sha.text()},
        {"tree_id", sha.text()},
        {"message", "A change"},
        {"timestamp", github_time(when)},
        {"author", person},
        {"committer", person},
    };
}

json::object check_run_json(const CheckScene& scene, const CheckRun& run) {
    const auto self = fmt::format("{}/check-runs/{}", api_of(scene.site, scene.repo), run.id);
    const auto page = fmt::format("{}/runs/{}", html_of(scene.site, scene.repo), run.id);
    return {
        {"id", run.id},
        {"node_id", node_id("CR_kwDO", run.id)},
        {"name", run.name},
        {"head_sha", run.head.text()},
        {"external_id", run.external_id},
        {"url", self},
        {"html_url", page},
        {"details_url", run.details_url.empty() ? page : run.details_url},
        {"status", run.status},
        {"conclusion", text_or_null(run.conclusion)},
        {"started_at", time_or_null(run.started_at)},
        {"completed_at", time_or_null(run.completed_at)},
        {"output",
         {{"title", text_or_null(run.title)},
          {"summary", text_or_null(run.summary)},
          {"text", nullptr},
          {"annotations_count", 0},
          {"annotations_url", self + "/annotations"}}},
        {"check_suite", {{"id", run.suite}}},
        {"app", app_of(scene, run.app_id)},
        {"pull_requests", json::array{}}, // as for a head that lives in a fork
    };
}

json::object check_suite_json(const CheckScene& scene, std::span<const CheckRun* const> runs) {
    const auto& first = *runs.front();
    const auto [status, conclusion] = verdict_of(runs);
    const auto when = first.started_at.value_or(scene.repo.pushed_at);
    const auto self =
        fmt::format("{}/check-suites/{}", api_of(scene.site, scene.repo), first.suite);
    return {
        {"id", first.suite},
        {"node_id", node_id("CS_kwDO", first.suite)},
        {"head_branch", nullptr},
        {"head_sha", first.head.text()},
        {"status", status},
        {"conclusion", text_or_null(conclusion)},
        {"url", self},
        {"before", nullptr},
        {"after", first.head.text()},
        {"pull_requests", json::array{}},
        {"app", app_of(scene, first.app_id)},
        {"created_at", github_time(when)},
        {"updated_at", github_time(when)},
        {"rerequestable", true},
        {"runs_rerequestable", true},
        {"latest_check_runs_count", runs.size()},
        {"check_runs_url", self + "/check-runs"},
        {"head_commit", simple_commit_json(scene.repo, first.head, when)},
    };
}

json::object comment_json(const CommentScene& scene, const IssueComment& comment) {
    const auto number = static_cast<std::int64_t>(comment.pr);
    const auto api = api_of(scene.site, scene.repo);
    const auto self = fmt::format("{}/issues/comments/{}", api, comment.id);
    auto user = account_json(scene.site, scene.author);
    json::value app = nullptr;
    if (comment.app_id != 0) {
        user["type"] = "Bot";
        app = app_json(scene.site, {.id = comment.app_id, .slug = scene.app_slug});
    }
    return {
        {"url", self},
        {"html_url",
         fmt::format(
             "{}/pull/{}#issuecomment-{}", html_of(scene.site, scene.repo), number, comment.id
         )},
        {"issue_url", fmt::format("{}/issues/{}", api, number)},
        {"id", comment.id},
        {"node_id", node_id("IC_kwDO", comment.id)},
        {"user", std::move(user)},
        {"created_at", github_time(comment.created_at)},
        {"updated_at", github_time(comment.updated_at)},
        {"author_association", scene.association},
        {"body", comment.text},
        {"reactions", reactions_json(self)},
        {"performed_via_github_app", std::move(app)},
    };
}

json::object issue_json(const CommentScene& scene, const Pull& pull) {
    const auto number = static_cast<std::int64_t>(pull.number);
    const auto api = api_of(scene.site, scene.repo);
    const auto html = fmt::format("{}/pull/{}", html_of(scene.site, scene.repo), number);
    const auto self = fmt::format("{}/issues/{}", api, number);
    json::array labels;
    for (const auto& name : pull.labels) {
        labels.push_back(label_json(scene.site, scene.repo, name));
    }
    return {
        {"url", self},
        {"repository_url", api},
        {"labels_url", self + "/labels{/name}"},
        {"comments_url", self + "/comments"},
        {"events_url", self + "/events"},
        {"html_url", html},
        {"id", pull.id},
        {"node_id", node_id("PR_kwDO", pull.id)},
        {"number", number},
        {"title", pull.title},
        {"user", account_json(scene.site, scene.author)},
        {"labels", std::move(labels)},
        {"state", pull.open ? "open" : "closed"},
        {"locked", false},
        {"assignee", nullptr},
        {"assignees", json::array{}},
        {"milestone", nullptr},
        {"comments", 1},
        {"created_at", github_time(pull.created_at)},
        {"updated_at", github_time(pull.updated_at)},
        {"closed_at", time_or_null(pull.closed_at)},
        {"author_association", pull.association},
        {"active_lock_reason", nullptr},
        {"draft", pull.draft},
        {"pull_request",
         {{"url", fmt::format("{}/pulls/{}", api, number)},
          {"html_url", html},
          {"diff_url", html + ".diff"},
          {"patch_url", html + ".patch"},
          {"merged_at", pull.merged ? time_or_null(pull.closed_at) : json::value(nullptr)}}},
        {"body", text_or_null(pull.text)},
        {"reactions", reactions_json(self)},
        {"timeline_url", self + "/timeline"},
        {"performed_via_github_app", nullptr},
        {"state_reason", nullptr},
    };
}

} // namespace baton::sim
