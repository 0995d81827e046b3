// A backend goes silent, is lowered by itself, recovers and returns; whoever kills the relay in
// between changes nothing.

#include "baton/async/blocking_pool.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/profile.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/notices.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/allowlist_book.hpp"
#include "baton/relay/ladder_watch.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "contract/results_fixture.hpp"
#include "contract/store_fixture.hpp"
#include "support/manual_clock.hpp"
#include "support/memory_journal.hpp"
#include "support/run_awaitable.hpp"
#include "support/temp_folder.hpp"

namespace baton::relay {
namespace {

using namespace std::chrono_literals;
using domain::Level;
using test::repo;
using test::upstream;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr TimePoint kMonday = from_ms(1'799'625'600'000); // 2027-01-11
const std::vector<std::string> kGood{"b/two", "c/three", "d/four"};

TimePoint day(int number) {
    return kMonday + number * 24h;
}

domain::Criterion
criterion(const std::string& id, domain::Figure figure, domain::Comparison comparison, double to) {
    return {
        .id = id,
        .figure = figure,
        .window = 7,
        .comparison = comparison,
        .target = to,
        .least = 5,
        .bound = domain::Bound::none,
        .text = id,
    };
}

domain::Profile rules() {
    domain::Profile profile;
    profile.name = "test";
    profile.version = "1";
    profile.demotion = {
        criterion("d.pass", domain::Figure::pass_adj, domain::Comparison::at_least, 0.5)
    };
    auto silence = criterion("d.silence", domain::Figure::silence, domain::Comparison::below, 48);
    silence.least = 1;
    profile.at_once = {silence};
    auto restore = criterion("r.pass", domain::Figure::pass_adj, domain::Comparison::at_least, 0.6);
    restore.window = 2;
    profile.restore = {restore};
    return profile;
}

class LadderWatching : public ::testing::Test {
protected:
    LadderWatching() {
        domain::Allowlist allowlist;
        allowlist.add({.repo = repo("a/one"), .level = Level::l3, .oncalls = {Login("olga")}});
        for (const auto& name : kGood) {
            allowlist.add({.repo = repo(name), .level = Level::l3});
        }
        book->put(upstream(), std::move(allowlist));
        must(store->name_receivers({"notify:oncall"}, day(0)));
        start();
    }

    template <class T> static T must(boost::asio::awaitable<Result<T>> verb) {
        auto result = test::run_awaitable(std::move(verb));
        if (!result) {
            throw std::runtime_error(result.error().detail);
        }
        if constexpr (!std::is_void_v<T>) {
            return *std::move(result);
        }
    }

    /// A relay that begins on this store, whatever an earlier one left.
    void start() {
        watch = std::make_unique<LadderWatch>(
            LadderWatch::Settings{.upstreams = {upstream()}, .profile = rules()},
            LadderWatch::Surroundings{
                .levels = &store->levels(),
                .clock = clock,
                .journal = *journal,
                .book = *book,
                .on_moved = [this] { ++woken; },
                .pool = &pool,
            }
        );
        must(watch->begin());
    }

    /// Six pushes to everybody, which the good ones answer, and a/one if it can.
    void live(int number, bool answers) {
        for (int i = 0; i < 6; ++i) {
            const auto when = day(number) + i * 2h;
            const auto id = fmt::format("push-{}-{}", number, i);
            auto delivery = test::a_delivery(id, when);
            delivery.event = "push";
            delivery.action = "";
            delivery.pr = std::nullopt;
            must(store->insert_delivery(delivery));
            std::vector<domain::NewDispatch> dispatches;
            auto names = kGood;
            names.emplace_back("a/one");
            for (const auto& name : names) {
                auto dispatch = test::a_dispatch(id, name);
                dispatch.event_type = "push";
                dispatch.pr = std::nullopt;
                dispatch.level = Level::l3;
                dispatch.head = HeadSha(id);
                dispatches.push_back(dispatch);
            }
            must(store->commit_plan(test::a_plan(id, dispatches, when)));
            for (const auto& name : names) {
                const auto leased = must(store->lease(test::a_lease(name, 1, when)));
                must(store->settle(
                    test::ended(leased.at(0).lease, domain::DispatchState::sent, when)
                ));
                if (answers || name != "a/one") {
                    auto commit = test::a_commit(leased[0].dispatch, test::an_end(), when + 10min);
                    must(store->record_report(std::move(commit)));
                }
            }
        }
        const auto midnight = day(number + 1);
        must(store->sweep(test::a_sweep(midnight)));
        clock.set(midnight + 1min);
    }

