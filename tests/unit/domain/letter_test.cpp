#include "baton/base/draw.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/letter.hpp"
#include "baton/domain/retry.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace baton::domain {
namespace {

using namespace std::chrono_literals;

struct FateCase {
    const char* name;
    int status;
    LetterFate fate;
    bool away;
};

constexpr FateCase kFates[] = {
    {"taken", 200, LetterFate::delivered, false},
    {"taken for later", 202, LetterFate::delivered, false},
    {"it had it already", 409, LetterFate::delivered, false},
    {"nobody there", 0, LetterFate::again, true},
    {"too slow", 408, LetterFate::again, true},
    {"patience", 429, LetterFate::again, true},
    {"broken", 500, LetterFate::again, true},
    {"being deployed", 503, LetterFate::again, true},
    {"a key that an operator has to mend", 401, LetterFate::again, true},
    {"a right that an operator has to mend", 403, LetterFate::again, true},
    {"an address that an operator has to mend", 404, LetterFate::again, true},
    {"moved", 301, LetterFate::again, true},
    {"a letter that it does not understand", 400, LetterFate::dead, false},
    {"a letter that is too large", 413, LetterFate::dead, false},
    {"a letter that it does not want", 422, LetterFate::dead, false},
};

TEST(JudgeLetter, LosesNothingThatMayStillBeTaken) {
    for (const auto& c : kFates) {
        SCOPED_TRACE(c.name);
        const SinkAnswer answer{.status = c.status, .detail = "so", .retry_after = {}};
        EXPECT_EQ(judge_letter(answer, 1, 1s, Draw{}, RetryPolicy{}).fate, c.fate);
        EXPECT_EQ(is_away(answer), c.away);
    }
}

TEST(JudgeLetter, WaitsLongerEachTimeAndAsLongAsItIsTold) {
    const SinkAnswer busy{.status = 503, .detail = "", .retry_after = {}};
    const auto first = judge_letter(busy, 1, 1s, Draw{}, RetryPolicy{}).wait;
    const auto fifth = judge_letter(busy, 5, 1s, Draw{}, RetryPolicy{}).wait;
    EXPECT_GT(first, 0ms);
    EXPECT_GT(fifth, first);
    const SinkAnswer patient{.status = 429, .detail = "", .retry_after = 90s};
    EXPECT_EQ(judge_letter(patient, 1, 1s, Draw{}, RetryPolicy{}).wait, 90s);
    const SinkAnswer too_patient{.status = 429, .detail = "", .retry_after = 20h};
    EXPECT_EQ(judge_letter(too_patient, 1, 1s, Draw{}, RetryPolicy{}).wait, 1h);
}

TEST(JudgeLetter, GivesUpByAgeWithTheLastReason) {
    const SinkAnswer away{.status = 0, .detail = "cannot connect", .retry_after = {}};
    EXPECT_EQ(judge_letter(away, 900, 71h, Draw{}, RetryPolicy{}).fate, LetterFate::again);
    const auto verdict = judge_letter(away, 900, 72h, Draw{}, RetryPolicy{});
    EXPECT_EQ(verdict.fate, LetterFate::dead);
    EXPECT_EQ(verdict.reason, "given up after 3d: cannot connect");
}

} // namespace
} // namespace baton::domain
