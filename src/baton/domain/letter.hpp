#pragma once

#include "baton/base/draw.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/retry.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What becomes of a letter to a sink after it was handed over, or was not.
namespace baton::domain {

/// What a sink said.
struct SinkAnswer {
    int status{0};      // HTTP; 0: none
    std::string detail; // for people
    std::optional<Millis> retry_after;
};

enum class LetterFate : std::uint8_t {
    delivered = 1, // it has it; perhaps it had it already
    again,         // it is away, or somebody has to mend something first
    dead,          // it will never take this one, or too much time has passed
};

std::string_view name_of(LetterFate fate);

/// A sink that does not take letters at all now, whatever is in them: one is enough to see when
/// that ends.
bool is_away(const SinkAnswer& answer);

struct LetterVerdict {
    LetterFate fate{LetterFate::again};
    Millis wait{}; // before it is tried again
    std::string reason;

    friend bool operator==(const LetterVerdict&, const LetterVerdict&) = default;
};

/// 2xx and 409 (a letter that was sent and whose end was not written down) are good; 400, 413 and
/// 422 are about the letter itself and stay; all else may pass: the sink is away, asks for
/// patience, or does not know our key. `attempts` counts this one.
LetterVerdict judge_letter(
    const SinkAnswer& answer, int attempts, Millis age, Draw draw, const RetryPolicy& policy
);

} // namespace baton::domain
