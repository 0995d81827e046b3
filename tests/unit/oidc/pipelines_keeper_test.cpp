#include "baton/base/result.hpp"
#include "baton/oidc/pipelines_keeper.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/text_source.hpp"

#include <boost/asio/awaitable.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "support/manual_clock.hpp"
#include "support/memory_journal.hpp"
#include "unit/oidc/issuer_stage.hpp"

namespace baton::oidc {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;
using testing::SizeIs;

constexpr const char* kOne =
    "buildkite:\n  0190b1c2-0000-4000-8000-000000000001/0190b1c2-0000-4000-8000-000000000002: "
    "o/r\n";

class ScriptedFile final : public ports::TextSource {
public:
    void write(std::string text) {
        text_ = std::move(text);
        mark_ = std::to_string(++versions_);
    }

    void remove() { text_.reset(); }

    boost::asio::awaitable<Result<std::optional<ports::TextVersion>>> fetch(std::string mark
    ) override {
        if (!text_) {
            co_return fail(Errc::not_found, "no such file");
        }
        if (mark == mark_) {
            co_return std::optional<ports::TextVersion>{};
        }
        co_return std::optional(ports::TextVersion{.text = *text_, .mark = mark_});
    }

    std::string describe() const override { return "file:pipelines.yml"; }

private:
    std::optional<std::string> text_;
    std::string mark_;
    int versions_{0};
};

class PipelinesKeeperTest : public testing::Test {
protected:
    void pass() {
        clock.advance(seconds(1));
        loop.settle();
    }

    void start() {
        loop.tasks().spawn(keeper.run());
        loop.settle();
    }

    test::ManualClock clock;
    test::MemoryJournal journal;
    ScriptedFile file;
    PipelinesKeeper keeper{{.source = file, .clock = clock, .journal = journal}};
    Loop loop;
};

TEST_F(PipelinesKeeperTest, TakesAChangedFileWithinASecond) {
    file.write(kOne);
    start();
    ASSERT_TRUE(keeper.in_force());
    EXPECT_THAT(*keeper.in_force().value(), SizeIs(1));
    file.write("buildkite: {}");
    pass();
    EXPECT_THAT(*keeper.in_force().value(), SizeIs(0));
}

TEST_F(PipelinesKeeperTest, KeepsTheLastGoodVersion) {
    journal.announce_trouble("pipelines");
    file.write(kOne);
    start();
    file.write("buildkite: {slug/slug: o/r}");
    pass();
    pass();
    EXPECT_THAT(*keeper.in_force().value(), SizeIs(1));
    file.remove();
    pass();
    pass();
    EXPECT_THAT(*keeper.in_force().value(), SizeIs(1));
    const auto troubles = journal.all<ports::Trouble>();
    ASSERT_THAT(troubles, SizeIs(2)) << "each fault is told once";
    EXPECT_THAT(troubles[0].detail, HasSubstr("file:pipelines.yml:1:13: error:"));
    EXPECT_THAT(troubles[1].detail, HasSubstr("no such file"));
    file.write(kOne);
    pass();
    EXPECT_TRUE(keeper.in_force());
}

TEST_F(PipelinesKeeperTest, AnswersUnavailableWhileNoVersionWasEverGood) {
    journal.announce_trouble("pipelines");
    EXPECT_EQ(keeper.in_force().error().code, Errc::unavailable);
    start();
    const auto none = keeper.in_force();
    ASSERT_FALSE(none);
    EXPECT_EQ(none.error().code, Errc::unavailable);
    EXPECT_THAT(none.error().detail, HasSubstr("no such file"));
    file.write(kOne);
    pass();
    EXPECT_TRUE(keeper.in_force());
}

} // namespace
} // namespace baton::oidc
