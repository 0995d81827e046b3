// A downstream that does well is proposed for a higher level, and the change of the list is a pull
// request: one, whatever dies in between.

#include "baton/base/ids.hpp"
#include "baton/sim/downstream_script.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/sim_world.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "e2e/cli_support.hpp"
#include "e2e/stage.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr sim::Pace kQuick{.queue = 10ms, .work = 20ms};
const char* const kVendor = "acme/vendor";
const std::string kList = "# who is told\nL2:\n  - acme/vendor\n";

/// Somebody whose runs pass is proposed after two midnights, a day being two seconds.
Stage::Plan plan(const std::string& profile, const std::string& more = "") {
    return {
        .allowlist = kList,
        .allowlist_on_github = true,
        .callbacks = true,
        .more_config = fmt::format(
            "callbacks_per_minute: 60000\nstart_timeout: 10s\nrun_timeout: 20s\n"
            "levels: {{profile: {}, day: 2s}}\n{}",
            profile,
            more
        ),
    };
}

class RelayProposal : public ::testing::Test {
protected:
    RelayProposal()
        : profile_(folder_.write(
              "mine.yml",
              "name: mine\nversion: 1\n"
              "to_l3: [{id: l3.pass, figure: pass_raw, window: 90, at_least: 50%, least: 1, "
              "text: jobs pass}]\n"
          )) {}

    static void turn_on(Stage& stage) {
        auto text = slurp(stage.config_file());
        const std::string repo = "repo: up/stream";
        const auto at = text.find(repo);
        ASSERT_NE(at, std::string::npos) << text;
        text.insert(at + repo.size(), "\n    proposals: pull-request");
        static_cast<void>(stage.folder().write("baton.yml", text));
    }

    /// The pull requests that the App opened.
    static std::vector<sim::Pull> proposals(Stage& stage) {
        return stage.github().with([](sim::SimWorld& world) {
            std::vector<sim::Pull> found;
            for (const auto& [number, pull] :
                 world.model.repo(RepoName::parse(Stage::kUpstream).value())->pulls) {
                if (pull.author.text() == "baton[bot]") {
                    found.push_back(pull);
                }
            }
            return found;
        });
    }

    static std::size_t branches(Stage& stage) {
        return stage.github().with([](sim::SimWorld& world) {
            std::size_t found = 0;
            for (const auto& [name, branch] :
                 world.model.repo(RepoName::parse(Stage::kUpstream).value())->refs) {
                found += name.starts_with("refs/heads/baton/") ? 1U : 0U;
            }
            return found;
        });
    }

    static boost::json::value level(Stage& stage) {
        std::string body;
        stage.get("/api/v1/downstreams/acme/vendor/level?upstream=up/stream", &body);
        return boost::json::parse(body);
    }

    TemporaryFolder folder_;
    std::string profile_;
};

TEST_F(RelayProposal, AGoodDownstreamIsPutBeforeTheKeepersOnceWhereverTheRelayDies) {
    for (const auto* const point :
         {"",
          "github.find_pull.after",
          "github.make_branch.after",
          "github.write_blob.after",
          "github.propose_pull.after"}) {
        SCOPED_TRACE(point);
        Stage stage(plan(profile_));
        turn_on(stage);
        const bool dies = *point != '\0';
        ASSERT_TRUE(stage.start(
            dies ? std::vector<std::string>{"--kill-at", point} : std::vector<std::string>{}
        )) << stage.log();
        stage.play(kVendor, {.script = sim::Script::pass, .pace = kQuick});
        ASSERT_EQ(stage.post(stage.opened_pull()), 202);
        if (dies) {
            ASSERT_TRUE(eventually([&] { return !stage.relay().runs(); }, 60s)) << stage.log();
            ASSERT_TRUE(stage.start_ready()) << stage.log();
        }
        ASSERT_TRUE(eventually([&] { return !proposals(stage).empty(); }, 60s)) << stage.log();
        const auto linked = [&] {
            const auto page = level(stage);
            const auto* proposal = page.at("standing").as_object().if_contains("proposal");
            return proposal != nullptr && proposal->is_object() &&
                   proposal->at("pull_request").is_string();
        };
        EXPECT_TRUE(eventually(linked, 20s)) << stage.log();
        const auto all = proposals(stage);
        ASSERT_EQ(all.size(), 1U);
        EXPECT_EQ(branches(stage), 1U);
        EXPECT_EQ(all[0].title, "acme/vendor: from L2 to L3");
        EXPECT_THAT(
            all[0].text,
            AllOf(
                HasSubstr("| `l3.pass` | jobs pass | 90 d |"),
                HasSubstr("✅ met"),
                HasSubstr("Digest of the days behind it: `"),
                HasSubstr("baton levels verify bundle --key PUBLIC.pem")
            )
        );
        const auto file = stage.github().with([&](sim::SimWorld& world) {
            const auto* const repo = world.model.repo(RepoName::parse(Stage::kUpstream).value());
            return sim::GithubModel::branch(*repo, all[0].head_ref)->files.begin()->second;
        });
        EXPECT_THAT(file, AllOf(HasSubstr("# who is told"), HasSubstr("L3:")));
    }
}

TEST_F(RelayProposal, WithoutTheRightItIsShownAmongTheDeadAndCanBeTriedAgain) {
    Stage stage(plan(profile_));
    turn_on(stage);
    stage.github().with([](sim::SimWorld& world) {
        auto refused = sim::Fault::server_error(403);
        refused.message = "Resource not accessible by integration";
        world.faults.add({.route = "create_ref", .repo = std::nullopt, .fault = refused});
    });
    ASSERT_TRUE(stage.start_ready()) << stage.log();
    stage.play(kVendor, {.script = sim::Script::pass, .pace = kQuick});
    ASSERT_EQ(stage.post(stage.opened_pull()), 202);
    const auto listed = [&] {
        return baton({"outbox", "list", "--config", stage.config_file(), "--json"});
    };
    ASSERT_TRUE(eventually([&] { return listed().exit_code == 1; }, 60s)) << stage.log();
    EXPECT_THAT(
        listed().out,
        AllOf(
            HasSubstr("Resource not accessible by integration"),
            HasSubstr("let the App write contents there and accept that permission")
        )
    );
    EXPECT_TRUE(proposals(stage).empty());
    stage.github().with([](sim::SimWorld& world) { world.faults.clear(); });
    EXPECT_EQ(
        baton({"outbox", "retry", "--config", stage.config_file(), "--sink", "proposals"}).out,
        "1 letter on the way again\n"
    );
    EXPECT_TRUE(eventually([&] { return proposals(stage).size() == 1; }, 30s)) << stage.log();
}

TEST_F(RelayProposal, UnlessItIsTurnedOnNothingIsWrittenAnywhere) {
    Stage stage(plan(profile_));
    ASSERT_TRUE(stage.start_ready()) << stage.log();
    stage.play(kVendor, {.script = sim::Script::pass, .pace = kQuick});
    ASSERT_EQ(stage.post(stage.opened_pull()), 202);
    const auto proposed = [&] { return level(stage).at("standing").at("proposal").is_object(); };
    ASSERT_TRUE(eventually(proposed, 60s)) << stage.log();
    EXPECT_TRUE(level(stage).at("standing").at("proposal").at("pull_request").is_null());
    EXPECT_TRUE(proposals(stage).empty());
    EXPECT_EQ(branches(stage), 0U);
}

} // namespace
} // namespace baton::test
