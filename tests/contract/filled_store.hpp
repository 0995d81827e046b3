#pragma once

#include "baton/base/ids.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/store.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "contract/checks_fixture.hpp"
#include "contract/results_fixture.hpp"
#include "contract/store_fixture.hpp"
#include "support/run_awaitable.hpp"

namespace baton::test {

/// A look with a gate that is under way and a re-run that waits.
inline void post_checks(ports::Store& store) {
    EXPECT_TRUE(run_awaitable(store.insert_delivery(a_delivery("d4"))));
    auto plan = a_plan("d4", {}, at(5));
    plan.plan.looks = {a_subject()};
    EXPECT_TRUE(run_awaitable(store.commit_plan(std::move(plan))));
    const auto look = run_awaitable(store.looks(at(5), 1)).value().at(0);
    ports::PostingCommit commit{
        .look = look, .wanted = {a_check("crcr/gate")}, .reruns = {a_rerun("k")}, .now = at(6)
    };
    EXPECT_TRUE(run_awaitable(store.commit_postings(std::move(commit))));
    ports::PostingQuery query{.holder = InstanceId("r"), .now = at(7), .until = at(37)};
    EXPECT_EQ(run_awaitable(store.take_postings(std::move(query))).value().size(), 1U);
    EXPECT_TRUE(run_awaitable(store.suspend_gate(a_gate_suspension(at(8), "silent"))).value());
}

inline void report_an_end(ports::Store& store) {
    EXPECT_TRUE(run_awaitable(store.insert_delivery(a_delivery("d3"))));
    auto plan = a_plan("d3", {a_dispatch("d3", "b/two")}, at(1));
    EXPECT_TRUE(run_awaitable(store.commit_plan(std::move(plan))));
    const auto leased = run_awaitable(store.lease(a_lease("b/two", 1, at(2)))).value();
    auto commit = a_commit(leased.at(0).dispatch, an_end(), at(3));
    commit.report.detail.environment = "{}";
    commit.letters = {{.sink = "hud", .body = "letter"}};
    EXPECT_TRUE(run_awaitable(store.record_report(std::move(commit))));
    EXPECT_TRUE(
        run_awaitable(store.settle(ended(leased.at(0).lease, domain::DispatchState::sent, at(4))))
    );
}

/// Four deliveries: one dispatch waits, one was sent, one has reported, one has a gate.
inline void fill(ports::Store& store) {
    for (const auto* id : {"d1", "d2"}) {
        EXPECT_TRUE(run_awaitable(store.insert_delivery(a_delivery(id))));
        auto plan = a_plan(id, {a_dispatch(id, "a/one")}, at(1));
        EXPECT_TRUE(run_awaitable(store.commit_plan(std::move(plan))));
    }
    const auto leased = run_awaitable(store.lease(a_lease("a/one", 1, at(2)))).value();
    EXPECT_TRUE(
        run_awaitable(store.settle(ended(leased.at(0).lease, domain::DispatchState::sent, at(3))))
    );
    report_an_end(store);
    post_checks(store);
}

} // namespace baton::test
