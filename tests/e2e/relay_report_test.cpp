// `baton report` as a downstream's job runs it, against a real `baton serve`; the identity token
// comes from the simulator's issuer, asked for as Actions has it.

#include "baton/base/ids.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/actions_runs.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/oidc_api.hpp"
#include "baton/sim/sim_world.hpp"

#include <boost/asio/io_context.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "e2e/stage.hpp"
#include "support/process.hpp"
#include "support/run_coroutine.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr const char* kDownstream = "acme/npu";

/// One job of Actions in the downstream's repository, started by what the relay dispatched.
class ActionsJob {
public:
    ActionsJob(Stage& stage, const sim::Webhook& webhook)
        : stage_(stage) {
        stage.github().with([&](sim::SimWorld& world) {
            const auto name = *RepoName::parse(kDownstream);
            const auto told =
                world.model.dispatches().find({.repo = name, .delivery_id = webhook.id.text()});
            folder_.write("event.json", told.at(0).body);
            run_ = world.runs.begin(*world.model.repo(name), {});
            request_url_ = sim::token_request_url(world.oidc, run_);
            request_token_ = world.runs.request_token(run_);
        });
        folder_.write("output", "");
    }

    Finished report(const std::vector<std::string>& more) {
        std::vector<std::string> command{
            baton_binary(), "report", "--url", stage_.callback_url(), "--audience"
        };
        command.push_back(sim::Part{}.audience);
        command.insert(command.end(), {"--timeout", timeout});
        command.insert(command.end(), more.begin(), more.end());
        return run_command(
            std::move(command),
            {
                "GITHUB_ACTIONS=true",
                "GITHUB_WORKFLOW=Upstream CI",
                fmt::format("GITHUB_RUN_ID={}", run_.id),
                fmt::format("GITHUB_RUN_ATTEMPT={}", run_.attempt),
                "GITHUB_JOB=test",
                "GITHUB_SERVER_URL=https://github.com",
                fmt::format("GITHUB_REPOSITORY={}", kDownstream),
                "GITHUB_EVENT_PATH=" + folder_.file("event.json"),
                "GITHUB_OUTPUT=" + folder_.file("output"),
                "ACTIONS_ID_TOKEN_REQUEST_URL=" + request_url_,
                "ACTIONS_ID_TOKEN_REQUEST_TOKEN=" + request_token_,
            }
        );
    }

    std::string outputs() const { return slurp(folder_.file("output")); }

    std::string run_id() const { return std::to_string(run_.id); }

    TemporaryFolder& folder() { return folder_; }

    std::string timeout{"60s"}; // for a machine that is busy with other things

private:
    Stage& stage_;
    TemporaryFolder folder_;
    sim::ActionsRun run_;
    std::string request_url_;
    std::string request_token_;
};

class RelayReport : public testing::Test {
protected:
    RelayReport()
        : stage({.allowlist = fmt::format("L2: [{}]\n", kDownstream), .callbacks = true}) {}

    /// A pull request whose dispatch the downstream has received.
    sim::Webhook dispatched() {
        auto webhook = stage.opened_pull();
        EXPECT_EQ(stage.post(webhook), 202);
        EXPECT_TRUE(eventually([&] { return stage.received(kDownstream, webhook.id) == 1; }, 30s))
            << stage.log();
        return webhook;
    }

    std::vector<domain::Job> jobs_of(const DeliveryId& delivery) {
        std::vector<domain::Job> jobs;
        stage.with_store([&](ports::Store& store, boost::asio::io_context& io) {
            const auto found = run(io, store.delivery_history(delivery));
            ASSERT_TRUE(found && *found);
            jobs = (*found)->dispatches.at(0).jobs;
        });
        return jobs;
    }

    Stage stage;
};

TEST_F(RelayReport, TellsTheStartAndTheEndWithItsTests) {
    ASSERT_TRUE(stage.start()) << stage.log();
    const auto webhook = dispatched();
    ActionsJob job(stage, webhook);
    const auto begun = job.report({"--status", "in_progress"});
    EXPECT_EQ(begun.exit_code, 0) << begun.err;
    job.folder().write(
        "results.xml",
        R"(<testsuite><testcase name="adds"/><testcase name="divides"><failure message="1/0"/></testcase></testsuite>)"
    );
    const auto ended = job.report(
        {"--status",
         "completed",
         "--conclusion",
         "failure",
         "--junit",
         job.folder().file("results.xml")}
    );
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    EXPECT_EQ(job.outputs(), "proceed=true\nstatus=accepted\nproceed=true\nstatus=accepted\n");

    const auto jobs = jobs_of(webhook.id);
    ASSERT_EQ(jobs.size(), 1U) << stage.log();
    EXPECT_EQ(jobs[0].conclusion, domain::Conclusion::failure);
    EXPECT_EQ(jobs[0].key.run_id, job.run_id());
    EXPECT_TRUE(jobs[0].bound) << "the dispatch's token came back";
    EXPECT_TRUE(jobs[0].run_proven) << "and the identity token names this run";
    ASSERT_TRUE(jobs[0].tests);
    EXPECT_EQ(jobs[0].tests->passed, 1);
    EXPECT_EQ(jobs[0].tests->failed, 1);
    EXPECT_EQ(jobs[0].tests->total, 2);
}

TEST_F(RelayReport, StopsASecondRunWith78) {
    ASSERT_TRUE(stage.start()) << stage.log();
    const auto webhook = dispatched();
    ActionsJob first(stage, webhook);
    ActionsJob second(stage, webhook);
    EXPECT_EQ(first.report({"--status", "in_progress"}).exit_code, 0);
    const auto stopped = second.report({"--status", "in_progress"});
    EXPECT_EQ(stopped.exit_code, 78) << stopped.err;
    EXPECT_THAT(stopped.err, HasSubstr("the relay says not to proceed"));
    EXPECT_THAT(second.outputs(), HasSubstr("proceed=false"));
}

TEST_F(RelayReport, LeavesAJobGreenWhenTheRelayIsAway) {
    ASSERT_TRUE(stage.start()) << stage.log();
    ActionsJob job(stage, dispatched());
    stage.pull_the_plug();
    job.timeout = "2s";
    const auto done = job.report({"--status", "completed", "--conclusion", "success"});
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_THAT(done.err, HasSubstr("the relay could not be told"));
    EXPECT_THAT(job.outputs(), HasSubstr("status=unreachable"));
}

} // namespace
} // namespace baton::test
