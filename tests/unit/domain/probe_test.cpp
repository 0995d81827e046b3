// A probe proves the relay: its jobs are made to end in a certain way, and any other end is a
// fault.

#include "baton/domain/figures.hpp"
#include "baton/domain/probe.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton::domain {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Probe, IsRightWhereItsJobsEndAsTheyWereMadeTo) {
    EXPECT_THAT(fault_of_probe("build", CellOutcome::success), IsEmpty());
    EXPECT_THAT(fault_of_probe("build", CellOutcome::flaky), IsEmpty());
    EXPECT_THAT(fault_of_probe("test (xfail)", CellOutcome::failure), IsEmpty());
    EXPECT_THAT(fault_of_probe("test-xcancel", CellOutcome::cancelled), IsEmpty());
    EXPECT_THAT(fault_of_probe("test-xtimeout", CellOutcome::timed_out), IsEmpty());
    EXPECT_THAT(fault_of_probe("test-xtimeout", CellOutcome::running), IsEmpty());
}

TEST(Probe, FailsWhereAJobThatWasMadeToFailPasses) {
    EXPECT_THAT(
        fault_of_probe("test (xfail)", CellOutcome::success),
        HasSubstr("ended with success and was made to end with failure")
    );
    EXPECT_FALSE(fault_of_probe("test (xfail)", CellOutcome::flaky).empty());
    EXPECT_FALSE(fault_of_probe("test-xtimeout", CellOutcome::success).empty());
    EXPECT_FALSE(fault_of_probe("test-xcancel", CellOutcome::failure).empty());
}

TEST(Probe, FailsWhereAnOrdinaryJobDoesNotPass) {
    for (const auto outcome :
         {CellOutcome::failure, CellOutcome::timed_out, CellOutcome::cancelled}) {
        EXPECT_FALSE(fault_of_probe("build", outcome).empty()) << name_of(outcome);
    }
}

} // namespace
} // namespace baton::domain
