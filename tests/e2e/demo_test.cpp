#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "support/process.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;

constexpr auto kPatience = 60s; // for machines that do much else

/// `baton demo` with a place for temporary files of its own.
class Demo {
public:
    explicit Demo(const std::vector<std::string>& arguments)
        : process_({
              .command = command(arguments),
              .environment = {"TMPDIR=" + tmp_.path(), "LC_ALL=C.UTF-8"},
              .stderr_file = folder_.file("stderr"),
          }) {}

    Process& process() { return process_; }

    /// Waits for a summary: a moment in the middle of the play, whatever the machine's speed.
    bool plays() {
        for (;;) {
            const auto line = process_.read_line(kPatience);
            if (!line || line->find("webhooks: ") != std::string::npos) {
                return line.has_value();
            }
        }
    }

    std::string complaints() const { return slurp(folder_.file("stderr")); }

    std::vector<std::string> left_behind() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(tmp_.path())) {
            names.push_back(entry.path().filename().string());
        }
        return names;
    }

    std::string tmp() const { return tmp_.path(); }

private:
    static std::vector<std::string> command(const std::vector<std::string>& arguments) {
        std::vector<std::string> all{baton_binary(), "demo"};
        all.insert(all.end(), arguments.begin(), arguments.end());
        return all;
    }

    TemporaryFolder folder_;
    TemporaryFolder tmp_;
    Process process_;
};

TEST(Demo, EndsByItselfWithNothingLost) {
    Demo demo({"--seconds", "4", "--seed", "7"});
    const auto address = demo.process().read_line(kPatience);
    ASSERT_TRUE(address) << demo.complaints();
    EXPECT_THAT(*address, MatchesRegex("http://127\\.0\\.0\\.1:[0-9]+"));
    const auto rest = demo.process().read_all(kPatience);
    EXPECT_THAT(rest, ContainsRegex("webhooks: [1-9][0-9]* accepted"))
        << "a summary line on the way";
    EXPECT_THAT(rest, ContainsRegex("\nnothing lost: all [1-9][0-9,]* accepted"));
    EXPECT_THAT(rest, HasSubstr("with seed 7"));
    const auto ending = demo.process().wait(kPatience);
    ASSERT_TRUE(ending);
    EXPECT_EQ(ending->exit_code, 0) << rest << demo.complaints();
    EXPECT_THAT(demo.left_behind(), IsEmpty());
}

TEST(Demo, ThirtySecondsShowALateLabelAFailureThatBlocksAndASuspension) {
    Demo demo({"--seconds", "30", "--seed", "7"});
    const auto all = demo.process().read_all(kPatience);
    const auto ending = demo.process().wait(kPatience);
    ASSERT_TRUE(ending);
    EXPECT_EQ(ending->exit_code, 0) << all << demo.complaints();
    EXPECT_THAT(all, ContainsRegex("checks: [1-9][0-9]* posted, [0-9]+ gates green, [0-9]+ red"))
        << "a summary line on the way";
    EXPECT_THAT(
        all,
        ContainsRegex("late label: polaris/polaris-npu was done with #[0-9]+ before "
                      "ciflow/crcr/npu came; its check is there")
    );
    EXPECT_THAT(
        all, ContainsRegex("blocked: summit/summit-gpu failed, so #[0-9]+ cannot be merged")
    );
    EXPECT_THAT(
        all,
        ContainsRegex("verdant/verdant-gpu: suspended at [0-9:]+, [0-9]+ runs in a row did not "
                      "start within .*; back at [0-9:]+, [0-9]+ clean runs in a row")
    );
    EXPECT_THAT(
        all, ContainsRegex("level at [0-9:]+: copperleaf/rvv-kernels is lowered from L3 to L2: ")
    );
    EXPECT_THAT(
        all,
        ContainsRegex("level at [0-9:]+: copperleaf/rvv-kernels is raised again from L2 to L3: ")
    );
    EXPECT_THAT(all, ContainsRegex("all [1-9][0-9,]* checks are as wanted"));
}

TEST(Demo, StopsCleanlyWhenInterrupted) {
    Demo demo({"--seed", "3"});
    ASSERT_TRUE(demo.process().read_line(kPatience)) << demo.complaints();
    ASSERT_TRUE(demo.plays());
    demo.process().send_signal(SIGINT);
    const auto rest = demo.process().read_all(kPatience);
    EXPECT_THAT(rest, HasSubstr("\nnothing lost: "));
    const auto ending = demo.process().wait(kPatience);
    ASSERT_TRUE(ending);
    EXPECT_EQ(ending->exit_code, 0) << rest << demo.complaints();
    EXPECT_THAT(demo.left_behind(), IsEmpty());
}

TEST(Demo, EndsAtOnceWhenInterruptedTwice) {
    Demo demo({});
    ASSERT_TRUE(demo.process().read_line(kPatience)) << demo.complaints();
    ASSERT_TRUE(demo.plays());
    demo.process().send_signal(SIGINT);
    // Two of one kind in one moment are one; the other kind is a second one.
    demo.process().send_signal(SIGTERM);
    const auto rest = demo.process().read_all(kPatience);
    EXPECT_THAT(rest, Not(HasSubstr("nothing lost")));
    const auto ending = demo.process().wait(kPatience);
    ASSERT_TRUE(ending);
    EXPECT_EQ(ending->exit_code, 130);
    EXPECT_THAT(demo.left_behind(), IsEmpty());
}

TEST(Demo, SaysThatAPortIsTaken) {
    Demo first({});
    const auto address = first.process().read_line(kPatience);
    ASSERT_TRUE(address) << first.complaints();
    const auto port = address->substr(address->rfind(':') + 1);
    Demo second({"--port", port});
    EXPECT_THAT(second.process().read_all(kPatience), IsEmpty());
    const auto ending = second.process().wait(kPatience);
    ASSERT_TRUE(ending);
    EXPECT_EQ(ending->exit_code, 2);
    EXPECT_THAT(second.complaints(), ContainsRegex(":" + port + ": .*--port"));
    EXPECT_THAT(second.left_behind(), IsEmpty());
}

TEST(Demo, KeepsStoreAndLogWhenAsked) {
    Demo demo({"--seconds", "1", "--keep"});
    const auto all = demo.process().read_all(kPatience);
    const auto ending = demo.process().wait(kPatience);
    ASSERT_TRUE(ending);
    EXPECT_EQ(ending->exit_code, 0) << all << demo.complaints();
    ASSERT_EQ(demo.left_behind().size(), 1U);
    const auto folder = demo.tmp() + "/" + demo.left_behind().front();
    EXPECT_TRUE(std::filesystem::exists(folder + "/baton.db"));
    EXPECT_THAT(slurp(folder + "/relay.log"), HasSubstr("dispatch.attempted"));
    EXPECT_THAT(all, HasSubstr(folder + "/relay.log"));
}

} // namespace
} // namespace baton::test
