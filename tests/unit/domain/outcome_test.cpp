#include "baton/base/time.hpp"
#include "baton/domain/outcome.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "unit/domain/ladder_story.hpp"

namespace baton::domain {

namespace {

using namespace ladder_story;
using enum OutcomeClass;

TEST(Outcome, HasTheFirstClassThatHolds) {
    struct Row {
        const char* what;
        std::string letters;
        std::optional<Millis> overtaken; // after it was sent
        std::string triage;
        OutcomeClass expected;
    };

    const std::vector<Row> rows{
        {"it runs", ".", {}, "", open},
        {"it runs again after a failure", "-.", {}, "", open},
        {"cancelled after a newer head came", "c", 30min, "", superseded},
        {"cancelled just when it came", "c", 90min, "", superseded},
        {"cancelled before a newer head came", "c", 91min, "", cancelled},
        {"never heard of again after a newer head", "z", 30min, "", superseded},
        {"failed although a newer head came", "-", 30min, "", test},
        {"skipped", "s", {}, "", skipped},
        {"the relay ended it", "z", {}, "", zombie},
        {"it says that its time was over", "t", {}, "", timeout},
        {"cancelled", "c", {}, "", cancelled},
        {"somebody should act", "a", {}, "", cancelled},
        {"failed, then passed", "-+", {}, "", flake},
        {"timed out, then passed", "t+", {}, "", flake},
        {"cancelled, then passed", "c+", {}, "", success},
        {"passed, then failed", "+-", {}, "", test},
        {"passed, then failed, and calls it flaky", "+-", {}, "flake", flake},
        {"failed, and calls it flaky", "-", {}, "flake", test},
        {"failed without a test", "!", {}, "", infra},
        {"failed with a test, and calls it the machines", "-", {}, "infra", test},
        {"failed with a test, then without", "-!", {}, "", test},
        {"failed with a test, then without, the machines", "-!", {}, "infra", infra},
        {"failed with a test", "-", {}, "", test},
        {"passed", "+", {}, "", success},
        {"passed twice", "++", {}, "", success},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.what);
        auto one = event({.letters = row.letters, .pr = 1});
        if (row.overtaken) {
            one.overtaken_at = one.sent_at + *row.overtaken;
        }
        one.jobs[0].attempts.back().triage = row.triage;
        EXPECT_EQ(name_of(class_of(one, one.jobs[0])), name_of(row.expected));
    }
}

TEST(Outcome, OfAnEventWithoutJobsIsMissingSupersededOrOpen) {
    auto one = event({.letters = "", .pr = 1});
    EXPECT_EQ(class_of(one), missing);
    one.overtaken_at = one.sent_at + 1h;
    EXPECT_EQ(class_of(one), superseded);
    one.overtaken_at = one.sent_at + 3h;
    EXPECT_EQ(class_of(one), missing) << "it should have started before the newer head came";
    one.silent_at.reset();
    one.overtaken_at.reset();
    EXPECT_EQ(class_of(one), open);
}

TEST(Outcome, IsGreenOrRedOrNeither) {
    for (const auto one : kOutcomeClasses) {
        SCOPED_TRACE(name_of(one));
        EXPECT_EQ(outcome_class_named(name_of(one)), one);
        EXPECT_FALSE(is_green(one) && is_red(one));
        EXPECT_EQ(is_decided(one), is_green(one) || is_red(one));
        EXPECT_TRUE(is_red(one) || !is_infra(one));
    }
    EXPECT_FALSE(outcome_class_named("red"));
}

} // namespace

} // namespace baton::domain
