#pragma once

#include "contract/store_fixture.hpp"

namespace baton::test {

class StoreOperating : public StoreContract {
protected:
    static domain::Suspension a_suspension(
        const std::string& downstream,
        const std::string& from = "",
        std::optional<TimePoint> until = std::nullopt
    ) {
        return {
            .downstream = repo(downstream),
            .upstream = from.empty() ? RepoName{} : repo(from),
            .since = at(5),
            .until = until,
            .reason = "new racks",
            .actor = "alice",
        };
    }

    static ports::Resumption a_resumption(const std::string& downstream, TimePoint now) {
        return {
            .downstream = repo(downstream), .upstream = std::nullopt, .now = now, .actor = "bob"
        };
    }

    std::vector<std::string> due_names(TimePoint now) {
        std::vector<std::string> names;
        for (const auto& waiting : due_at(now).waiting) {
            names.push_back(waiting.downstream.text());
        }
        return names;
    }

    std::size_t leased_of(const std::string& downstream, TimePoint now) {
        return must(store().lease(a_lease(downstream, 9, now))).size();
    }

    void plant_from(const std::string& delivery, const std::string& from) {
        must(store().insert_delivery(a_delivery(delivery)));
        auto dispatch = a_dispatch(delivery, "a/one");
        dispatch.upstream = repo(from);
        must(store().commit_plan(a_plan(delivery, {dispatch}, at(0))));
    }

    void come_to_rest(const std::string& downstream, domain::DispatchState state, TimePoint now) {
        const auto leased = lease_one(downstream, now);
        must(store().settle(ended(leased.lease, state, now)));
    }

    static ports::TestDispatch a_test() {
        auto delivery = a_delivery("test-1", at(3));
        delivery.pr.reset();
        auto dispatch = a_dispatch("test-1", "a/one");
        dispatch.pr.reset();
        return {
            .delivery = std::move(delivery),
            .dispatch = std::move(dispatch),
            .now = at(3),
            .actor = "alice"
        };
    }
};

TEST_P(StoreOperating, HoldsWhatIsPendingForASuspendedDownstreamAndLetsItGoAfterwards) {
    plant("d1", {"a/one", "b/two"});
    must(store().suspend(a_suspension("A/One")));
    EXPECT_EQ(due_names(at(10)), std::vector<std::string>{"b/two"});
    EXPECT_EQ(leased_of("a/one", at(10)), 0U);
    EXPECT_EQ(count_of(domain::DispatchState::pending), 2U);

    EXPECT_EQ(must(store().resume(a_resumption("a/one", at(11)))), 1U);
    EXPECT_EQ(due_names(at(12)), (std::vector<std::string>{"a/one", "b/two"}));
    EXPECT_EQ(leased_of("a/one", at(12)), 1U);
    EXPECT_EQ(must(store().resume(a_resumption("a/one", at(13)))), 0U);
}

TEST_P(StoreOperating, SuspendsOneUpstreamWithoutTheOthers) {
    plant_from("d1", "Up/Stream");
    plant_from("d2", "else/where");
    must(store().suspend(a_suspension("a/one", "up/stream")));
    ASSERT_EQ(due_at(at(10)).waiting.size(), 1U);
    EXPECT_EQ(due_at(at(10)).waiting[0].due, 1U);
    const auto leased = must(store().lease(a_lease("a/one", 9, at(10))));
    ASSERT_EQ(leased.size(), 1U);
    EXPECT_EQ(leased[0].dispatch.upstream, repo("else/where"));
}

TEST_P(StoreOperating, EndsASuspensionAtItsTime) {
    plant("d1", {"a/one"});
    must(store().suspend(a_suspension("a/one", "", at(20))));
    EXPECT_EQ(must(store().suspensions(at(19))).size(), 1U);
    EXPECT_TRUE(due_names(at(19)).empty());
    EXPECT_TRUE(must(store().suspensions(at(20))).empty());
    EXPECT_EQ(leased_of("a/one", at(20)), 1U);
    EXPECT_EQ(must(store().resume(a_resumption("a/one", at(21)))), 0U) << "it was over already";
}

TEST_P(StoreOperating, KeepsTheNewestWordAboutADownstream) {
    must(store().suspend(a_suspension("a/one")));
    auto again = a_suspension("A/one", "", at(99));
    again.reason = "moving";
    must(store().suspend(again));
    must(store().suspend(a_suspension("a/one", "up/stream")));
    const auto all = must(store().suspensions(at(9)));
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0], again);
    auto one = a_resumption("a/one", at(10));
    one.upstream = repo("UP/stream");
    EXPECT_EQ(must(store().resume(one)), 1U);
    EXPECT_EQ(must(store().suspensions(at(10))).size(), 1U);
}

