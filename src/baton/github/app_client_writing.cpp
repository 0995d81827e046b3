// What is written outside an upstream's pull requests: branches, files and pull requests that
// propose, and comments on issues.

#include "baton/base/forms.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/base64url.hpp"
#include "baton/domain/retry.hpp"
#include "baton/github/answer.hpp"
#include "baton/github/app_client.hpp"
#include "baton/github/check_body.hpp"
#include "baton/github/file_path.hpp"
#include "baton/github/json_read.hpp"
#include "baton/github/paging.hpp"
#include "baton/github/rest.hpp"
#include "baton/github/token_cache.hpp"
#include "baton/net/url.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/github_writing.hpp"
#include "baton/wire/cut_text.hpp"
#include "baton/wire/json_text.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::github {

namespace asio = boost::asio;
namespace json = boost::json;
using wire::json_quoted;

namespace {

constexpr std::size_t kPullTitleMax = 256;

std::string text_in(const json::value& object, std::string_view name) {
    const auto* const found = member(object, name);
    return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

tl::unexpected<Error> not_understood(std::string_view what, const RepoName& repo) {
    return fail(
        Errc::unavailable,
        fmt::format("GitHub's answer about {} of {} was not understood", what, repo.text())
    );
}

/// An address is a link on our pages: nothing but a web address is taken for one.
std::optional<ports::PullPlace> place_in(const json::value& pull) {
    const auto* const number = member(pull, "number");
    ports::PullPlace place{.url = text_in(pull, "html_url")};
    const bool good = is_web_address(place.url) && place.url.size() <= limits::kUrlBytesMax;
    if (number == nullptr || !number->is_int64() || number->as_int64() <= 0 || !good) {
        return std::nullopt;
    }
    place.number = PrNumber{number->as_int64()};
    return place;
}

bool is_ours(const json::value& comment, const std::string& mark, std::int64_t app_id) {
    const auto* const app = member(comment, "performed_via_github_app");
    const auto* const id = app == nullptr ? nullptr : member(*app, "id");
    return id != nullptr && id->is_int64() && id->as_int64() == app_id &&
           text_in(comment, "body").starts_with(mark);
}

/// 2027-01-15T08:00:00Z, as GitHub writes times.
std::string whole_seconds(TimePoint when) {
    constexpr std::size_t kUpToSeconds = 19;
    return to_rfc3339(when).substr(0, kUpToSeconds) + "Z";
}

std::string issue_comments(PrNumber issue) {
    return fmt::format("/issues/{}/comments", static_cast<std::int64_t>(issue));
}

} // namespace

asio::awaitable<Result<ports::Blob>> RestGithub::read_blob(ports::BlobQuery query) {
    BATON_CO_TRY(const auto path, encoded_path(query.path));
    RestCall call{
        .repo = query.repo,
        .tail = fmt::format("/contents{}?ref={}", path, net::percent_encode(query.branch)),
    };
    BATON_CO_TRY(
        const auto root, co_await read_json(std::move(call), Grant::read_contents, Ask::file)
    );
    auto text = crypto::from_base64(text_in(root, "content"));
    auto sha = text_in(root, "sha");
    if (text_in(root, "encoding") != "base64" || !text || sha.empty()) {
        co_return not_understood("a file", query.repo);
    }
    co_return ports::Blob{.text = *std::move(text), .sha = std::move(sha)};
}

asio::awaitable<Result<std::optional<ports::PullPlace>>> RestGithub::find_pull(ports::PullFrom query
) {
    const auto head = fmt::format("{}:{}", query.repo.owner(), query.branch);
    RestCall call{
        .repo = query.repo,
        .tail = fmt::format("/pulls?state=all&head={}&per_page=1", net::percent_encode(head)),
    };
    BATON_CO_TRY(
        const auto root, co_await read_json(std::move(call), Grant::read_pulls, Ask::pulls)
    );
    if (!root.is_array()) {
        co_return not_understood("the pull requests", query.repo);
    }
    if (root.as_array().empty()) {
        co_return std::optional<ports::PullPlace>{};
    }
    const auto place = place_in(root.as_array().front());
    if (!place) {
        co_return not_understood("a pull request", query.repo);
    }
    co_return place;
}

asio::awaitable<Result<void>> RestGithub::make_branch(ports::NewBranch branch) {
    RestCall call{
        .method = "POST",
        .repo = branch.repo,
        .tail = "/git/refs",
        .body = fmt::format(
            R"({{"ref":{},"sha":{}}})",
            json_quoted("refs/heads/" + branch.name),
            json_quoted(branch.at.text())
        ),
    };
    const auto made = co_await read_json(std::move(call), Grant::write_contents, Ask::branch);
    if (made) {
        co_return Result<void>{};
    }
    // GitHub's words for it are no contract: whether it is there is asked for.
    if (made.error().code == Errc::invalid) {
        const auto there = co_await commit_named(branch.repo, "heads/" + branch.name);
        if (there && there->has_value()) {
            co_return Result<void>{};
        }
    }
    co_return fail(made.error());
}

asio::awaitable<Result<void>> RestGithub::write_blob(ports::NewBlob blob) {
    const Budget budget(wait_);
    BATON_CO_TRY(const auto path, encoded_path(blob.path));
    RestCall call{
        .method = "PUT",
        .repo = blob.repo,
        .tail = fmt::format("/contents{}", path),
        .body = fmt::format(
            R"({{"message":{},"content":"{}","sha":{},"branch":{}}})",
            json_quoted(blob.message),
            crypto::base64(blob.text),
            json_quoted(blob.replaces),
            json_quoted(blob.branch)
        ),
    };
    const auto rest = co_await send(std::move(call), Grant::write_contents, budget);
    if (!rest) {
        co_return fail(error_of(rest.error()));
    }
    const auto answer =
        answer_of(*rest, {.ask = Ask::new_file, .repo = blob.repo, .now = clock_->now()});
    if (answer.outcome == domain::Outcome::accepted) {
        co_return Result<void>{};
    }
    auto error = error_of(answer);
    if (rest->status() == 409) {
        error.code = Errc::conflict;
    }
    co_return fail(std::move(error));
}

asio::awaitable<Result<ports::PullPlace>> RestGithub::propose_pull(ports::PullDraft draft) {
    RestCall call{
        .method = "POST",
        .repo = draft.repo,
        .tail = "/pulls",
        .body = fmt::format(
            R"({{"title":{},"head":{},"base":{},"body":{}}})",
            json_quoted(wire::cut_end(draft.title, kPullTitleMax)),
            json_quoted(draft.branch),
            json_quoted(draft.onto),
            json_quoted(wire::cut_end(draft.text, kCommentMax))
        ),
    };
    BATON_CO_TRY(
        const auto made, co_await read_json(std::move(call), Grant::write_pulls, Ask::new_pull)
    );
    const auto place = place_in(made);
    if (!place) { // it is there, and is found the next time
        co_return not_understood("a new pull request", draft.repo);
    }
    co_return *place;
}

asio::awaitable<Result<bool>> RestGithub::has_issue_comment(ports::IssueCommentQuery query) {
    const Budget budget(wait_);
    for (int page = 1; page <= kCommentPagesMax; ++page) {
        RestCall call{
            .repo = query.repo,
            .tail = fmt::format(
                "{}?since={}&per_page=100&page={}",
                issue_comments(query.issue),
                net::percent_encode(whole_seconds(query.since)),
                page
            ),
        };
        const auto rest = co_await send(std::move(call), Grant::read_issues, budget);
        if (!rest) {
            co_return fail(error_of(rest.error()));
        }
        const auto answer =
            answer_of(*rest, {.ask = Ask::comments, .repo = query.repo, .now = clock_->now()});
        if (answer.outcome != domain::Outcome::accepted) {
            co_return fail(error_of(answer));
        }
        const auto root = parsed(rest->reply->body);
        if (!root.is_array()) {
            co_return not_understood("the comments", query.repo);
        }
        for (const auto& comment : root.as_array()) {
            if (is_ours(comment, query.mark, credentials_.app_id())) {
                co_return true;
            }
        }
        if (!next_page(rest->reply->headers.find("link").value_or(""), "page")) {
            break;
        }
    }
    co_return false;
}

asio::awaitable<Result<void>> RestGithub::post_issue_comment(ports::IssueComment comment) {
    RestCall call{
        .method = "POST",
        .repo = comment.repo,
        .tail = issue_comments(comment.issue),
        .body = comment_body({.repo = comment.repo, .id = std::nullopt, .text = comment.text}),
    };
    const auto made = co_await read_json(std::move(call), Grant::write_issues, Ask::issue_comment);
    if (!made) {
        co_return fail(made.error());
    }
    co_return Result<void>{};
}

} // namespace baton::github
