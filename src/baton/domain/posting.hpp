#pragma once

#include "baton/base/draw.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/retry.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What becomes of a check or a comment after GitHub was asked to take it.
namespace baton::domain {

enum class PostingFate : std::uint8_t {
    done = 1,
    again,    // GitHub is away, tired of us, or never answered
    anew,     // GitHub does not know the one we wanted to change: it is created anew
    given_up, // a "no" that stays one until something else is wanted
};

std::string_view name_of(PostingFate fate);

struct PostingVerdict {
    PostingFate fate{PostingFate::again};
    Millis wait{};      // before it is tried again
    bool certain{true}; // false: it may have arrived all the same
    std::string reason; // empty: nothing is wrong

    friend bool operator==(const PostingVerdict&, const PostingVerdict&) = default;
};

struct PostingTry {
    bool changes{false}; // GitHub's number of it was known
    int attempts{0};     // with this one
    Millis age{};        // since it was wanted
};

PostingVerdict judge_posting(
    const Answer& answer,
    const PostingTry& attempt,
    TimePoint now,
    Draw draw,
    const RetryPolicy& policy
);

/// GitHub takes nothing at all now, whatever is in it: one is enough to see when that ends.
bool is_away(const Answer& answer);

} // namespace baton::domain
