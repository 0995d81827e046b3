// What stands on pull requests: checks and comments; and re-runs of what they tell about.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/retry.hpp"
#include "baton/github/answer.hpp"
#include "baton/github/app_client.hpp"
#include "baton/github/check_body.hpp"
#include "baton/github/json_read.hpp"
#include "baton/github/paging.hpp"
#include "baton/github/rest.hpp"
#include "baton/github/token_cache.hpp"
#include "baton/net/url.hpp"
#include "baton/ports/github.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::github {

namespace asio = boost::asio;
namespace json = boost::json;
using domain::Outcome;

namespace {

/// 0 when there is none.
std::int64_t id_in(const json::value* object) {
    const auto* const id = object == nullptr ? nullptr : member(*object, "id");
    return id != nullptr && id->is_int64() ? id->as_int64() : 0;
}

std::string_view text_in(const json::value& object, std::string_view name) {
    const auto* const found = member(object, name);
    return found != nullptr && found->is_string() ? std::string_view(found->as_string())
                                                  : std::string_view{};
}

tl::unexpected<Error> not_understood(std::string_view what, const RepoName& repo) {
    return fail(
        Errc::unavailable,
        fmt::format("GitHub's answer about the {} of {} was not understood", what, repo.text())
    );
}

/// The oldest of them: the one that later calls have been changing.
std::optional<std::int64_t>
comment_in(const json::array& page, const std::string& mark, std::int64_t app_id) {
    for (const auto& comment : page) {
        const bool ours = id_in(member(comment, "performed_via_github_app")) == app_id;
        const auto id = id_in(&comment);
        if (ours && id > 0 && text_in(comment, "body").starts_with(mark)) {
            return id;
        }
    }
    return std::nullopt;
}

bool says_running(const RestReply& rest) {
    return rest.status() == 403 &&
           lower(rest.reply->body).find("already running") != std::string::npos;
}

} // namespace

asio::awaitable<ports::Posted>
RestGithub::post(RestCall call, Grant grant, Ask ask, std::optional<std::int64_t> id) {
    const Budget budget(wait_);
    const auto repo = call.repo;
    const auto rest = co_await send(std::move(call), grant, budget);
    if (!rest) {
        co_return ports::Posted{.answer = rest.error()};
    }
    ports::Posted posted{
        .answer = answer_of(*rest, {.ask = ask, .repo = repo, .now = clock_->now()}),
        .id = id.value_or(0),
    };
    if (posted.answer.outcome == Outcome::refused) {
        credentials_.doubt(repo);
    }
    if (posted.answer.outcome != Outcome::accepted || id) {
        co_return posted;
    }
    const auto made = parsed(rest->reply->body);
    posted.id = id_in(&made);
    if (posted.id <= 0) { // it is there, and has to be looked for
        posted.id = 0;
        posted.answer.outcome = Outcome::unknown;
        posted.answer.detail =
            fmt::format("GitHub took it for {}, and its answer was not understood", repo.text());
    }
    co_return posted;
}

asio::awaitable<ports::Posted> RestGithub::post_check(ports::CheckCall call) {
    RestCall request{
        .method = call.id ? "PATCH" : "POST",
        .repo = call.repo,
        .tail = call.id ? fmt::format("/check-runs/{}", *call.id) : "/check-runs",
        .body = check_body(call),
    };
    return post(std::move(request), Grant::write_checks, Ask::check, call.id);
}

asio::awaitable<ports::Posted> RestGithub::post_comment(ports::CommentCall call) {
    const auto number = static_cast<std::int64_t>(call.pr);
    RestCall request{
        .method = call.id ? "PATCH" : "POST",
        .repo = call.repo,
        .tail = call.id ? fmt::format("/issues/comments/{}", *call.id)
                        : fmt::format("/issues/{}/comments", number),
        .body = comment_body(call),
    };
    return post(std::move(request), Grant::write_pulls, Ask::comment, call.id);
}

asio::awaitable<Result<std::optional<std::int64_t>>> RestGithub::find_check(ports::CheckQuery query
) {
    const auto app_id = credentials_.app_id();
    RestCall call{
        .repo = query.repo,
        .tail = fmt::format(
            "/commits/{}/check-runs?check_name={}&filter=latest&app_id={}&per_page=100",
            net::percent_encode(query.head.text()),
            net::percent_encode(query.name),
            app_id
        ),
    };
    BATON_CO_TRY(
        const auto root, co_await read_json(std::move(call), Grant::read_checks, Ask::checks)
    );
    const auto* const runs = member(root, "check_runs");
    if (runs == nullptr || !runs->is_array()) {
        co_return not_understood("checks", query.repo);
    }
    std::int64_t newest = 0;
    for (const auto& run : runs->as_array()) {
        // An older server may not know `app_id`, and names are not ours alone.
        if (id_in(member(run, "app")) == app_id && text_in(run, "name") == query.name) {
            newest = std::max(newest, id_in(&run));
        }
    }
    co_return newest > 0 ? std::optional(newest) : std::nullopt;
}

asio::awaitable<Result<std::optional<std::int64_t>>>
RestGithub::find_comment(ports::CommentQuery query) {
    const Budget budget(wait_);
    for (int page = 1; page <= kCommentPagesMax; ++page) {
        RestCall call{
            .repo = query.repo,
            .tail = fmt::format(
                "/issues/{}/comments?per_page=100&page={}",
                static_cast<std::int64_t>(query.pr),
                page
            ),
        };
        const auto rest = co_await send(std::move(call), Grant::read_pulls, budget);
        if (!rest) {
            co_return fail(error_of(rest.error()));
        }
        const auto answer =
            answer_of(*rest, {.ask = Ask::comments, .repo = query.repo, .now = clock_->now()});
        if (answer.outcome != Outcome::accepted) {
            co_return fail(error_of(answer));
        }
        const auto root = parsed(rest->reply->body);
        if (!root.is_array()) {
            co_return not_understood("comments", query.repo);
        }
        if (const auto found = comment_in(root.as_array(), query.mark, credentials_.app_id())) {
            co_return found;
        }
        if (!next_page(rest->reply->headers.find("link").value_or(""), "page")) {
            break;
        }
    }
    co_return std::nullopt;
}

asio::awaitable<Result<ports::RerunAnswer>> RestGithub::rerun(ports::RerunCall call) {
    const Budget budget(wait_);
    const auto run = whole_number(call.run_id); // a downstream's word: nothing else enters a path
    if (!run) {
        co_return ports::RerunAnswer::refused;
    }
    RestCall request{
        .method = "POST",
        .repo = call.downstream,
        .tail = fmt::format(
            "/actions/runs/{}/{}", *run, call.failed_only ? "rerun-failed-jobs" : "rerun"
        ),
    };
    const auto rest = co_await send(std::move(request), Grant::write_actions, budget);
    const auto answer =
        rest ? answer_of(*rest, {.ask = Ask::rerun, .repo = call.downstream, .now = clock_->now()})
             : rest.error();
    if (answer.outcome == Outcome::accepted) {
        co_return ports::RerunAnswer::asked;
    }
    if (answer.outcome != Outcome::refused) {
        co_return fail(error_of(answer));
    }
    co_return rest&& says_running(*rest) ? ports::RerunAnswer::already_running
                                         : ports::RerunAnswer::refused;
}

} // namespace baton::github
