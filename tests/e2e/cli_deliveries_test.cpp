#include "baton/base/ids.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sql/sql_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "contract/store_fixture.hpp"
#include "e2e/cli_store.hpp"
#include "e2e/cli_support.hpp"
#include "support/run_awaitable.hpp"

namespace baton::test {

namespace {

using domain::DispatchState;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

template <class T> T value(boost::asio::awaitable<Result<T>> work) {
    return run_awaitable(std::move(work)).value();
}

/// A store with a little history: "first" went to two downstreams and died at one of them, "second"
/// failed, and of "third" an attempt began whose end nobody knows.
class DeliveriesCommand : public ::testing::Test {
protected:
    DeliveriesCommand()
        : store_(place_.open(at(0))) {
        arrive("first", 1, {"Org/Good", "Org/Bad"});
        attempt("Org/Good", 2, DispatchState::sent);
        attempt("Org/Bad", 3, DispatchState::dead);
        arrive("second", 4, {"Org/Bad"});
        attempt("Org/Bad", 5, DispatchState::failed);
        arrive("third", 6, {"Org/Good"});
        static_cast<void>(value(store_->lease(a_lease("Org/Good", 1, at(7)))));
    }

    void arrive(const std::string& id, int second, const std::vector<std::string>& downstreams) {
        auto delivery = a_delivery(id, at(second));
        delivery.pr = PrNumber{second};
        static_cast<void>(value(store_->insert_delivery(std::move(delivery))));
        std::vector<domain::NewDispatch> dispatches;
        dispatches.reserve(downstreams.size());
        for (const auto& downstream : downstreams) {
            dispatches.push_back(a_dispatch(id, downstream));
        }
        auto plan = a_plan(id, std::move(dispatches), at(second));
        plan.plan.decisions.push_back(
            {.downstream = repo("Org/Asleep"), .dispatch = false, .reason = "paused \x1b[2J"}
        );
        static_cast<void>(value(store_->commit_plan(std::move(plan))));
    }

    void attempt(const std::string& downstream, int second, DispatchState state) {
        const auto leased = value(store_->lease(a_lease(downstream, 1, at(second))));
        ASSERT_EQ(leased.size(), 1U);
        static_cast<void>(value(store_->settle(ended(leased[0].lease, state, at(second)))));
    }

    Finished run(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "deliveries");
        arguments.insert(arguments.end(), {"--store", place_.text()});
        return baton(std::move(arguments));
    }

    std::vector<DispatchState> states_of(const std::string& id) {
        std::vector<DispatchState> states;
        for (const auto& one : value(store_->delivery_history(DeliveryId(id))).dispatches) {
            states.push_back(one.dispatch.state);
        }
        return states;
    }

