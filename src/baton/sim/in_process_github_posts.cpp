// Checks, comments and re-runs.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/github.hpp"
#include "baton/sim/check_book.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/in_process_github.hpp"
#include "baton/sim/post.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace baton::sim {

namespace asio = boost::asio;
namespace json = boost::json;

namespace {

/// As the real client writes it.
json::object body_of(const ports::CheckCall& call) {
    const auto& check = call.check;
    json::object body{{"name", check.name}, {"status", domain::name_of(check.status)}};
    if (!call.id) {
        body["head_sha"] = call.head.text();
    }
    if (!check.external_id.empty()) {
        body["external_id"] = check.external_id;
    }
    if (!check.details_url.empty()) {
        body["details_url"] = check.details_url;
    }
    if (check.started_at) {
        body["started_at"] = to_rfc3339(*check.started_at);
    }
    if (check.status == domain::CheckStatus::completed && check.conclusion) {
        body["conclusion"] = domain::name_of(*check.conclusion);
    }
    if (check.status == domain::CheckStatus::completed && check.completed_at) {
        body["completed_at"] = to_rfc3339(*check.completed_at);
    }
    if (!check.title.empty()) {
        body["output"] = {{"title", check.title}, {"summary", check.summary}};
    }
    return body;
}

PostReply not_found() {
    return {.status = 404, .message = "Not Found"};
}

} // namespace

PostReply InProcessGithub::perform(const ports::CheckCall& call) {
    const auto* const repo = reach(call.repo);
    if (repo == nullptr) {
        return not_found();
    }
    const auto body = body_of(call);
    return call.id ? model_.change_check(repo->id, *call.id, body, clock_.now())
                   : model_.create_check(repo->id, body, clock_.now());
}

PostReply InProcessGithub::perform(const ports::CommentCall& call) {
    const auto* const repo = reach(call.repo);
    if (repo == nullptr) {
        return not_found();
    }
    const json::object body{{"body", call.text}};
    return call.id ? model_.change_comment(repo->id, *call.id, body, clock_.now())
                   : model_.create_comment(repo->id, call.pr, body, clock_.now());
}

PostReply InProcessGithub::perform(const ports::RerunCall& call) {
    const auto* const repo = reach(call.downstream);
    if (repo == nullptr) {
        return not_found();
    }
    return model_.rerun({
        .repo = repo->id,
        .run = whole_number(call.run_id).value_or(0),
        .failed_only = call.failed_only,
        .now = clock_.now(),
    });
}

asio::awaitable<ports::Posted> InProcessGithub::post_check(ports::CheckCall call) {
    std::string route = call.id ? "update_check" : "create_check";
    const auto trip = co_await set_out(std::move(route), call.repo);
    PostReply truth;
    if (trip.has_effect()) {
        truth = perform(call);
    }
    auto heard = co_await come_back(trip);
    co_return posted(truth, std::move(heard));
}

asio::awaitable<ports::Posted> InProcessGithub::post_comment(ports::CommentCall call) {
    std::string route = call.id ? "update_comment" : "create_comment";
    const auto trip = co_await set_out(std::move(route), call.repo);
    PostReply truth;
    if (trip.has_effect()) {
        truth = perform(call);
    }
    auto heard = co_await come_back(trip);
    co_return posted(truth, std::move(heard));
}

asio::awaitable<Result<std::optional<std::int64_t>>>
InProcessGithub::find_check(ports::CheckQuery query) {
    const auto trip = co_await set_out("check_runs", query.repo);
    const auto* const repo = reach(query.repo);
    Result<std::optional<std::int64_t>> truth = fail(Errc::not_found, "Not Found");
    if (repo != nullptr && repo->installed) {
        truth = std::optional<std::int64_t>{};
        for (const auto* const run : model_.checks().newest_of(repo->id, query.head)) {
            if (run->app_id == model_.options().app_id && run->name == query.name) {
                truth = run->id;
            }
        }
    }
    const auto heard = co_await come_back(trip);
    if (heard) {
        co_return error_of(*heard);
    }
    co_return truth;
}

asio::awaitable<Result<std::optional<std::int64_t>>>
InProcessGithub::find_comment(ports::CommentQuery query) {
    const auto trip = co_await set_out("comments", query.repo);
    const auto* const repo = reach(query.repo);
    Result<std::optional<std::int64_t>> truth = fail(Errc::not_found, "Not Found");
    if (repo != nullptr && repo->installed) {
        const auto all = model_.comments().of(repo->id, query.pr);
        const auto found = std::ranges::find_if(all, [&](const IssueComment* comment) {
            return comment->app_id == model_.options().app_id &&
                   comment->text.starts_with(query.mark);
        });
        truth = found == all.end() ? std::nullopt : std::optional((*found)->id);
    }
    const auto heard = co_await come_back(trip);
    if (heard) {
        co_return error_of(*heard);
    }
    co_return truth;
}

asio::awaitable<Result<ports::RerunAnswer>> InProcessGithub::rerun(ports::RerunCall call) {
    if (!whole_number(call.run_id)) {
        co_return ports::RerunAnswer::refused;
    }
    const auto trip = co_await set_out("rerun", call.downstream);
    PostReply truth;
    if (trip.has_effect()) {
        truth = perform(call);
    }
    const auto heard = co_await come_back(trip);
    if (heard && heard->outcome != domain::Outcome::refused) {
        co_return error_of(*heard);
    }
    if (heard || !truth.good()) {
        const bool runs = !heard && truth.message.find("already running") != std::string::npos;
        co_return runs ? ports::RerunAnswer::already_running : ports::RerunAnswer::refused;
    }
    co_return ports::RerunAnswer::asked;
}

} // namespace baton::sim
