// A downstream at level 1 earns level 2 by reporting as it would there.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/level.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/allowlist_book.hpp"
#include "baton/relay/ladder_watch.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"
#include "baton/wire/profile.hpp"

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
using ::testing::ElementsAre;

constexpr TimePoint kMonday = from_ms(1'799'625'600'000); // 2027-01-11

template <class T> T must(boost::asio::awaitable<Result<T>> verb) {
    auto result = test::run_awaitable(std::move(verb));
    if (!result) {
        throw std::runtime_error(result.error().detail);
    }
    if constexpr (!std::is_void_v<T>) {
        return *std::move(result);
    }
}

class Rehearsing : public ::testing::Test {
protected:
    Rehearsing() {
        domain::Allowlist list;
        list.add({.repo = repo("e/answers"), .level = Level::l1});
        list.add({.repo = repo("e/ignores"), .level = Level::l1});
        book_.put(upstream(), std::move(list));
    }

    /// A push to both, which one of them reports on.
    void push(const std::string& id, TimePoint when) {
        must(store_->insert_delivery(test::a_delivery(id, when)));
        std::vector<domain::NewDispatch> dispatches;
        for (const auto* const name : {"e/answers", "e/ignores"}) {
            auto dispatch = test::a_dispatch(id, name);
            dispatch.event_type = "push";
            dispatch.pr = std::nullopt;
            dispatch.level = Level::l1;
            dispatches.push_back(dispatch);
        }
        must(store_->commit_plan(test::a_plan(id, dispatches, when)));
        for (const auto& dispatch : dispatches) {
            const auto name = dispatch.key.downstream.text();
            const auto leased = must(store_->lease(test::a_lease(name, 1, when)));
            auto end = test::ended(leased.at(0).lease, domain::DispatchState::sent, when);
            must(store_->settle(std::move(end)));
        }
        const auto sent = must(store_->dispatches_to(DeliveryId(id), repo("e/answers")));
        const ports::NewRehearsal told{
            .dispatch = sent.at(0).id, .ended = true, .at = when + 10min
        };
        must(store_->levels().note_rehearsal(told));
    }

    test::TempFolder folder_{test::TempFolder::fast_parent()};
    std::unique_ptr<store::SqliteStore> store_{
        *store::SqliteStore::open({.path = folder_.file("baton.db"), .now = kMonday})
    };
    test::ManualClock clock_{kMonday};
    test::MemoryJournal journal_;
    AllowlistBook book_;
    LadderWatch watch_{
        {.upstreams = {upstream()}, .profile = *wire::builtin_profile(wire::kDefaultProfile)},
        {.levels = &store_->levels(),
         .clock = clock_,
         .journal = journal_,
         .book = book_,
         .on_moved = [] {}}
    };
};

TEST_F(Rehearsing, WhoAnswersAtLevelOneIsProposedForLevelTwo) {
    must(watch_.begin());
    for (int number = 0; number < 6; ++number) {
        for (int i = 0; i < 6; ++i) {
            push(fmt::format("push-{}-{}", number, i), kMonday + number * 24h + i * 2h);
        }
        clock_.set(kMonday + (number + 1) * 24h + 1min);
        must(watch_.round());
    }
    std::vector<std::string> told;
    for (const auto& moved : journal_.all<ports::LadderMoved>()) {
        told.push_back(moved.downstream.text() + ": " + moved.move + ", " + moved.reason);
    }
    EXPECT_THAT(told, ElementsAre("e/answers: proposed, L1 to L2: every criterion of L2 is met"));
}

} // namespace
} // namespace baton::relay
