#include "baton/relay/poster.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/posting.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/journal.hpp"
#include "baton/relay/absence.hpp"

#include <boost/asio/awaitable.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace baton::relay {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds kLease{60}; // longer than looking and posting can take

static_assert(kLease > limits::kGithubCallWait * 3);

/// A question that GitHub did not answer stands for the call that would have come after it: nothing
/// was sent.
domain::Answer answer_for(const Error& error) {
    using domain::Outcome;
    auto outcome = Outcome::not_sent;
    if (error.code == Errc::throttled) {
        outcome = Outcome::throttled;
    } else if (error.code == Errc::unauthenticated) {
        outcome = Outcome::unauthenticated;
    } else if (error.code == Errc::not_found || error.code == Errc::forbidden ||
               error.code == Errc::invalid) {
        outcome = Outcome::refused;
    }
    return {.outcome = outcome, .status = 0, .detail = error.detail, .not_before = std::nullopt};
}

} // namespace

Poster::Poster(Settings settings, Surroundings around)
    : settings_(std::move(settings))
    , around_(std::move(around))
    , bell_(around_.clock.make_bell())
    , under_way_(around_.executor, [this](std::string surprise) { trouble(std::move(surprise)); }) {
}

void Poster::wake() {
    bell_->ring();
}

void Poster::finish() {
    finishing_ = true;
    wake();
}

void Poster::cancel() {
    under_way_.cancel();
}

void Poster::trouble(std::string detail) {
    around_.journal.note(
        ports::Trouble{.healed = true, .where = "poster", .detail = std::move(detail)}
    );
}

asio::awaitable<void> Poster::run() {
    while (!finishing_) {
        const auto next = co_await post_due();
        if (!finishing_) {
            co_await bell_->wait_until(next);
        }
    }
    co_await under_way_.join();
}

asio::awaitable<TimePoint> Poster::post_due() {
    const auto now = around_.clock.now();
    const auto most = absence_ ? std::size_t{1} : kAtOnce;
    if (under_way_.size() >= most) {
        co_return now + limits::kPollTime; // whoever comes back rings
    }
    if (absence_ && absence_->holds_back(now)) {
        co_return std::min(absence_->try_at, now + limits::kPollTime);
    }
    ports::PostingQuery query{
        .holder = settings_.instance,
        .now = now,
        .until = now + kLease,
        .limit = most - under_way_.size(),
    };
    auto taken = co_await around_.store.take_postings(std::move(query));
    if (!taken) {
        trouble(taken.error().detail);
        co_return now + limits::kPollTime;
    }
    for (auto& posting : *taken) {
        under_way_.spawn(post(std::move(posting)));
    }
    co_return now + limits::kPollTime;
}

asio::awaitable<Result<std::optional<std::int64_t>>> Poster::find(ports::Posting posting) {
    if (posting.kind == ports::PostingKind::comment) {
        ports::CommentQuery query{
            .repo = posting.subject.upstream,
            .pr = posting.subject.pr.value_or(PrNumber{}),
            .mark = posting.text.substr(0, posting.text.find('\n')),
        };
        co_return co_await around_.github.find_comment(std::move(query));
    }
    ports::CheckQuery query{
        .repo = posting.subject.upstream,
        .head = posting.subject.head,
        .name = posting.check.name,
    };
    co_return co_await around_.github.find_check(std::move(query));
}

asio::awaitable<Poster::Exchange> Poster::exchange(ports::TakenPosting taken) {
    Exchange heard;
    auto id = taken.posting.github_id;
    if (!id && taken.perhaps_there) {
        heard.calls += 1;
        const auto found = co_await find(taken.posting);
        if (!found) {
            heard.posted.answer = answer_for(found.error());
            co_return heard;
        }
        id = *found;
    }
    heard.calls += 1;
    heard.known = id;
    if (taken.posting.kind == ports::PostingKind::comment) {
        ports::CommentCall call{
            .repo = taken.posting.subject.upstream,
            .pr = taken.posting.subject.pr.value_or(PrNumber{}),
            .id = id,
            .text = std::move(taken.posting.text),
        };
        heard.posted = co_await around_.github.post_comment(std::move(call));
    } else {
        ports::CheckCall call{
            .repo = taken.posting.subject.upstream,
            .head = taken.posting.subject.head,
            .id = id,
            .check = std::move(taken.posting.check),
        };
        heard.posted = co_await around_.github.post_check(std::move(call));
    }
    co_return heard;
}

asio::awaitable<void> Poster::post(ports::TakenPosting taken) {
    const auto began = around_.clock.now();
    ports::PostingEnd end{.id = taken.posting.id, .fence = taken.fence, .version = taken.version};
    ports::PostingAttempted entry{
        .upstream = taken.posting.subject.upstream,
        .head = taken.posting.subject.head,
        .name = taken.posting.check.name,
        .attempt = taken.attempts,
    };
    const auto age = began - taken.wanted_since;
    const bool was_uncertain = taken.perhaps_there;
    const auto heard = co_await exchange(std::move(taken));
    const auto now = around_.clock.now();
    const auto& answer = heard.posted.answer;
    learn_from(answer, began);
    const auto verdict = domain::judge_posting(
        answer,
        {.changes = heard.known.has_value(), .attempts = entry.attempt, .age = age},
        now,
        around_.chance.draw(),
        settings_.retry
    );
    end.done = verdict.fate == domain::PostingFate::done;
    end.forget_id = verdict.fate == domain::PostingFate::anew;
    if (end.done) {
        end.github_id = heard.posted.id;
    } else if (!end.forget_id) {
        end.github_id = heard.known; // found, and not to be looked for again
    }
    if (verdict.fate == domain::PostingFate::again || end.forget_id) {
        end.again_at = now + verdict.wait;
    }
    // What was uncertain before stays so until somebody has looked.
    end.certain = heard.known.has_value() || (verdict.certain && !(was_uncertain && !end.done));
    end.calls = heard.calls;
    end.detail = verdict.reason;
    end.now = now;
    entry.status = answer.status;
    entry.fate = verdict.fate;
    entry.detail = verdict.reason;
    entry.created = !heard.known.has_value();
    entry.took = now - began;
    // Should it not be written, the lease runs out, and whoever takes it next looks first.
    const auto ended = co_await around_.store.end_posting(std::move(end));
    if (!ended) {
        trouble(ended.error().detail);
    }
    around_.journal.note(entry);
    wake();
}

/// Postings that left before GitHub was known to be away say nothing new about it.
void Poster::learn_from(const domain::Answer& answer, TimePoint began) {
    if (!domain::is_away(answer)) {
        absence_.reset();
        return;
    }
    const auto now = around_.clock.now();
    if (absence_ && absence_->was_known_at(began, now)) {
        return;
    }
    auto absence = absence_.value_or(Absence{});
    ++absence.tries;
    const auto wait = settings_.retry.delay_after(absence.tries, Millis{0}, around_.chance.draw());
    absence.noted_at = now;
    absence.try_at = now + wait.value_or(limits::kPollTime);
    absence_ = absence;
}

} // namespace baton::relay