TEST_P(StoreOperating, SendsATestThroughTheOrdinaryOutbox) {
    must(store().insert_test(a_test()));
    EXPECT_TRUE(must(store().deliveries_to_plan(at(9), 9)).empty()) << "it is planned already";
    EXPECT_EQ(must(store().body_of(DeliveryId("test-1"))), a_test().delivery.body);
    EXPECT_EQ(leased_of("a/one", at(9)), 1U);
    const auto history = history_of("test-1");
    EXPECT_EQ(kinds_in(history), (std::vector<std::string>{"planned", "tested"}));
    EXPECT_NE(history.ledger[1].detail.find("alice"), std::string::npos);
    EXPECT_EQ(refused(store().insert_test(a_test())), Errc::conflict);
    EXPECT_EQ(history_of("test-1").dispatches.size(), 1U);
}

TEST_P(StoreOperating, RemembersByWhichNumbersARepositoryIsKnown) {
    EXPECT_FALSE(must(store().pin_of(repo("a/one"))).has_value());
    const ports::Pin first{
        .repo = repo("a/one"),
        .repository_id = 11,
        .owner_id = 12,
        .pinned_at = at(1),
        .actor = "alice"
    };
    EXPECT_FALSE(must(store().repin(first)).has_value());
    auto second = first;
    second.repo = repo("A/One");
    second.repository_id = 21;
    const auto before = must(store().repin(second));
    ASSERT_TRUE(before.has_value());
    EXPECT_EQ(before->repository_id, 11);
    const auto now = must(store().pin_of(repo("a/ONE")));
    ASSERT_TRUE(now.has_value());
    EXPECT_EQ(now->repository_id, 21);
    EXPECT_EQ(now->owner_id, 12);
    EXPECT_EQ(now->repo.text(), "A/One");
    EXPECT_EQ(now->pinned_at, at(1));
    EXPECT_EQ(now->actor, "alice");
}

