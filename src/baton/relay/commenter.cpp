#include "baton/relay/commenter.hpp"

#include "baton/async/deadline.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/letter.hpp"
#include "baton/ports/github_writing.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/sink.hpp"
#include "baton/relay/letter_end.hpp"
#include "baton/wire/notice.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>

namespace baton::relay {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::hours kClocksDiffer{1}; // ours and GitHub's

} // namespace

Commenter::Commenter(Settings settings, Surroundings around)
    : settings_(std::move(settings))
    , around_(std::move(around)) {}

asio::awaitable<domain::SinkAnswer> Commenter::deliver(ports::TakenLetter letter) {
    const auto notice = wire::read_notice(letter.body);
    if (!notice) {
        co_return answer_to(notice.error());
    }
    const auto& about = letter.job.subject;
    if (!notice->downstream.empty()) {
        const auto open = around_.is_open(about.upstream, about.downstream);
        if (!open) {
            const auto why = "the allowlist of " + about.upstream.text() + " was not read yet";
            co_return answer_to({.code = Errc::unavailable, .detail = why});
        }
        if (!*open) {
            co_return told("not for everybody");
        }
    }
    auto text = wire::notice_comment(*notice, settings_.page);
    auto work = post(std::move(letter), std::move(text));
    auto time_up = around_.clock.sleep_until(around_.clock.now() + ports::kSinkWait);
    const auto done = co_await async::with_deadline(std::move(work), std::move(time_up));
    if (!done) { // should it stand there, it is found the next time
        co_return answer_to({.code = Errc::timed_out, .detail = "GitHub took too long"});
    }
    co_return *done ? told("") : answer_to(done->error());
}

asio::awaitable<Result<void>> Commenter::post(ports::TakenLetter letter, std::string text) {
    const auto mark = fmt::format("<!-- baton {}-{} -->", letter.id, to_ms(letter.created_at));
    if (letter.attempts > 1) {
        ports::IssueCommentQuery query{
            .repo = settings_.repo,
            .issue = settings_.issue,
            .mark = mark,
            .since = letter.created_at - kClocksDiffer,
        };
        BATON_CO_TRY(
            const bool there, co_await around_.writing.has_issue_comment(std::move(query))
        );
        if (there) {
            co_return Result<void>{};
        }
    }
    ports::IssueComment comment{
        .repo = settings_.repo,
        .issue = settings_.issue,
        .text = fmt::format("{}\n{}", mark, text),
    };
    co_return co_await around_.writing.post_issue_comment(std::move(comment));
}

} // namespace baton::relay
