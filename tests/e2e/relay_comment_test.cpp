// Those who follow an issue are told by comments on it: once each, whatever dies in between, and of
// nobody who is private.

#include "baton/base/ids.hpp"
#include "baton/sim/comment_book.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/sim_world.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "e2e/cli_support.hpp"
#include "e2e/stage.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;

const char* const kVendor = "acme/vendor";

Stage::Plan with_issue(const std::string& more_keys = "") {
    return {
        .allowlist = "L4: [{acme/vendor: {device: npu, oncalls: [olga]" + more_keys + "}}]\n",
        .callbacks = true,
        .more_config = "notify: [{name: issue, comment: \"up/stream#1\"}]\n",
    };
}

class RelayComment : public ::testing::Test {
protected:
    static void open_issue(Stage& stage) {
        stage.github().with([](sim::SimWorld& world) {
            EXPECT_EQ(world.model.open_issue(upstream()).value(), PrNumber{1});
        });
    }

    static std::vector<std::string> comments(Stage& stage) {
        return stage.github().with([](sim::SimWorld& world) {
            std::vector<std::string> texts;
            for (const auto* const comment :
                 world.model.comments().of(world.model.repo(upstream())->id, PrNumber{1})) {
                texts.push_back(comment->text);
            }
            return texts;
        });
    }

    static Finished by_hand(const Stage& stage, std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "gate");
        arguments.insert(
            arguments.end(), {kVendor, "--upstream", "up/stream", "--config", stage.config_file()}
        );
        return baton(std::move(arguments));
    }

    static bool is_told(const Stage& stage) {
        const auto listed = baton({"outbox", "list", "--config", stage.config_file(), "--json"});
        return boost::json::parse(listed.out).at("waiting").as_int64() == 0;
    }

    static RepoName upstream() { return RepoName::parse(Stage::kUpstream).value(); }
};

TEST_F(RelayComment, EachTurnIsOneCommentThoughTheRelayDiesBeforeItHearsTheAnswer) {
    Stage stage(with_issue());
    open_issue(stage);
    ASSERT_TRUE(stage.start_ready({"--kill-at", "github.post_issue_comment.after"})) << stage.log();
    EXPECT_EQ(by_hand(stage, {"suspend", "--reason", "fire", "--actor", "eve"}).exit_code, 0);
    ASSERT_TRUE(eventually([&] { return !stage.relay().runs(); }, 30s)) << stage.log();
    EXPECT_EQ(comments(stage).size(), 1U);
    ASSERT_TRUE(stage.start_ready()) << stage.log();
    EXPECT_EQ(by_hand(stage, {"resume"}).exit_code, 0);
    ASSERT_TRUE(eventually([&] { return comments(stage).size() >= 2; }, 30s)) << stage.log();
    ASSERT_TRUE(eventually([&] { return is_told(stage); }, 30s)) << stage.log();
    const auto all = comments(stage);
    ASSERT_EQ(all.size(), 2U) << "the first one was known again";
    EXPECT_THAT(all[0], HasSubstr("**suspended**: "));
    EXPECT_THAT(all[1], HasSubstr("**returned**: "));
}

TEST_F(RelayComment, OfAPrivateDownstreamNobodyReads) {
    Stage stage(with_issue(", visibility: private"));
    open_issue(stage);
    ASSERT_TRUE(stage.start_ready()) << stage.log();
    EXPECT_EQ(by_hand(stage, {"suspend", "--reason", "fire"}).exit_code, 0);
    EXPECT_TRUE(eventually([&] { return is_told(stage); }, 30s)) << stage.log();
    EXPECT_TRUE(comments(stage).empty());
}

TEST_F(RelayComment, AnIssueThatIsNotThereIsShownAmongTheDead) {
    Stage stage(with_issue());
    ASSERT_TRUE(stage.start_ready()) << stage.log();
    EXPECT_EQ(by_hand(stage, {"suspend", "--reason", "fire"}).exit_code, 0);
    const auto listed = [&] {
        return baton({"outbox", "list", "--config", stage.config_file(), "--json"});
    };
    ASSERT_TRUE(eventually([&] { return listed().exit_code == 1; }, 30s)) << stage.log();
    EXPECT_THAT(
        listed().out,
        AllOf(HasSubstr("notify:issue"), HasSubstr("writing a comment on an issue of up/stream"))
    );
}

} // namespace
} // namespace baton::test
