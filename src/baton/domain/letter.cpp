#include "baton/domain/letter.hpp"

#include "baton/base/draw.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/retry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string_view>

namespace baton::domain {

namespace {

/// A sink that asks for more patience than this is looked at again.
constexpr std::chrono::hours kPatienceMax{1};

LetterFate fate_of(int status) {
    if ((status >= 200 && status < 300) || status == 409) {
        return LetterFate::delivered;
    }
    const bool about_the_letter = status == 400 || status == 413 || status == 422;
    return about_the_letter ? LetterFate::dead : LetterFate::again;
}

} // namespace

std::string_view name_of(LetterFate fate) {
    switch (fate) {
    case LetterFate::delivered:
        return "delivered";
    case LetterFate::again:
        return "again";
    case LetterFate::dead:
        return "dead";
    }
    return "unknown";
}

bool is_away(const SinkAnswer& answer) {
    return fate_of(answer.status) == LetterFate::again;
}

LetterVerdict judge_letter(
    const SinkAnswer& answer, int attempts, Millis age, Draw draw, const RetryPolicy& policy
) {
    const auto fate = fate_of(answer.status);
    if (fate == LetterFate::delivered) {
        return {.fate = fate, .wait = {}, .reason = ""};
    }
    if (fate == LetterFate::dead) {
        return {.fate = fate, .wait = {}, .reason = answer.detail};
    }
    const auto delay = policy.delay_after(attempts, age, draw);
    if (!delay) {
        return {
            .fate = LetterFate::dead,
            .wait = {},
            .reason = fmt::format("given up after {}: {}", to_text(age), answer.detail),
        };
    }
    const auto told = std::min<Millis>(answer.retry_after.value_or(Millis{0}), kPatienceMax);
    return {.fate = fate, .wait = std::max(*delay, told), .reason = answer.detail};
}

} // namespace baton::domain