TEST_P(StoreOperating, KnowsHowEachDownstreamFares) {
    using enum domain::DispatchState;
    EXPECT_TRUE(must(store().downstream_figures(at(9))).empty());
    plant("d1", {"a/one"});
    come_to_rest("a/one", sent, at(1));
    plant("d2", {"a/one", "b/two", "c/three"}, at(2));
    come_to_rest("a/one", failed, at(3));
    come_to_rest("b/two", pending, at(4)); // tried again
    const auto all = must(store().downstream_figures(at(100)));
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[0].downstream, repo("a/one"));
    EXPECT_EQ(all[0].sent_today, 1U);
    EXPECT_EQ(all[0].failed, 1U);
    EXPECT_EQ(all[0].pending, 0U);
    EXPECT_EQ(all[0].last_sent, at(1));
    EXPECT_EQ(all[0].last_error, "because");
    EXPECT_EQ(all[0].last_error_at, at(3));
    EXPECT_EQ(all[1].pending, 1U);
    EXPECT_EQ(all[1].last_error_at, at(4));
    EXPECT_FALSE(all[1].last_sent.has_value());
    EXPECT_EQ(all[2].pending, 1U);
    EXPECT_EQ(all[2].last_error, "");
    EXPECT_EQ(must(store().downstream_figures(at(90'000)))[0].sent_today, 0U);

    must(store().redeliver({.delivery = DeliveryId("d2"), .now = at(50), .actor = "alice"}));
    const auto again = must(store().downstream_figures(at(100)))[0];
    EXPECT_EQ(again.failed, 0U) << "it is on its way again";
    EXPECT_EQ(again.pending, 1U);
}

TEST_P(StoreOperating, LeavesNoDownstreamOutOfItsFiguresForACapitalLetter) {
    plant("d1", {"a/Zed", "a/one"});
    come_to_rest("a/one", domain::DispatchState::sent, at(1));
    const auto all = must(store().downstream_figures(at(100)));
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].downstream, repo("a/one"));
    EXPECT_EQ(all[1].downstream, repo("a/Zed"));
}

TEST_P(StoreOperating, KnowsWhichListWasInForceWhen) {
    const auto version = [](const std::string& of, const std::string& text, TimePoint when) {
        return ports::AllowlistVersion{
            .upstream = repo(of), .source = "s", .mark = "m", .text = text, .in_force_at = when
        };
    };
    must(store().record_allowlist(version("up/stream", "one", at(1))));
    must(store().record_allowlist(version("else/where", "two", at(2))));
    must(store().record_allowlist(version("up/stream", "three", at(3))));
    EXPECT_TRUE(must(store().allowlists_at(at(0))).empty());
    const auto before = must(store().allowlists_at(at(2)));
    ASSERT_EQ(before.size(), 2U);
    EXPECT_EQ(before[0].text, "two");
    EXPECT_EQ(before[1].text, "one");
    EXPECT_EQ(must(store().allowlists_at(at(3)))[1].text, "three");
}

TEST_P(StoreOperating, NeverSendsLaterWhatAShadowLeft) {
    EXPECT_FALSE(must(store().enter_mode(ports::Mode::live, at(0))).shadow_since.has_value());
    must(store().enter_mode(ports::Mode::shadow, at(1)));
    must(store().enter_mode(ports::Mode::shadow, at(2))); // it was started again
    plant("d1", {"a/one", "b/two"}, at(3));
    must(store().insert_delivery(a_delivery("d2", at(3))));
    const auto leased = lease_one("b/two", at(4)); // and then it died

    const auto change = must(store().enter_mode(ports::Mode::live, at(5)));
    EXPECT_EQ(change.shadow_since, at(1));
    EXPECT_EQ(change.rested, 1U);
    EXPECT_EQ(change.unplanned, 1U);
    EXPECT_EQ(must(store().adopt(InstanceId("relay-2"), at(5))).voided_leases, 0U);
    EXPECT_EQ(count_of(domain::DispatchState::cancelled), 2U);
    EXPECT_TRUE(due_at(at(90)).waiting.empty());
    EXPECT_TRUE(must(store().deliveries_to_plan(at(90), 9)).empty());
    EXPECT_EQ(history_of("d1").dispatches[0].dispatch.reason, "shadow: not sent");
    EXPECT_EQ(kinds_in(history_of("d2")), std::vector<std::string>{"not_planned"});
    EXPECT_FALSE(must(store().enter_mode(ports::Mode::live, at(6))).shadow_since.has_value());
    EXPECT_EQ(
        refused(store().settle(ended(leased.lease, domain::DispatchState::sent, at(6)))),
        Errc::conflict
    );
}

TEST_P(StoreOperating, LetsNoShadowNearTheWorkOfALiveRelay) {
    must(store().insert_delivery(a_delivery("d1")));
    EXPECT_EQ(refused(store().enter_mode(ports::Mode::shadow, at(1))), Errc::conflict);
    must(store().commit_plan(a_plan("d1", {a_dispatch("d1", "a/one")}, at(2))));
    EXPECT_EQ(refused(store().enter_mode(ports::Mode::shadow, at(3))), Errc::conflict);
    come_to_rest("a/one", domain::DispatchState::sent, at(4));
    EXPECT_FALSE(must(store().enter_mode(ports::Mode::shadow, at(5))).shadow_since.has_value());
}

} // namespace baton::test
