// The whole path with real processes: webhook, dispatch, in_progress, completed. Downstreams are
// the simulator's, with identity tokens that a real issuer signs.

#include "baton/base/ids.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/downstream_script.hpp"
#include "baton/sim/seeded_chance.hpp"

#include <boost/asio/io_context.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "e2e/stage.hpp"
#include "support/run_coroutine.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using domain::Conclusion;
using Jobs = std::vector<domain::Job>;

constexpr sim::Pace kPace{.queue = 20ms, .work = 60ms, .later = 300ms};

/// One downstream for each script, `acme/SCRIPT`.
std::string allowlist_of_scripts() {
    std::string text = "L1: [acme/listener]\nL2:\n";
    for (const auto script : sim::script_names()) {
        text += fmt::format("  - acme/{}\n", script);
    }
    return text;
}

std::map<std::string, Jobs> jobs_by_downstream(Stage& stage, const DeliveryId& delivery) {
    std::map<std::string, Jobs> jobs;
    stage.with_store([&](ports::Store& store, boost::asio::io_context& io) {
        const auto found = run(io, store.delivery_history(delivery));
        ASSERT_TRUE(found && *found);
        for (const auto& one : (*found)->dispatches) {
            jobs[one.dispatch.key.downstream.text()] = one.jobs;
        }
    });
    return jobs;
}

std::vector<Conclusion> conclusions_that_count(const Jobs& jobs) {
    std::vector<Conclusion> all;
    for (const auto& job : jobs) {
        if (job.counts && job.conclusion) {
            all.push_back(*job.conclusion);
        }
    }
    std::ranges::sort(all);
    return all;
}

TEST(RelayResults, EveryScriptEndsWhereItShould) {
    Stage stage({
        .allowlist = allowlist_of_scripts(),
        .callbacks = true,
        .more_config = "callbacks_per_minute: 60000\n",
    });
    ASSERT_TRUE(stage.start()) << stage.log();
    for (const auto name : sim::script_names()) {
        stage.play(
            fmt::format("acme/{}", name), {.script = *sim::script_named(name), .pace = kPace}
        );
    }
    stage.play("acme/listener", {.script = sim::Script::pass, .pace = kPace});
    const auto warm_up = stage.opened_pull(); // forgers need another dispatch's token
    const auto webhook = stage.opened_pull();
    ASSERT_EQ(stage.post(warm_up), 202);
    ASSERT_EQ(stage.post(webhook), 202);
    ASSERT_TRUE(eventually(
        [&] { return stage.received("acme/silent", webhook.id) == 1 && stage.is_all_said(); }, 60s
    )) << stage.log();

    auto jobs = jobs_by_downstream(stage, webhook.id);
    EXPECT_EQ(conclusions_that_count(jobs["acme/pass"]), std::vector{Conclusion::success});
    EXPECT_EQ(conclusions_that_count(jobs["acme/fail"]), std::vector{Conclusion::failure});
    EXPECT_EQ(conclusions_that_count(jobs["acme/slow"]), std::vector{Conclusion::success});
    EXPECT_EQ(
        conclusions_that_count(jobs["acme/flaky"]),
        (std::vector{Conclusion::success, Conclusion::failure})
    );
    EXPECT_EQ(conclusions_that_count(jobs["acme/out_of_order"]).size(), 1U);
    EXPECT_TRUE(jobs["acme/out_of_order"].at(0).start_missed);
    EXPECT_EQ(conclusions_that_count(jobs["acme/rerun"]).size(), 2U);
    EXPECT_EQ(conclusions_that_count(jobs["acme/matrix"]).size(), 20U);
    EXPECT_EQ(conclusions_that_count(jobs["acme/duplicate"]), std::vector{Conclusion::success});
    EXPECT_EQ(conclusions_that_count(jobs["acme/deaf"]), std::vector{Conclusion::success})
        << "the run without the claim failed, and does not count";
    EXPECT_TRUE(jobs["acme/silent"].empty());
    ASSERT_EQ(jobs["acme/crash"].size(), 1U);
    EXPECT_EQ(jobs["acme/crash"][0].status, domain::JobStatus::in_progress);
    EXPECT_TRUE(jobs["acme/listener"].empty()) << "level 1 reports are not kept";

    for (const auto& report : stage.reports()) {
        SCOPED_TRACE(fmt::format("{}: {}", name_of(report.report.step.forgery), report.answer.body)
        );
        switch (report.report.step.forgery) {
        case sim::Forgery::wrong_audience:
            EXPECT_EQ(report.answer.status, 401);
            break;
        case sim::Forgery::other_delivery:
            EXPECT_EQ(report.answer.status, 400) << "nothing was dispatched under that id";
            break;
        case sim::Forgery::other_repo: // which got the same delivery, with a token of its own
        case sim::Forgery::other_dispatch:
            EXPECT_EQ(report.answer.status, 403);
            break;
        default:
            EXPECT_TRUE(report.answer.status == 200 || report.answer.status == 409);
        }
    }
    for (const auto& job : jobs["acme/forged"]) {
        EXPECT_EQ(job.subject.head, webhook.head) << "whatever the body said";
    }
}

