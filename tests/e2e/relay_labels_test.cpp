// A level 3 downstream is shown by a label. Whenever it is set, the same stands there in the end.

#include "baton/base/ids.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/downstream_script.hpp"
#include "baton/sim/github_model.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "e2e/reviewed_pull.hpp"
#include "e2e/stage.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using sim::PullVerb;

constexpr sim::Pace kQuick{.queue = 20ms, .work = 60ms};
constexpr sim::Pace kSeen{.queue = 20ms, .work = 1500ms}; // long enough to be labelled meanwhile
const char* const kLabel = "ciflow/crcr/npu";

const ReviewedPull::Picture kBothPassed{
    {"crcr/acme/one/ci/test", "completed", "success"},
    {"crcr/acme/two/ci/test", "completed", "success"},
};
const ReviewedPull::Picture kBothHidden{
    {"crcr/acme/one/ci/test", "completed", "neutral"},
    {"crcr/acme/two/ci/test", "completed", "neutral"},
};

/// Two repositories of one device, and one of another that no label ever shows.
class RelayLabels : public ::testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(stage_.start()) << stage_.log();
        play(kQuick);
    }

    void play(sim::Pace pace) {
        for (const auto* const repo : {"acme/one", "acme/two", "acme/third"}) {
            stage_.play(repo, {.script = sim::Script::pass, .pace = pace});
        }
    }

    bool all_ran(const ReviewedPull& pull) {
        return eventually(
            [&] {
                return stage_.received("acme/one", pull.opened()) == 1 &&
                       stage_.received("acme/two", pull.opened()) == 1 &&
                       stage_.received("acme/third", pull.opened()) == 1 && stage_.is_all_said();
            },
            ReviewedPull::kPatience
        );
    }

    void expect(ReviewedPull& pull, const ReviewedPull::Picture& picture) {
        EXPECT_TRUE(eventually([&] { return pull.picture() == picture; }, ReviewedPull::kPatience))
            << ::testing::PrintToString(pull.picture()) << '\n'
            << stage_.log();
    }

    Stage stage_{{
        .allowlist = "L3: {npu: {acme/one: [olga], acme/two: [olga]}, gpu: {acme/third: [olga]}}\n",
        .callbacks = true,
        .more_config = "callbacks_per_minute: 60000\n",
    }};
};

TEST_F(RelayLabels, BeforeTheRunShowBothRepositoriesOfTheDevice) {
    ReviewedPull pull(stage_, {.labels = {kLabel}});
    expect(pull, kBothPassed);
}

TEST_F(RelayLabels, DuringTheRunShowTheSame) {
    play(kSeen);
    ReviewedPull pull(stage_);
    ASSERT_TRUE(eventually([&] { return !stage_.reports().empty(); }, ReviewedPull::kPatience));
    ASSERT_TRUE(pull.act(PullVerb::labeled, kLabel));
    expect(pull, kBothPassed);
}

TEST_F(RelayLabels, AfterTheRunShowTheSame) {
    ReviewedPull pull(stage_);
    ASSERT_TRUE(all_ran(pull)) << stage_.log();
    EXPECT_TRUE(pull.picture().empty()) << "nothing is shown without the label";
    ASSERT_TRUE(pull.act(PullVerb::labeled, kLabel));
    expect(pull, kBothPassed);
}

TEST_F(RelayLabels, OfTheOtherFamilyShowTheSame) {
    ReviewedPull pull(stage_);
    ASSERT_TRUE(pull.act(PullVerb::labeled, "ciflow/oot/npu"));
    expect(pull, kBothPassed);
}

TEST_F(RelayLabels, ThatAreRemovedLeaveNeutralOnesWhichComeBack) {
    ReviewedPull pull(stage_, {.labels = {kLabel}});
    expect(pull, kBothPassed);
    ASSERT_TRUE(pull.act(PullVerb::unlabeled, kLabel));
    expect(pull, kBothHidden);
    ASSERT_TRUE(pull.act(PullVerb::labeled, kLabel));
    expect(pull, kBothPassed);
}

TEST_F(RelayLabels, ThatAreRemovedDuringTheRunLeaveNothingOpen) {
    play(kSeen);
    ReviewedPull pull(stage_, {.labels = {kLabel}});
    ASSERT_TRUE(pull.comes_to("crcr/acme/one/ci/test", "in_progress")) << stage_.log();
    ASSERT_TRUE(pull.comes_to("crcr/acme/two/ci/test", "in_progress")) << stage_.log();
    ASSERT_TRUE(pull.act(PullVerb::unlabeled, kLabel));
    expect(pull, kBothHidden);
    ASSERT_TRUE(all_ran(pull)) << stage_.log();
    ASSERT_TRUE(pull.act(PullVerb::labeled, kLabel));
    expect(pull, kBothPassed);
}

TEST_F(RelayLabels, ThatAreSetWhileItIsClosedCountWhenItIsReopened) {
    ReviewedPull pull(stage_);
    ASSERT_TRUE(all_ran(pull)) << stage_.log();
    ASSERT_TRUE(pull.act(PullVerb::closed));
    ASSERT_TRUE(pull.act(PullVerb::labeled, kLabel));
    ASSERT_TRUE(pull.act(PullVerb::reopened));
    expect(pull, kBothPassed);
}

TEST_F(RelayLabels, OfSomebodyWithoutRightsShowNothing) {
    ReviewedPull pull(stage_);
    ASSERT_TRUE(all_ran(pull)) << stage_.log();
    ASSERT_TRUE(pull.act(PullVerb::labeled, kLabel, "stranger"));
    ReviewedPull later(stage_, {.labels = {kLabel}}); // whatever was going to be shown is by then
    expect(later, kBothPassed);
    EXPECT_EQ(stage_.counts().to_plan, 0U);
    EXPECT_TRUE(pull.picture().empty());
}

} // namespace
} // namespace baton::test
