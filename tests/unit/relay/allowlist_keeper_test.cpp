#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/text_source.hpp"
#include "baton/relay/allowlist_book.hpp"
#include "baton/relay/allowlist_keeper.hpp"
#include "baton/sim/virtual_clock.hpp"
#include "baton/store/memory/memory_store.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <variant>

#include "support/memory_journal.hpp"
#include "support/run_coroutine.hpp"

namespace baton::relay {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

constexpr TimePoint kNow = from_ms(1'800'000'000'000);
const RepoName kUpstream = *RepoName::parse("up/stream");

/// A source whose text the test sets; a new text is a new mark.
class ScriptedSource final : public ports::TextSource {
public:
    asio::awaitable<Result<std::optional<ports::TextVersion>>> fetch(std::string mark) override {
        ++fetches;
        if (away) {
            co_return fail(Errc::unavailable, "GitHub is away");
        }
        if (mark == text) {
            co_return std::nullopt;
        }
        co_return ports::TextVersion{.text = text, .mark = text};
    }

    std::string describe() const override { return "file:allowlist.yml"; }

    std::string text;
    bool away{false};
    int fetches{0};
};

class Keeping : public ::testing::Test {
protected:
    AllowlistKeeper make() { return make_over(book); }

    AllowlistKeeper make_over(AllowlistBook& pages) {
        return AllowlistKeeper(
            {.upstream = kUpstream,
             .refresh = 60s,
             .watched = domain::WatchedFile{.repo = kUpstream, .path = "list.yml", .ref = "main"}},
            {.source = source,
             .store = store,
             .clock = clock,
             .journal = journal,
             .book = pages,
             .on_change = [this] { ++changes; }}
        );
    }

    void refresh(AllowlistKeeper& keeper, const std::string& text) {
        source.text = text;
        EXPECT_TRUE(test::run(io, keeper.refresh()));
    }

    std::size_t listed() const {
        const auto list = book.find(kUpstream);
        return list ? list->downstreams().size() : 0;
    }

    std::string trouble() const {
        return book.status().empty() ? "" : book.status().front().trouble;
    }

