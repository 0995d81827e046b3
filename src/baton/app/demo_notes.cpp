#include "baton/app/demo_notes.hpp"

#include "baton/app/demo_cast.hpp"
#include "baton/app/demo_view.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/retry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

namespace baton::app::demo {

namespace {

using domain::Outcome;

constexpr Millis kLongAnswer{500};
constexpr std::size_t kSomeRetries = 3;

/// What hinders it now.
std::optional<Note> hindrance(const Situation& the) {
    const auto& facts = the.facts;
    if (facts.failed > 0) {
        return Note{.text = advice_in(facts.failure), .tone = Tone::bad};
    }
    if (the.suspended) {
        return Note{.text = "suspended: holds up no merge", .tone = Tone::warning};
    }
    if (the.waiting == 0) {
        return std::nullopt;
    }
    if (the.limited_until > the.now) {
        return Note{
            .text = fmt::format("rate limit: {} to go", seconds_text(the.limited_until - the.now)),
            .tone = Tone::warning
        };
    }
    const bool silent = facts.last == Outcome::unknown || facts.last == Outcome::not_sent;
    if (silent && facts.next_try) {
        const auto wait = std::max(*facts.next_try - the.now, Millis{0});
        return Note{
            .text = fmt::format("no answer: try {} in {}", facts.attempt + 1, seconds_text(wait)),
            .tone = Tone::warning
        };
    }
    if (the.downstream.max_concurrent) {
        return Note{
            .text = fmt::format("at most {} at once: queues", *the.downstream.max_concurrent),
            .tone = Tone::warning
        };
    }
    return std::nullopt;
}

/// What it has been like so far.
std::optional<Note> habit(const Situation& the) {
    const auto& facts = the.facts;
    if (the.repeats > 0) {
        return Note{
            .text = fmt::format("lost replies: {} repeats", the.repeats), .tone = Tone::warning
        };
    }
    if (facts.took >= kLongAnswer) {
        return Note{
            .text = fmt::format("slow: answers take {}", seconds_text(facts.took)),
            .tone = Tone::plain
        };
    }
    if (facts.retries >= kSomeRetries) {
        const auto after =
            facts.trouble == 0 ? std::string("silence") : fmt::to_string(facts.trouble);
        return Note{
            .text = fmt::format("{} retries after {}", facts.retries, after), .tone = Tone::plain
        };
    }
    return std::nullopt;
}

} // namespace

std::string advice_in(const std::string& sentence) {
    const auto at = sentence.rfind("; ");
    return at == std::string::npos ? sentence : sentence.substr(at + 2);
}

Note note_for(const Situation& situation) {
    if (auto note = hindrance(situation)) {
        return *std::move(note);
    }
    if (auto note = habit(situation)) {
        return *std::move(note);
    }
    if (situation.reports) {
        return *situation.reports;
    }
    return {.text = standing_note(situation.downstream), .tone = Tone::quiet};
}

} // namespace baton::app::demo