    /// Until it was lowered; the day on which it was.
    int live_until(const std::string& move, int number, bool answers) {
        for (; number < 60; ++number) {
            live(number, answers);
            must(watch->round());
            if (moves().back().starts_with(move)) {
                return number + 1;
            }
        }
        ADD_FAILURE() << "never " << move;
        return number;
    }

    std::vector<std::string> moves() {
        std::vector<std::string> all{"-"};
        for (const auto& moved : journal->all<ports::LadderMoved>()) {
            if (moved.downstream == repo("a/one")) {
                all.push_back(fmt::format(
                    "{} {}->{}", moved.move, domain::name_of(moved.from), domain::name_of(moved.to)
                ));
            }
        }
        return all;
    }

    Level level_now() { return book->find(upstream())->find(repo("a/one"))->level; }

    std::vector<std::string> letters() {
        std::vector<std::string> bodies;
        ports::LetterQuery query{
            .sink = "notify:oncall",
            .holder = InstanceId("courier"),
            .now = clock.now(),
            .until = clock.now() + 1min,
            .limit = 100
        };
        for (const auto& taken : must(store->take_letters(std::move(query)))) {
            bodies.push_back(taken.body);
        }
        return bodies;
    }

    test::TempFolder folder{test::TempFolder::fast_parent()};
    std::unique_ptr<store::SqliteStore> store{
        *store::SqliteStore::open({.path = folder.file("baton.db"), .now = day(0)})
    };
    test::ManualClock clock{day(0)};
    std::unique_ptr<test::MemoryJournal> journal{std::make_unique<test::MemoryJournal>()};
    std::unique_ptr<AllowlistBook> book{std::make_unique<AllowlistBook>()};
    async::BlockingPool pool{1};
    std::unique_ptr<LadderWatch> watch;
    int woken{0};
};

} // namespace

TEST_F(LadderWatching, ADownstreamThatGoesSilentIsLoweredByItselfAndReturnsByItself) {
    for (int i = 0; i < 8; ++i) {
        live(i, true);
        must(watch->round());
    }
    EXPECT_THAT(moves(), ElementsAre("-"));
    const auto lowered = live_until("demoted", 8, false);
    EXPECT_LE(lowered, 12) << "48 hours and an evaluation";
    EXPECT_EQ(level_now(), Level::l2);
    const auto returned = live_until("returned", lowered, true);
    EXPECT_EQ(level_now(), Level::l3);
    EXPECT_GE(returned - lowered, 3) << "three clean evaluations";

    const auto ledger = must(store->levels().transitions({.downstream = repo("a/one")}));
    std::vector<std::string> kinds;
    for (const auto& kept : ledger) {
        kinds.emplace_back(domain::name_of(kept.transition.move));
        EXPECT_EQ(kept.profile, "test/1");
        EXPECT_EQ(kept.digest.size(), 64U);
    }
    EXPECT_THAT(kinds, Contains("demoted"));
    EXPECT_EQ(kinds.front(), "returned");
    EXPECT_FALSE(must(store->levels().evaluations(upstream(), repo("a/one"), 99)).empty());
    for (const auto& name : kGood) {
        EXPECT_THAT(must(store->levels().transitions({.downstream = repo(name)})), IsEmpty());
    }
}

TEST_F(LadderWatching, SilenceOfSomebodyAskedRarelyIsNotForgotten) {
    live(0, true);
    must(watch->round());
    live(10, false);
    must(watch->round());
    EXPECT_EQ(level_now(), Level::l3) << "a day of silence";
    live(35, false);
    must(watch->round());
    EXPECT_EQ(level_now(), Level::l2) << "the second, weeks after the first";
}

TEST_F(LadderWatching, ThoseOnCallAreToldInTheSameTransaction) {
    for (int i = 0; i < 8; ++i) {
        live(i, true);
        must(watch->round());
    }
    const auto lowered = live_until("demoted", 8, false);
    EXPECT_THAT(
        letters(),
        Contains(AllOf(
            HasSubstr(R"("kind":"demoted")"),
            HasSubstr(R"("oncalls":["olga"])"),
            HasSubstr(R"("level":"L3")"),
            HasSubstr("d.silence")
        ))
    );
    live_until("returned", lowered, true);
    EXPECT_GT(woken, 0);
}

TEST_F(LadderWatching, ARelayThatStartsAgainKnowsWhoIsLoweredBeforeItPlans) {
    for (int i = 0; i < 8; ++i) {
        live(i, true);
        must(watch->round());
    }
    const auto lowered = live_until("demoted", 8, false);
    book = std::make_unique<AllowlistBook>();
    start();
    domain::Allowlist fresh;
    fresh.add({.repo = repo("a/one"), .level = Level::l3});
    book->put(upstream(), std::move(fresh));
    EXPECT_EQ(level_now(), Level::l2);
    const auto before = must(store->levels().transitions({})).size();
    must(watch->round());
    EXPECT_EQ(must(store->levels().transitions({})).size(), before) << "as of each midnight once";
    EXPECT_LE(lowered, 12);
}

TEST_F(LadderWatching, MidnightsThatNobodyWasThereForAreMadeUpForInTheirOrder) {
    live(0, true);
    must(watch->round());
    for (int i = 1; i < 6; ++i) {
        live(i, true);
    }
    start();
    must(watch->round());
    auto kept = must(store->levels().evaluations(upstream(), repo("a/one"), 99));
    ASSERT_EQ(kept.size(), 6U);
    EXPECT_EQ(kept.front().as_of, day(6));
    EXPECT_EQ(kept.back().as_of, day(1));
    clock.set(day(40) + 1min);
    must(watch->round());
    kept = must(store->levels().evaluations(upstream(), repo("a/one"), 99));
    EXPECT_EQ(kept.size(), 20U) << "fourteen at most";
}

TEST_F(LadderWatching, ALateResultCountsItsDayAnew) {
    live(0, true);
    must(watch->round());
    const ports::ViewWindow window{.from = day(0), .until = day(1)};
    const auto digest_of_day = [&] {
        for (const auto& ladder : must(store->levels().ladders(upstream(), window))) {
            if (ladder.downstream == repo("a/one")) {
                return ladder.history.days.at(0).digest;
            }
        }
        return std::string();
    };
    const auto before = digest_of_day();
    live(1, true);
    must(watch->round());
    EXPECT_EQ(digest_of_day(), before) << "nothing changed on it";
    const auto dispatch = must(store->dispatches_to(DeliveryId("push-0-0"), repo("a/one"))).at(0);
    auto late = test::an_end(domain::Conclusion::failure, "101", "docs");
    must(store->record_report(test::a_commit(dispatch, late, day(2))));
    live(2, true);
    must(watch->round());
    EXPECT_NE(digest_of_day(), before);
}

TEST_F(LadderWatching, WithoutAnAllowlistNobodyIsJudged) {
    book = std::make_unique<AllowlistBook>();
    start();
    clock.set(day(3));
    must(watch->round());
    EXPECT_THAT(
        must(store->levels().ladders(upstream(), {.from = day(0), .until = day(9)})), IsEmpty()
    );
}

} // namespace baton::relay
