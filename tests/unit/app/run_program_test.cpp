#include "baton/app/run_program.hpp"
#include "baton/base/result.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

namespace baton::app {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

TEST(RunProgram, ReturnsWhatWasPrinted) {
    EXPECT_EQ(run_program({"printf", "%s", "a b;$c"}, 10s).value(), "a b;$c");
}

TEST(RunProgram, OneThatIsNotThereOrFailsIsUnavailable) {
    const auto absent = run_program({"baton-no-such-program"}, 10s);
    EXPECT_EQ(absent.error().code, Errc::unavailable);
    EXPECT_THAT(absent.error().detail, HasSubstr("baton-no-such-program cannot be started"));
    EXPECT_EQ(run_program({"false"}, 10s).error().code, Errc::unavailable);
}

TEST(RunProgram, OneThatDoesNotEndIsKilledWithAllThatItStarted) {
    EXPECT_EQ(run_program({"sleep", "600"}, 20ms).error().code, Errc::timed_out);
    EXPECT_EQ(run_program({"sh", "-c", "exec >&-; sleep 600"}, 50ms).error().code, Errc::timed_out);
}

TEST(RunProgram, OneThatPrintsForEverIsRefused) {
    EXPECT_EQ(run_program({"yes"}, 10s).error().code, Errc::invalid);
}

} // namespace
} // namespace baton::app
