#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sqlite/migrate.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contract/results_fixture.hpp"
#include "contract/store_fixture.hpp"
#include "contract/store_kinds.hpp"
#include "contract/views_fixture.hpp"

namespace baton::test {

namespace {

using domain::Conclusion;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// What the people who run the relay look at and do.
class OperatorsContract : public ViewsContract {
protected:
    ports::Operators& operators() { return static_cast<store::SqlStore&>(store()).operators(); }

    static ports::Refusal
    a_refusal(const std::string& downstream, const std::string& reason, TimePoint when) {
        return {
            .downstream = downstream.empty() ? RepoName() : repo(downstream),
            .reason = reason,
            .status = 403,
            .detail = "of " + to_rfc3339(when),
            .delivery = "d1",
            .at = when,
        };
    }

    std::vector<std::string> refused(ports::RefusalQuery query) {
        if (!query.shown) {
            query.shown = [](const RepoName&) { return true; };
        }
        std::vector<std::string> rows;
        for (const auto& group : must(operators().refusals(std::move(query)))) {
            rows.push_back(fmt::format(
                "{} {} x{}", group.newest.downstream.text(), group.newest.reason, group.count
            ));
        }
        return rows;
    }

    static ports::ActedBy by_ann(TimePoint now) {
        return {.actor = "admin token 1a", .reason = "because", .now = now};
    }

    /// A dispatch that was given up.
    void lost(const std::string& delivery, const std::string& downstream, TimePoint when) {
        plant(delivery, {downstream});
        const auto leased = must(store().lease(a_lease(downstream, 1, when))).at(0);
        must(store().settle(ended(leased.lease, domain::DispatchState::dead, when)));
    }