/// What the relay said yes to has to be in its store, as far as it was said.
std::size_t audit(Stage& stage, const std::vector<sim::SentReport>& reports) {
    std::size_t found_in_store = 0;
    std::map<std::string, std::map<std::string, Jobs>> known; // by delivery
    for (const auto& sent : reports) {
        if (sent.answer.status != 200 || sent.answer.ignored) {
            continue;
        }
        if (!known.contains(sent.delivery_id)) {
            known[sent.delivery_id] = jobs_by_downstream(stage, DeliveryId(sent.delivery_id));
        }
        const auto& step = sent.report.step;
        const auto& jobs = known[sent.delivery_id][sent.report.run.repo.text()];
        const auto job = std::ranges::find_if(jobs, [&](const domain::Job& one) {
            return one.key.run_id == std::to_string(sent.report.run.id) &&
                   one.key.job == step.job && one.key.attempt == step.attempt;
        });
        if (job == jobs.end()) {
            ADD_FAILURE() << "a report got a 200 and its job is not in the store: "
                          << sent.answer.body;
            continue;
        }
        ++found_in_store;
        if (!step.conclusion.empty()) {
            EXPECT_EQ(job->conclusion, domain::conclusion_named(step.conclusion));
        }
    }
    return found_in_store;
}

/// One verdict per attempt of a job, and one run with the claim.
void check_claims(Stage& stage, const std::set<DeliveryId>& deliveries) {
    for (const auto& delivery : deliveries) {
        for (const auto& [downstream, jobs] : jobs_by_downstream(stage, delivery)) {
            std::set<std::string> runs;
            for (const auto& job : jobs) {
                if (job.counts) {
                    runs.insert(job.key.run_id);
                }
            }
            EXPECT_LE(runs.size(), 1U) << delivery.text() << " to " << downstream;
        }
    }
}

TEST(RelayResults, KillMinusNineWhileTheyComeInLosesNothing) {
    const char* wanted = std::getenv("BATON_KILLS");
    const int kills = wanted == nullptr ? 30 : std::atoi(wanted);
    Stage stage({
        .allowlist = "L2: [acme/pass, acme/matrix, acme/duplicate, acme/out_of_order]\n",
        .callbacks = true,
        .more_config = "callbacks_per_minute: 60000\n",
    });
    ASSERT_TRUE(stage.start()) << stage.log();
    const auto same_port = std::vector<std::string>{"--port", std::to_string(stage.port())};
    for (const auto* const name : {"pass", "matrix", "duplicate", "out_of_order"}) {
        stage.play(
            fmt::format("acme/{}", name), {.script = *sim::script_named(name), .pace = kPace}
        );
    }
    std::set<DeliveryId> accepted;
    sim::SeededChance chance(4);
    for (int i = 0; i < kills; ++i) {
        const auto webhook = stage.opened_pull();
        if (stage.post(webhook) == 202) {
            accepted.insert(webhook.id);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(30 + chance.draw().below(170)));
        stage.pull_the_plug();
        ASSERT_TRUE(stage.start(same_port)) << stage.log();
    }
    ASSERT_TRUE(eventually(
        [&] {
            const auto counts = stage.counts();
            const bool waits = std::ranges::any_of(counts.dispatches, [](const auto& one) {
                return one.first == domain::DispatchState::pending && one.second > 0;
            });
            return counts.to_plan == 0 && !waits && stage.is_all_said();
        },
        120s
    )) << stage.log();
    const auto reports = stage.reports();
    const auto in_store = audit(stage, reports);
    check_claims(stage, accepted);
    std::cout << fmt::format(
        "kills {}, deliveries {}, reports {}, answered 200 and in the store {}\n",
        kills,
        accepted.size(),
        reports.size(),
        in_store
    );
    EXPECT_GT(in_store, static_cast<std::size_t>(kills));
}

TEST(RelayResults, KillMinusNineAtEveryPointOfACallbackLosesNothing) {
    for (const auto* const verb : {"dispatches_to", "record_report", "pin_of", "pin_first"}) {
        for (const auto* const side : {"before", "after"}) {
            const auto point = fmt::format("store.{}.{}", verb, side);
            SCOPED_TRACE(point);
            Stage stage({.allowlist = "L2: [acme/pass]\n", .callbacks = true});
            ASSERT_TRUE(stage.start({"--kill-at", point})) << stage.log();
            const auto same_port = std::vector<std::string>{"--port", std::to_string(stage.port())};
            stage.play("acme/pass", {.script = sim::Script::pass, .pace = kPace});
            const auto webhook = stage.opened_pull();
            ASSERT_EQ(stage.post(webhook), 202);
            ASSERT_TRUE(stage.relay().wait(20s).has_value()) << "the point was never passed";
            ASSERT_TRUE(stage.start(same_port)) << stage.log();
            ASSERT_TRUE(eventually([&] { return stage.is_all_said(); }, 60s)) << stage.log();
            EXPECT_GE(audit(stage, stage.reports()), 2U);
            auto jobs = jobs_by_downstream(stage, webhook.id);
            EXPECT_EQ(conclusions_that_count(jobs["acme/pass"]), std::vector{Conclusion::success});
        }
    }
}

} // namespace
} // namespace baton::test