    asio::io_context io;
    sim::VirtualClock clock{kNow};
    store::MemoryStore store;
    test::MemoryJournal journal;
    AllowlistBook book;
    ScriptedSource source;
    int changes{0};
};

TEST_F(Keeping, PutsAGoodListInForceRecordsItAndWakesWhoWaited) {
    auto keeper = make();
    refresh(keeper, "L1: [a/b]");
    EXPECT_EQ(listed(), 1U);
    EXPECT_EQ(changes, 1);
    EXPECT_EQ(journal.all<ports::AllowlistInForce>().size(), 1U);
    const auto last = test::run(io, store.last_allowlist(kUpstream));
    EXPECT_EQ((**last)->text, "L1: [a/b]");
    EXPECT_EQ((**last)->in_force_at, kNow);
}

TEST_F(Keeping, KeepsTheLastGoodListWhenTheNewOneDoesNotParse) {
    auto keeper = make();
    refresh(keeper, "L1: [a/b]");
    refresh(keeper, "L1: [a/b, a/b]");
    EXPECT_EQ(listed(), 1U);
    EXPECT_NE(trouble().find("file:allowlist.yml:1:"), std::string::npos) << trouble();
    EXPECT_EQ(journal.all<ports::AllowlistRefused>().size(), 1U);
}

TEST_F(Keeping, SaysTheSameFaultOnlyOnceAndTakesTheMendedText) {
    auto keeper = make();
    refresh(keeper, "L1: [");
    refresh(keeper, "L1: [");
    EXPECT_EQ(journal.all<ports::AllowlistRefused>().size(), 1U);
    refresh(keeper, "L1: [a/b, c/d]");
    EXPECT_EQ(listed(), 2U);
    EXPECT_EQ(trouble(), "");
}

TEST_F(Keeping, NeverLetsAnEmptyFileReplaceANonEmptyList) {
    auto keeper = make();
    refresh(keeper, "L1: [a/b]");
    refresh(keeper, "# cut off\n");
    EXPECT_EQ(listed(), 1U);
    refresh(keeper, "{}");
    EXPECT_EQ(listed(), 0U);
    EXPECT_NE(book.find(kUpstream), nullptr);
}

TEST_F(Keeping, RecallsTheLastGoodListWhenTheSourceIsAwayAtStart) {
    {
        auto keeper = make();
        refresh(keeper, "L1: [a/b]");
    }
    source.away = true;
    AllowlistBook fresh;
    auto reborn = make_over(fresh);
    EXPECT_TRUE(test::run(io, reborn.recall())->has_value());
    ASSERT_NE(fresh.find(kUpstream), nullptr);
    EXPECT_EQ(fresh.find(kUpstream)->downstreams().size(), 1U);
    EXPECT_TRUE(test::run(io, reborn.refresh()));
    EXPECT_EQ(fresh.find(kUpstream)->downstreams().size(), 1U);
    EXPECT_EQ(fresh.status().front().trouble, "GitHub is away");
}

TEST_F(Keeping, TellsOnceOfASourceThatStaysAway) {
    source.away = true;
    auto keeper = make();
    for (int i = 0; i < 5; ++i) {
        EXPECT_TRUE(test::run(io, keeper.refresh()));
    }
    EXPECT_EQ(journal.all<ports::AllowlistRefused>().size(), 1U);
}

TEST_F(Keeping, LeavesTheListUnknownWhileNothingWasEverRead) {
    source.away = true;
    auto keeper = make();
    EXPECT_TRUE(test::run(io, keeper.recall())->has_value());
    EXPECT_TRUE(test::run(io, keeper.refresh()));
    EXPECT_EQ(book.find(kUpstream), nullptr);
}

TEST_F(Keeping, RecordsATextThatComesBackUnchangedOnlyOnce) {
    {
        auto keeper = make();
        refresh(keeper, "L1: [a/b]");
    }
    clock.advance(1h);
    auto reborn = make();
    EXPECT_TRUE(test::run(io, reborn.recall())->has_value());
    refresh(reborn, "L1: [a/b]");
    const auto last = test::run(io, store.last_allowlist(kUpstream));
    EXPECT_EQ((**last)->in_force_at, kNow);
}

TEST_F(Keeping, TellsThatAllIsWellAgainWhenTheSourceIsBackOrABadEditIsTakenBack) {
    auto keeper = make();
    refresh(keeper, "L1: [a/b]");
    source.away = true;
    EXPECT_TRUE(test::run(io, keeper.refresh()));
    EXPECT_EQ(trouble(), "GitHub is away");
    source.away = false;
    EXPECT_TRUE(test::run(io, keeper.refresh())); // unchanged, but back
    EXPECT_TRUE(test::run(io, keeper.refresh()));
    EXPECT_EQ(trouble(), "");
    refresh(keeper, "L1: [");
    refresh(keeper, "L1: [a/b]");
    EXPECT_EQ(trouble(), "");
    EXPECT_TRUE(std::holds_alternative<ports::AllowlistInForce>(journal.entries().back()));
}

TEST_F(Keeping, CancelsWhatWaitsForADownstreamThatLeft) {
    auto keeper = make();
    refresh(keeper, "L1: [a/b, c/d]");
    ports::NewDelivery delivery{
        .id = DeliveryId("d"),
        .event = "push",
        .repository = "up/stream",
        .received_at = kNow,
        .body = "{}"
    };
    EXPECT_TRUE(test::run(io, store.insert_delivery(delivery))->value());
    ports::PlanCommit commit{.delivery = DeliveryId("d"), .upstream = kUpstream, .now = kNow};
    domain::NewDispatch dispatch;
    dispatch.key = {.delivery = DeliveryId("d"), .downstream = *RepoName::parse("c/d")};
    dispatch.upstream = kUpstream;
    dispatch.event_type = "push";
    commit.plan.dispatches = {dispatch};
    EXPECT_TRUE(test::run(io, store.commit_plan(commit))->has_value());
    refresh(keeper, "L1: [a/b]");
    const auto history = test::run(io, store.delivery_history(DeliveryId("d")));
    EXPECT_EQ((**history).dispatches.at(0).dispatch.state, domain::DispatchState::cancelled);
}

} // namespace
} // namespace baton::relay