    std::vector<std::string> given_up(ports::GivenUpQuery query) {
        if (!query.shown) {
            query.shown = [](const ports::DeadDispatch&) { return true; };
        }
        std::vector<std::string> rows;
        for (const auto& one : must(operators().given_up(std::move(query))).rows) {
            rows.push_back(one.delivery + " " + one.downstream.text());
        }
        return rows;
    }
};

} // namespace

TEST_P(OperatorsContract, KeepRefusedReportsOfOneCallerReasonAndHourTogether) {
    const auto seen = newest_news();
    must(operators().keep_refusals({
        a_refusal("a/one", "no dispatch", at(0)),
        a_refusal("a/one", "no dispatch", at(60)),
        a_refusal("", "bad token", at(61)),
        a_refusal("A/One", "no dispatch", at(7200)),
    }));
    EXPECT_THAT(
        refused({}), ElementsAre("A/One no dispatch x1", " bad token x1", "a/one no dispatch x2")
    );
    EXPECT_THAT(news_after(seen), ElementsAre("relay  #0 ")) << "once for all of them";
    EXPECT_THAT(refused({.downstream = repo("a/one")}).size(), 2U);
    EXPECT_THAT(
        refused({.downstream = std::nullopt, .reason = "bad token"}), ElementsAre(" bad token x1")
    );
    EXPECT_THAT(refused({.downstream = repo("a/one"), .reason = "bad token"}), IsEmpty());
    const auto groups =
        must(operators().refusals({.downstream = repo("a/one"), .shown = [](const RepoName&) {
                                       return true;
                                   }}));
    EXPECT_EQ(groups.back().first_at, at(0));
    EXPECT_EQ(groups.back().newest.at, at(60));
    EXPECT_EQ(groups.back().newest.detail, "of " + to_rfc3339(at(60)));
}

TEST_P(OperatorsContract, PageThroughRefusedReportsWithoutWhatIsHidden) {
    for (int i = 0; i < 6; ++i) {
        must(operators().keep_refusals(
            {a_refusal(i % 2 == 0 ? "a/one" : "a/secret", fmt::format("r{}", i), at(i))}
        ));
    }
    ports::RefusalQuery query{.limit = 2, .shown = [](const RepoName& downstream) {
                                  return downstream != repo("a/secret");
                              }};
    EXPECT_THAT(refused(query), ElementsAre("a/one r4 x1", "a/one r2 x1"));
    query.before = must(operators().refusals(query)).back().id;
    EXPECT_THAT(refused(query), ElementsAre("a/one r0 x1"));
}

TEST_P(OperatorsContract, AddRefusedReportsUpFromAnHourOn) {
    auto flood = a_refusal("", "bad token", at(7200));
    flood.count = 1000;
    must(operators().keep_refusals({a_refusal("", "bad token", at(0)), flood}));
    const auto totals = must(operators().refusal_totals(at(3600)));
    ASSERT_EQ(totals.size(), 1U);
    EXPECT_EQ(totals[0].count, 1000U);
    EXPECT_TRUE(totals[0].downstream.empty());
}

TEST_P(OperatorsContract, ListWhatWasGivenUpWithoutWhatIsHiddenAndInPages) {
    lost("d1", "a/one", at(1));
    lost("d2", "a/two", at(2));
    lost("d3", "a/one", at(3));
    EXPECT_THAT(given_up({}), ElementsAre("d3 a/one", "d2 a/two", "d1 a/one"));
    EXPECT_THAT(given_up({.downstream = repo("a/one")}), ElementsAre("d3 a/one", "d1 a/one"));
    EXPECT_THAT(given_up({.downstream = {}, .reason = "something else"}), IsEmpty());
    ports::GivenUpQuery query{.limit = 1, .shown = [](const ports::DeadDispatch& one) {
                                  return one.downstream != repo("a/two");
                              }};
    const auto page = must(operators().given_up(query));
    ASSERT_EQ(page.rows.size(), 1U);
    EXPECT_EQ(page.rows[0].pr, PrNumber{7});
    EXPECT_EQ(page.rows[0].event_type, "pull_request");
    query.before = page.next;
    EXPECT_THAT(given_up(query), ElementsAre("d1 a/one")) << "a hidden one takes no place";
    EXPECT_FALSE(must(operators().given_up(query)).next) << "that was the last";
}

TEST_P(OperatorsContract, GoOnBehindWhateverWasHiddenHoweverMuchItIs) {
    lost("d1", "a/one", at(1));
    lost("d2", "a/two", at(2));
    lost("d3", "a/two", at(3));
    ports::GivenUpQuery query{.walk = 1, .shown = [](const ports::DeadDispatch& one) {
                                  return one.downstream != repo("a/two");
                              }};
    std::size_t pages = 1;
    auto page = must(operators().given_up(query));
    for (; page.rows.empty() && page.next && pages < 10; ++pages) {
        query.before = page.next;
        page = must(operators().given_up(query));
    }
    ASSERT_EQ(page.rows.size(), 1U);
    EXPECT_EQ(page.rows[0].delivery, "d1");
    EXPECT_EQ(pages, 3U) << "an empty page is not the end";
}

TEST_P(OperatorsContract, TellHowTheDispatchesOfADeliveryStand) {
    lost("d1", "a/one", at(1));
    ports::RedeliverQuery again;
    again.delivery = DeliveryId("d1");
    again.now = at(5);
    again.actor = "ann";
    must(store().redeliver(again));
    const auto sequence = must(store().list_deliveries({})).at(0).sequence;
    const auto standings = must(operators().standings({sequence, 99}));
    ASSERT_EQ(standings.at(sequence).size(), 1U) << "the newest generation alone";
    EXPECT_EQ(standings.at(sequence)[0].state, domain::DispatchState::pending);
    EXPECT_THAT(standings.at(99), IsEmpty());
}

TEST_P(OperatorsContract, KeepNotesUntilTheyExpireOrAreTakenAway) {
    const auto seen = newest_news();
    ports::Note note{
        .about = "pull",
        .subject = "up/stream#7",
        .text = "known flake",
        .actor = "ann",
        .at = at(1),
        .expires_at = at(100),
    };
    const auto first = must(operators().annotate(note, by_ann(at(1))));
    note.about = "downstream";
    note.subject = "a/one";
    note.expires_at = std::nullopt;
    const auto second = must(operators().annotate(note, by_ann(at(2))));
    EXPECT_THAT(news_after(seen), ElementsAre("pull up/stream #7 ", "downstream  #0 a/one"));
    ports::NoteQuery query{.now = at(10), .shown = [](const ports::Note&) { return true; }};
    EXPECT_EQ(must(operators().notes(query)).size(), 2U);
    query.about = "pull";
    query.subject = "UP/stream#7";
    EXPECT_EQ(must(operators().notes(query)).at(0).text, "known flake");
    query.now = at(100);
    EXPECT_THAT(must(operators().notes(query)), IsEmpty());
    EXPECT_EQ(must(operators().remove_note(second.id, by_ann(at(3)))).subject, "a/one");
    const auto gone = run_awaitable(operators().remove_note(second.id, by_ann(at(3))));
    ASSERT_FALSE(gone);
    EXPECT_EQ(gone.error().code, Errc::not_found);
    EXPECT_EQ(first.id, 1);
}

TEST_P(OperatorsContract, KnowWhoLooksAfterWhatUntilThen) {
    must(operators().acknowledge(
        {.key = "silent:a", .at = at(1), .until = at(50), .actor = "ann", .reason = "r"},
        by_ann(at(1))
    ));
    ASSERT_EQ(must(operators().acknowledgements(at(10))).size(), 1U);
    EXPECT_THAT(must(operators().acknowledgements(at(50))), IsEmpty());
    EXPECT_TRUE(must(operators().lift_acknowledgement("silent:a", by_ann(at(11)))));
    EXPECT_FALSE(must(operators().lift_acknowledgement("silent:a", by_ann(at(12)))));
    EXPECT_THAT(must(operators().acknowledgements(at(13))), IsEmpty());
}

TEST_P(OperatorsContract, WriteDownEveryActWithItsActorAndReason) {
    lost("d1", "a/one", at(1));
    must(operators().suspend(
        {.downstream = repo("a/one"), .since = at(2), .reason = "because", .actor = "admin token 1a"
        },
        by_ann(at(2))
    ));
    EXPECT_EQ(must(store().suspensions(at(3))).size(), 1U);
    EXPECT_EQ(
        must(operators().resume(
            {.downstream = repo("a/one"), .now = at(4), .actor = "admin token 1a"}, by_ann(at(4))
        )),
        1U
    );
    ports::RedeliverQuery again;
    again.delivery = DeliveryId("d1");
    again.now = at(5);
    again.actor = "admin token 1a";
    EXPECT_EQ(must(operators().redeliver(again, by_ann(at(5)))), 1U);
    const domain::NewRerun order{
        .key = "k",
        .subject = {.upstream = upstream(), .pr = PrNumber{7}, .head = HeadSha("aaaa")},
        .downstream = repo("a/one"),
    };
    EXPECT_TRUE(must(operators().order_rerun(order, by_ann(at(6)))));
    EXPECT_FALSE(must(operators().order_rerun(order, by_ann(at(7))))) << "it is known already";
    std::vector<std::string> acted;
    for (const auto& line : must(operators().acts({}))) {
        if (line.kind == "acted") {
            EXPECT_THAT(line.detail, HasSubstr(R"("actor":"admin token 1a")"));
            EXPECT_THAT(line.detail, HasSubstr(R"("reason":"because")"));
            acted.push_back(line.detail.substr(0, line.detail.find(',')));
        }
    }
    EXPECT_THAT(
        acted,
        ElementsAre(
            R"({"action":"rerun_ordered")",
            R"({"action":"redelivered")",
            R"({"action":"resumed")",
            R"({"action":"suspended")"
        )
    );
    const auto page = must(operators().acts({.limit = 1}));
    EXPECT_LT(
        must(operators().acts({.before = page[0].sequence, .limit = 1}))[0].sequence,
        page[0].sequence
    );
}

TEST_P(OperatorsContract, TellWhatHappenedToADownstream) {
    must(store().suspend(
        {.downstream = repo("a/one"), .since = at(2), .reason = "racks", .actor = "ann"}
    ));
    must(store().resume({.downstream = repo("a/one"), .now = at(3), .actor = "ann"}));
    pull(7, at(4));
    sent_one("a/one", at(10));
    must(store().sweep(a_sweep(at(8000))));
    const auto events = must(operators().downstream_events(repo("A/one"), 10));
    ASSERT_EQ(events.size(), 3U);
    EXPECT_EQ(events[0].kind, "silent");
    EXPECT_EQ(events[0].pr, PrNumber{7});
    EXPECT_EQ(events[0].at, at(8000));
    EXPECT_EQ(events[1].kind, "resumed");
    EXPECT_EQ(events[1].at, at(3));
    EXPECT_EQ(events[2].detail, "racks");
}

TEST_P(OperatorsContract, KnowTheStoreAndItsLists) {
    must(store().record_allowlist({.upstream = upstream(), .text = "one", .in_force_at = at(1)}));
    must(store().record_allowlist({.upstream = upstream(), .text = "two", .in_force_at = at(2)}));
    const auto versions = must(operators().allowlist_versions(upstream(), 5));
    ASSERT_EQ(versions.size(), 2U);
    EXPECT_EQ(versions[0].text, "two");
    plant("d1", {"a/one"});
    const auto leased = lease_one("a/one", at(2));
    must(store().settle(ended(leased.lease, domain::DispatchState::sent, at(2))));
    auto told = a_commit(leased.dispatch, an_end(domain::Conclusion::success), at(3));
    told.letters = {{.sink = "pytorch-hud", .body = "x"}};
    must(store().record_report(told));
    const auto state = must(operators().state({"pytorch-hud", "other"}, at(5)));
    EXPECT_EQ(state.kind, GetParam().name == "postgres" ? "postgresql" : "sqlite");
    EXPECT_GT(state.bytes, 0U);
    EXPECT_EQ(state.oldest_body_at, at(0));
    EXPECT_EQ(state.oldest_result_at, at(3));
    EXPECT_EQ(state.schema, store::sqlite::embedded_migrations().back().number);
    EXPECT_EQ(state.last_delivery_at, at(0));
    ASSERT_EQ(state.sinks.size(), 2U);
    EXPECT_EQ(state.sinks[0].waiting, 1U);
    EXPECT_EQ(state.sinks[1].waiting, 0U);
}

TEST_P(OperatorsContract, KeepTheTitleOfAPullRequest) {
    plant("d1", {});
    auto plan = a_plan("d1", {}, at(1));
    plan.plan.pull_request = a_pull_request("aaaa");
    plan.plan.pull_request->title = "Make it faster";
    must(store().commit_plan(std::move(plan)));
    EXPECT_EQ(must(views().pulls({})).at(0).title, "Make it faster");
    EXPECT_EQ(
        must(store().pull_request({.upstream = upstream(), .number = PrNumber{7}}))->title,
        "Make it faster"
    );
}

TEST_P(OperatorsContract, ListWhatWasGivenUpNewestFirst) {
    for (const auto* id : {"d1", "d2"}) {
        plant(id, {"a/one"}, at(1));
        const auto leased = lease_one("a/one", at(2));
        const auto state =
            id == std::string("d1") ? domain::DispatchState::dead : domain::DispatchState::failed;
        must(store().settle(ended(leased.lease, state, at(3))));
    }
    ports::GivenUpQuery everything;
    everything.shown = [](const ports::DeadDispatch&) { return true; };
    const auto dead = must(operators().given_up(everything));
    ASSERT_EQ(dead.rows.size(), 2U);
    EXPECT_EQ(dead.rows[0].delivery, "d2");
    EXPECT_EQ(dead.rows[0].state, domain::DispatchState::failed);
    EXPECT_EQ(dead.rows[0].reason, "because");
    EXPECT_EQ(dead.rows[1].delivery, "d1");
    EXPECT_EQ(dead.rows[1].attempts, 1U);
    everything.limit = 1;
    EXPECT_EQ(must(operators().given_up(everything)).rows.size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Every, OperatorsContract, testing::ValuesIn(sql_kinds()), kind_name);

} // namespace baton::test