    StorePlace place_;
    std::unique_ptr<store::SqlStore> store_; // a relay that serves all the while
};

TEST_F(DeliveriesCommand, ListShowsTheNewestFirstInAnAlignedTable) {
    const auto listed = run({"list"});
    EXPECT_EQ(listed.exit_code, 0) << listed.err;
    EXPECT_THAT(
        listed.out,
        ContainsRegex(
            "SEQ  RECEIVED .UTC.       EVENT         ACTION  REPOSITORY   DELIVERY  DISPATCHES\n"
            "3    2027-01-15 08:00:06  pull_request  opened  Up/Stream#6  third     1 pending\n"
            "2    2027-01-15 08:00:04  pull_request  opened  Up/Stream#4  second    1 failed\n"
            "1    2027-01-15 08:00:01  pull_request  opened  Up/Stream#1  first     1 sent, 1 "
            "dead\n$"
        )
    );
}

TEST_F(DeliveriesCommand, ListGoesPageByPage) {
    const auto page = run({"list", "--limit", "2"});
    EXPECT_THAT(page.out, HasSubstr("older ones: --before 2\n"));
    const auto next = run({"list", "--limit", "2", "--before", "2"});
    EXPECT_THAT(next.out, AllOf(HasSubstr("first"), Not(HasSubstr("second"))));
}

TEST_F(DeliveriesCommand, ListFilters) {
    EXPECT_THAT(run({"list", "--state", "dead"}).out, Not(HasSubstr("second")));
    EXPECT_THAT(
        run({"list", "--pr", "4"}).out, AllOf(HasSubstr("second"), Not(HasSubstr("first")))
    );
    const auto none = run({"list", "--event", "push"});
    EXPECT_EQ(none.exit_code, 1);
    EXPECT_EQ(none.out, "");
    EXPECT_THAT(none.err, HasSubstr("no delivery matches"));
    EXPECT_EQ(run({"list", "--state", "asleep"}).exit_code, 2);
}

TEST_F(DeliveriesCommand, ListSpeaksJson) {
    const auto listed = json_in(run({"list", "--limit", "1", "--json"}));
    EXPECT_EQ(listed.at("before").as_int64(), 3);
    const auto& row = listed.at("deliveries").at(0);
    EXPECT_EQ(row.at("delivery").as_string(), "third");
    EXPECT_EQ(row.at("dispatches").at("pending").as_int64(), 1);
}

TEST_F(DeliveriesCommand, ShowTellsTheWholeHistory) {
    const auto shown = run({"show", "first"});
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    EXPECT_THAT(
        shown.out,
        AllOf(
            HasSubstr("delivery    first\n"),
            HasSubstr("Org/Bad (L2 npu), dispatch 2: dead\n  reason   because\n"),
            HasSubstr("  attempt 1  2027-01-15T08:00:03.000Z  not_sent: no connection\n"),
            HasSubstr("  attempt 1  2027-01-15T08:00:02.000Z  accepted 204\n"),
            HasSubstr("planned: 2 created, 0 superseded, 0 cancelled\n"),
            HasSubstr("not to Org/Asleep: paused \\x1b[2J\n")
        )
    );
}

TEST_F(DeliveriesCommand, ShowMarksAnAttemptWithoutAnEnd) {
    EXPECT_THAT(run({"show", "third"}).out, HasSubstr("never written down: perhaps it arrived\n"));
    const auto shown = json_in(run({"show", "third", "--json"}));
    const auto& attempt = shown.at("dispatches").at(0).at("attempts").at(0);
    EXPECT_FALSE(attempt.at("written_down").as_bool());
    EXPECT_TRUE(attempt.at("outcome").is_null());
}

TEST_F(DeliveriesCommand, ShowTakesANumberOfTheList) {
    EXPECT_EQ(run({"show", "2"}).out, run({"show", "second"}).out);
    const auto shown = run({"show", "99"});
    EXPECT_EQ(shown.exit_code, 1);
    EXPECT_EQ(shown.err, "baton: there is no delivery with id or number 99\n");
}

TEST_F(DeliveriesCommand, ListForgetsAFailureThatWasSentAgain) {
    EXPECT_EQ(run({"list", "--state", "failed"}).exit_code, 0);
    EXPECT_EQ(run({"redeliver", "second"}).exit_code, 0);
    EXPECT_EQ(run({"list", "--state", "failed"}).exit_code, 1);
}

TEST_F(DeliveriesCommand, ShowHasNothingToSayAboutAStranger) {
    const auto shown = run({"show", "nobody\x1b[31m"});
    EXPECT_EQ(shown.exit_code, 1);
    EXPECT_EQ(shown.err, "baton: there is no delivery nobody\\x1b[31m in the store\n");
}

TEST_F(DeliveriesCommand, RedeliverSendsOneDeliveryAgain) {
    const auto sent = run({"redeliver", "first"});
    EXPECT_EQ(sent.exit_code, 0) << sent.err;
    EXPECT_THAT(sent.out, HasSubstr("1 dispatch queued to be sent again"));
    EXPECT_EQ(
        states_of("first"),
        (std::vector{DispatchState::dead, DispatchState::pending, DispatchState::sent})
    );
    EXPECT_THAT(run({"show", "first"}).out, HasSubstr("on the command line: generation 1"));

    const auto again = run({"redeliver", "first"});
    EXPECT_EQ(again.exit_code, 1) << "it is on its way already";
    EXPECT_EQ(again.out, "");
    EXPECT_EQ(
        again.err,
        "baton: no dispatch matches: delivery first has 2 dispatches (1 pending, 1 sent); "
        "--state sent would send it again\n"
    );
}

TEST_F(DeliveriesCommand, RedeliverSaysWhereTheDispatchesOfADeliveryAre) {
    EXPECT_EQ(
        run({"redeliver", "first", "--downstream", "Org/Good"}).err,
        "baton: no dispatch matches: delivery first has 1 dispatch (1 sent) to Org/Good; "
        "--state sent would send it again\n"
    );
    EXPECT_EQ(
        run({"redeliver", "first", "--downstream", "Org/Asleep"}).err,
        "baton: no dispatch matches: delivery first has none to Org/Asleep\n"
    );
    const auto pending = run({"redeliver", "third", "--dry-run"});
    EXPECT_EQ(pending.exit_code, 1);
    EXPECT_EQ(pending.out, "");
    EXPECT_EQ(
        pending.err, "baton: no dispatch matches: delivery third has 1 dispatch (1 pending)\n"
    );
    EXPECT_EQ(json_in(run({"redeliver", "third", "--json"})).at("matched").as_int64(), 0);
}

TEST_F(DeliveriesCommand, RedeliverTakesANumberOfTheList) {
    EXPECT_EQ(run({"redeliver", "2"}).exit_code, 0);
    EXPECT_EQ(states_of("second"), (std::vector{DispatchState::failed, DispatchState::pending}));
    const auto stranger = run({"redeliver", "99"});
    EXPECT_EQ(stranger.exit_code, 1);
    EXPECT_EQ(stranger.err, "baton: there is no delivery with id or number 99\n");
}

TEST_F(DeliveriesCommand, RedeliverSendsByFilterAndInBulk) {
    const auto looked = run({"redeliver", "--all", "--dry-run"});
    EXPECT_EQ(looked.exit_code, 0);
    EXPECT_THAT(looked.out, HasSubstr("2 dispatches would be queued\n"));
    EXPECT_EQ(states_of("second"), std::vector{DispatchState::failed});

    EXPECT_THAT(
        run({"redeliver", "--state", "failed", "--yes"}).out, HasSubstr("1 dispatch queued")
    );
    EXPECT_EQ(states_of("second").size(), 2U);
    const auto rest = json_in(run({"redeliver", "--downstream", "org/bad", "--yes", "--json"}));
    EXPECT_EQ(rest.at("matched").as_int64(), 1);
    EXPECT_EQ(rest.at("redelivered").as_int64(), 1);
    EXPECT_EQ(states_of("first").size(), 3U);
}

TEST_F(DeliveriesCommand, RedeliverAlsoSendsWhatWentWellWhenAsked) {
    const auto sent = run({"redeliver", "first", "--state", "sent", "--downstream", "Org/Good"});
    EXPECT_EQ(sent.exit_code, 0) << sent.err;
    EXPECT_EQ(states_of("first").size(), 3U);
}

TEST_F(DeliveriesCommand, RedeliverWantsToBeToldWhatAndThatItMay) {
    const auto nothing = run({"redeliver"});
    EXPECT_EQ(nothing.exit_code, 2);
    EXPECT_THAT(nothing.err, HasSubstr("a delivery ID, --downstream, --state, or --all"));
    const auto unsure = run({"redeliver", "--all"});
    EXPECT_EQ(unsure.exit_code, 2);
    EXPECT_THAT(unsure.err, HasSubstr("this would send 2 dispatches again: say --yes"));
    EXPECT_EQ(states_of("second").size(), 1U);
    EXPECT_EQ(run({"redeliver", "first", "--all"}).exit_code, 2);
    EXPECT_EQ(run({"redeliver", "--downstream", "nonsense"}).exit_code, 2);
    EXPECT_EQ(run({"redeliver", "--state", "pending"}).exit_code, 2);
    EXPECT_EQ(run({"redeliver", "nobody"}).exit_code, 1);
}

TEST(Deliveries, SayWhyAStoreCannotBeOpened) {
    const TemporaryFolder folder;
    for (const std::vector<std::string>& verb :
         std::vector<std::vector<std::string>>{{"list"}, {"show", "x"}, {"redeliver", "x"}}) {
        std::vector<std::string> arguments{"deliveries"};
        arguments.insert(arguments.end(), verb.begin(), verb.end());
        const auto unsaid = baton(arguments);
        EXPECT_EQ(unsaid.exit_code, 2);
        EXPECT_EQ(unsaid.err, "baton: say which store: --config FILE or --store PATH\n");
        arguments.insert(arguments.end(), {"--store", folder.file("none.db")});
        const auto missing = baton(arguments);
        EXPECT_EQ(missing.exit_code, 2);
        EXPECT_EQ(missing.err, "baton: there is no store at " + folder.file("none.db") + "\n");
        EXPECT_EQ(missing.out, "");
    }
    const auto rubbish = folder.write("rubbish.db", std::string(5000, 'x'));
    EXPECT_EQ(baton({"deliveries", "list", "--store", rubbish}).exit_code, 2);
    EXPECT_EQ(baton({"deliveries", "list", "--config", rubbish}).exit_code, 2);
}

} // namespace

} // namespace baton::test
