#include "baton/relay/courier.hpp"

#include "baton/base/limits.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/letter.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/sink.hpp"
#include "baton/relay/absence.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace baton::relay {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::seconds kLease{60}; // longer than a letter can take

static_assert(kLease > ports::kSinkWait * 2);

} // namespace

Courier::Courier(Settings settings, Surroundings around)
    : settings_(std::move(settings))
    , around_(std::move(around))
    , bell_(around_.clock.make_bell())
    , under_way_(around_.executor, [this](std::string surprise) { trouble(std::move(surprise)); }) {
}

void Courier::wake() {
    bell_->ring();
}

void Courier::finish() {
    finishing_ = true;
    wake();
}

void Courier::cancel() {
    under_way_.cancel();
}

void Courier::trouble(std::string detail) {
    around_.journal.note(
        ports::Trouble{.healed = true, .where = "courier", .detail = std::move(detail)}
    );
}

asio::awaitable<void> Courier::run() {
    while (!finishing_) {
        const auto next = co_await carry_due();
        if (!finishing_) {
            co_await bell_->wait_until(next);
        }
    }
    co_await under_way_.join();
}

asio::awaitable<TimePoint> Courier::carry_due() {
    const auto now = around_.clock.now();
    const auto most = absence_ ? std::size_t{1} : kAtOnce;
    if (under_way_.size() >= most) {
        co_return now + limits::kPollTime; // whoever comes back rings
    }
    if (absence_ && absence_->holds_back(now)) {
        co_return absence_->try_at;
    }
    ports::LetterQuery query{
        .sink = around_.sink.name(),
        .holder = settings_.instance,
        .now = now,
        .until = now + kLease,
        .limit = most - under_way_.size(),
    };
    auto letters = co_await around_.store.take_letters(std::move(query));
    if (!letters) {
        trouble(letters.error().detail);
        co_return now + limits::kPollTime;
    }
    for (auto& letter : *letters) {
        under_way_.spawn(carry(std::move(letter)));
    }
    co_return now + limits::kPollTime;
}

asio::awaitable<void> Courier::carry(ports::TakenLetter letter) {
    const auto began = around_.clock.now();
    ports::LetterEnd end{.id = letter.id, .fence = letter.fence};
    ports::LetterAttempted entry{
        .sink = letter.sink,
        .letter = letter.id,
        .downstream = letter.job.subject.downstream,
        .attempt = letter.attempts,
        .age = began - letter.created_at,
    };
    const auto answer = co_await around_.sink.deliver(std::move(letter));
    const auto now = around_.clock.now();
    learn_from(answer, began);
    const auto verdict = domain::judge_letter(
        answer, entry.attempt, entry.age, around_.chance.draw(), settings_.retry
    );
    end.done = verdict.fate == domain::LetterFate::delivered;
    if (verdict.fate == domain::LetterFate::again) {
        end.again_at = now + verdict.wait;
    }
    end.detail = verdict.reason;
    end.now = now;
    entry.status = answer.status;
    entry.fate = verdict.fate;
    entry.next_try = end.again_at;
    entry.detail = verdict.reason;
    entry.took = now - began;
    // Should it not be written, the lease runs out and the sink says that it knows it already.
    const auto ended = co_await around_.store.end_letter(std::move(end));
    if (!ended) {
        trouble(ended.error().detail);
    }
    around_.journal.note(entry);
    wake();
}

/// Letters that left before the sink was known to be away say nothing new about it.
void Courier::learn_from(const domain::SinkAnswer& answer, TimePoint began) {
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
    const auto verdict = domain::judge_letter(
        answer, absence.tries, Millis{0}, around_.chance.draw(), settings_.retry
    );
    absence.noted_at = now;
    absence.try_at = now + verdict.wait;
    absence_ = absence;
}

} // namespace baton::relay
