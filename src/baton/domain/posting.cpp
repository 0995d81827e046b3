#include "baton/domain/posting.hpp"

#include "baton/base/draw.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/retry.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace baton::domain {

namespace {

constexpr int kNotFound = 404;
constexpr std::chrono::seconds kRefusedFirst{30};
constexpr std::chrono::hours kRefusedLongest{1};
constexpr std::chrono::hours kRefusalsFor{72};

PostingVerdict later(
    const Answer& answer,
    const PostingTry& attempt,
    TimePoint now,
    Draw draw,
    const RetryPolicy& policy
) {
    const bool certain = answer.outcome != Outcome::unknown;
    if (answer.not_before) {
        return {
            .fate = PostingFate::again,
            .wait = std::max(Millis{0}, *answer.not_before - now),
            .certain = certain,
            .reason = answer.detail,
        };
    }
    const auto wait = policy.delay_after(attempt.attempts, attempt.age, draw);
    return {
        .fate = wait ? PostingFate::again : PostingFate::given_up,
        .wait = wait.value_or(Millis{0}),
        .certain = certain,
        .reason = wait ? answer.detail : "given up, for its age: " + answer.detail,
    };
}

/// A right that is missing is granted one day, and a commit of a fork shows up late: tried again
/// after as long as it has waited, for three days.
PostingVerdict refused(const Answer& answer, const PostingTry& attempt) {
    if (attempt.age >= kRefusalsFor) {
        return {.fate = PostingFate::given_up, .reason = answer.detail};
    }
    return {
        .fate = PostingFate::again,
        .wait = std::clamp<Millis>(attempt.age, kRefusedFirst, kRefusedLongest),
        .reason = answer.detail,
    };
}

} // namespace

std::string_view name_of(PostingFate fate) {
    switch (fate) {
    case PostingFate::done:
        return "done";
    case PostingFate::again:
        return "again";
    case PostingFate::anew:
        return "anew";
    case PostingFate::given_up:
        return "given_up";
    }
    return "";
}

bool is_away(const Answer& answer) {
    return answer.outcome == Outcome::unknown || answer.outcome == Outcome::not_sent ||
           answer.outcome == Outcome::unauthenticated;
}

PostingVerdict judge_posting(
    const Answer& answer,
    const PostingTry& attempt,
    TimePoint now,
    Draw draw,
    const RetryPolicy& policy
) {
    switch (answer.outcome) {
    case Outcome::accepted:
        return {.fate = PostingFate::done};
    case Outcome::withheld:
        return {.fate = PostingFate::given_up, .reason = answer.detail};
    case Outcome::refused:
    case Outcome::too_large:
        if (attempt.changes && answer.status == kNotFound) {
            return {.fate = PostingFate::anew, .reason = answer.detail};
        }
        return refused(answer, attempt);
    case Outcome::throttled:
    case Outcome::unauthenticated:
    case Outcome::not_sent:
    case Outcome::unknown:
        break;
    }
    return later(answer, attempt, now, draw, policy);
}

} // namespace baton::domain
