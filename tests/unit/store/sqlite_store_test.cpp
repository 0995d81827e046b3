#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/store/sqlite/engine.hpp"
#include "baton/store/sqlite/migrate.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contract/store_fixture.hpp"
#include "support/run_awaitable.hpp"
#include "support/temp_folder.hpp"

namespace baton::store {

using namespace baton::test;

namespace {

namespace asio = boost::asio;
using testing::HasSubstr;

class OneFile : public testing::Test {
protected:
    std::unique_ptr<SqliteStore> open(StoreRole role = StoreRole::serving) const {
        auto opened = SqliteStore::open({.path = path, .role = role, .now = at(0)});
        if (!opened) {
            throw std::runtime_error(opened.error().detail);
        }
        return *std::move(opened);
    }

    TempFolder folder;
    std::string path = folder.file("baton.db");
};

/// Keeps the writer waiting in BEGIN IMMEDIATE, so that what is submitted meanwhile queues up.
class Barrier {
public:
    explicit Barrier(const std::string& path)
        : db_(*sqlite::open(path, sqlite::Access::write)) {
        db_.script("BEGIN IMMEDIATE", "barrier");
    }

    void lift() { db_.roll_back(); }

private:
    sqlite::Connection db_;
};

/// Results of insertions that run side by side on one loop.
class Crowd {
public:
    explicit Crowd(ports::Store& store)
        : store_(store) {}

    void insert(asio::io_context& loop, const std::string& id) {
        const auto place = results.size();
        results.emplace_back();
        auto done = [this, place](const std::exception_ptr& /*thrown*/, Result<bool> result) {
            results[place] = std::move(result);
        };
        asio::co_spawn(loop, store_.insert_delivery(a_delivery(id)), std::move(done));
    }

    std::size_t inserted() const {
        return static_cast<std::size_t>(std::ranges::count_if(results, [](const auto& result) {
            return result && result->has_value() && **result;
        }));
    }

    std::vector<std::optional<Result<bool>>> results;

private:
    ports::Store& store_;
};

} // namespace

TEST_F(OneFile, KnowsACopyOfARecentDeliveryWhileTheWriterIsStuck) {
    const auto store = open();
    EXPECT_TRUE(run_awaitable(store->insert_delivery(a_delivery("d1"))).value());
    Barrier barrier(path);
    EXPECT_FALSE(run_awaitable(store->insert_delivery(a_delivery("d1"))).value());
    barrier.lift();
}

TEST_F(OneFile, KnowsACopyOfADeliveryFromBeforeTheRestart) {
    {
        const auto store = open();
        EXPECT_TRUE(run_awaitable(store->insert_delivery(a_delivery("d1"))).value());
    }
    const auto store = open();
    EXPECT_FALSE(run_awaitable(store->insert_delivery(a_delivery("d1"))).value());
    EXPECT_FALSE(run_awaitable(store->insert_delivery(a_delivery("d1"))).value());
}

TEST_F(OneFile, KeepsEverythingWhenItIsClosedAndOpenedAgain) {
    {
        const auto store = open();
        ASSERT_TRUE(run_awaitable(store->insert_delivery(a_delivery("d1"))).value_or(false));
        ASSERT_TRUE(
            run_awaitable(store->commit_plan(a_plan("d1", {a_dispatch("d1", "a/one")}, at(1))))
                .has_value()
        );
        ASSERT_EQ(run_awaitable(store->lease(a_lease("a/one", 1, at(1))))->size(), 1U);
        ASSERT_TRUE(run_awaitable(store->add_signing_key("secret", at(1))).has_value());
    }
    const auto store = open();
    EXPECT_FALSE(run_awaitable(store->insert_delivery(a_delivery("d1"))).value_or(true));
    EXPECT_EQ(run_awaitable(store->body_of(DeliveryId("d1"))).value_or(""), a_delivery("d1").body);
    EXPECT_EQ(run_awaitable(store->signing_keys())->at(0).secret, "secret");
    EXPECT_TRUE(run_awaitable(store->lease(a_lease("a/one", 1, at(2))))->empty()
    ); // the lease is still there
    EXPECT_EQ(run_awaitable(store->adopt(InstanceId("relay-2"), at(3)))->voided_leases, 1U);
    EXPECT_EQ(run_awaitable(store->lease(a_lease("a/one", 1, at(3))))->size(), 1U);
}

TEST_F(OneFile, SharesOneCommitAmongAllThatWait) {
    const auto store = open();
    Crowd crowd(*store);
    asio::io_context loop;
    Barrier barrier(path);
    for (int i = 0; i < 200; ++i) {
        crowd.insert(loop, "d" + std::to_string(i));
    }
    loop.poll(); // all queued: the writer has taken some and waits, the rest is behind it
    EXPECT_EQ(store->commits(), 0U);
    EXPECT_EQ(crowd.inserted(), 0U);
    barrier.lift();
    loop.run();
    EXPECT_EQ(crowd.inserted(), 200U);
    EXPECT_EQ(store->operations(), 200U);
    EXPECT_LE(store->commits(), 2U);
}

TEST_F(OneFile, TakesNoMoreIntoOneCommitThanAllowed) {
    const auto store = open();
    Crowd crowd(*store);
    asio::io_context loop;
    Barrier barrier(path);
    for (std::size_t i = 0; i < (limits::kGroupCommitMax * 2) + 1; ++i) {
        crowd.insert(loop, "d" + std::to_string(i));
    }
    loop.poll();
    barrier.lift();
    loop.run();
    EXPECT_EQ(crowd.inserted(), (limits::kGroupCommitMax * 2) + 1);
    EXPECT_GE(store->commits(), 3U);
}

/// What no packing makes shorter.
std::string noise(std::size_t bytes) {
    std::string text(bytes, '\0');
    std::uint64_t state = 1;
    for (auto& letter : text) {
        state = (state * 6'364'136'223'846'793'005U) + 1; // Knuth's, in MMIX
        letter = static_cast<char>(state >> 56U);
    }
    return text;
}

TEST_F(OneFile, KeepsItsLogShortThoughNobodyPauses) {
    constexpr std::size_t kDeliveries = 400;
    const auto store = open();
    const auto body = noise(1 << 20);
    for (std::size_t i = 0; i < kDeliveries; ++i) {
        auto delivery = a_delivery("d" + std::to_string(i));
        delivery.body = body;
        ASSERT_TRUE(run_awaitable(store->insert_delivery(std::move(delivery))).value());
    }
    EXPECT_LT(std::filesystem::file_size(path + "-wal"), kDeliveries * body.size() / 2);
}

TEST_F(OneFile, RefusesAtOnceWhenTooManyWait) {
    const auto store = open();
    Crowd crowd(*store);
    asio::io_context loop;
    Barrier barrier(path);
    for (std::size_t i = 0; i < limits::kWriteQueueMax + limits::kGroupCommitMax + 1; ++i) {
        crowd.insert(loop, "d" + std::to_string(i));
    }
    loop.poll();
    const auto& last = crowd.results.back();
    ASSERT_TRUE(last.has_value()) << "the queue is not bounded";
    EXPECT_EQ(last->error().code, Errc::unavailable);
    EXPECT_THAT(last->error().detail, HasSubstr("wait for the store"));
    barrier.lift();
    loop.run();
    EXPECT_TRUE(run_awaitable(store->insert_delivery(a_delivery("afterwards"))).value_or(false));
}

TEST_F(OneFile, UndoesAFailingOperationWithoutHarmToItsNeighbours) {
    const auto store = open();
    ASSERT_TRUE(run_awaitable(store->insert_delivery(a_delivery("d1"))).has_value());
    Crowd crowd(*store);
    asio::io_context loop;
    Barrier barrier(path);
    crowd.insert(loop, "first");
    crowd.insert(loop, "before");
    std::optional<Result<ports::PlanReceipt>> planned;
    auto plan = a_plan("d1", {a_dispatch("d1", "a/one"), a_dispatch("nobody", "b/two")}, at(1));
    auto done = [&planned](
                    const std::exception_ptr& /*thrown*/, Result<ports::PlanReceipt> result
                ) { planned = std::move(result); };
    asio::co_spawn(loop, store->commit_plan(std::move(plan)), std::move(done));
    crowd.insert(loop, "after");
    loop.poll();
    barrier.lift();
    loop.run();
    EXPECT_LE(store->commits(), 3U);
    EXPECT_EQ(crowd.inserted(), 3U);
    ASSERT_TRUE(planned.has_value());
    EXPECT_EQ(planned->error().code, Errc::not_found);
    EXPECT_TRUE(run_awaitable(store->delivery_history(DeliveryId("d1")))->dispatches.empty());
}

TEST_F(OneFile, LetsACallerGoWhoIsCancelledAndStillDoesTheWork) {
    const auto store = open();
    asio::io_context loop;
    asio::cancellation_signal signal;
    std::optional<Result<bool>> heard;
    auto done = [&heard](const std::exception_ptr& /*thrown*/, Result<bool> result) {
        heard = std::move(result);
    };
    Barrier barrier(path);
    asio::co_spawn(
        loop,
        store->insert_delivery(a_delivery("d1")),
        asio::bind_cancellation_slot(signal.slot(), std::move(done))
    );
    loop.poll();
    signal.emit(asio::cancellation_type::terminal);
    loop.run(); // ends although the writer still waits
    ASSERT_TRUE(heard.has_value());
    EXPECT_EQ(heard->error().code, Errc::cancelled);
    barrier.lift();
    EXPECT_FALSE(run_awaitable(store->insert_delivery(a_delivery("d1"))).value_or(true));
}

TEST_F(OneFile, OutlivesAnEventLoopWhoseOperationIsQueued) {
    const auto store = open();
    auto loop = std::make_unique<asio::io_context>();
    bool heard = false;
    auto done = [&heard](const std::exception_ptr& /*thrown*/, const Result<bool>& /*result*/) {
        heard = true;
    };
    Barrier barrier(path);
    asio::co_spawn(*loop, store->insert_delivery(a_delivery("d1")), std::move(done));
    loop->poll();
    loop.reset();
    barrier.lift();
    EXPECT_FALSE(run_awaitable(store->insert_delivery(a_delivery("d1"))).value_or(true));
    EXPECT_FALSE(heard);
}

TEST_F(OneFile, FinishesWhatIsQueuedBeforeItCloses) {
    auto store = open();
    asio::io_context loop;
    Crowd crowd(*store);
    {
        Barrier barrier(path);
        for (int i = 0; i < 50; ++i) {
            crowd.insert(loop, "d" + std::to_string(i));
        }
        loop.poll();
    }
    store.reset();
    loop.run();
    EXPECT_EQ(crowd.inserted(), 50U);
    EXPECT_EQ(run_awaitable(open()->counts())->deliveries, 50U);
}

TEST_F(OneFile, ServesOneRelayAtATime) {
    auto first = open();
    const auto second = SqliteStore::open({.path = path, .now = at(0)});
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().code, Errc::conflict);
    EXPECT_THAT(second.error().detail, HasSubstr("another baton (process "));
    EXPECT_THAT(second.error().detail, HasSubstr(path + ".lock"));
    first.reset();
    EXPECT_TRUE(SqliteStore::open({.path = path, .now = at(0)}).has_value());
}

TEST_F(OneFile, LetsToolsWorkBesideTheRelay) {
    const auto relay = open();
    ASSERT_TRUE(run_awaitable(relay->insert_delivery(a_delivery("d1"))).has_value());
    const auto tool = open(StoreRole::tool);
    EXPECT_EQ(run_awaitable(tool->counts())->deliveries, 1U);
    ASSERT_TRUE(run_awaitable(tool->insert_delivery(a_delivery("d2"))).has_value());
    EXPECT_EQ(run_awaitable(relay->counts())->deliveries, 2U);
}

TEST_F(OneFile, MakesNothingForATool) {
    const auto tool = SqliteStore::open({.path = path, .role = StoreRole::tool, .now = at(0)});
    ASSERT_FALSE(tool.has_value());
    EXPECT_EQ(tool.error().code, Errc::not_found);
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(OneFile, TellsAToolToMigrateFirst) {
    {
        auto db = *sqlite::open(path, sqlite::Access::create);
        ASSERT_TRUE(apply_migrations(db, sqlite::embedded_migrations().first(1), at(0)).has_value()
        );
    }
    const auto tool = SqliteStore::open({.path = path, .role = StoreRole::tool, .now = at(0)});
    ASSERT_FALSE(tool.has_value());
    EXPECT_EQ(tool.error().code, Errc::conflict);
    EXPECT_THAT(tool.error().detail, HasSubstr("baton db migrate"));
}

TEST_F(OneFile, SaysWhyAFileCannotBeMade) {
    const auto store =
        SqliteStore::open({.path = folder.file("no/such/folder/baton.db"), .now = at(0)});
    ASSERT_FALSE(store.has_value());
    EXPECT_EQ(store.error().code, Errc::unavailable);
    EXPECT_THAT(store.error().detail, HasSubstr("No such file or directory"));
}

TEST_F(OneFile, HidesItsKeysFromOtherUsers) {
    const auto store = open();
    ASSERT_TRUE(run_awaitable(store->add_signing_key("secret", at(1))).has_value());
    for (const auto* suffix : {"", "-wal", "-shm"}) {
        SCOPED_TRACE(suffix);
        const auto rights = std::filesystem::status(path + suffix).permissions();
        EXPECT_EQ(
            rights & std::filesystem::perms::mask,
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write
        );
    }
}

TEST_F(OneFile, IsSetUpToLoseNothing) {
    const auto store = open();
    auto db = *sqlite::open(path, sqlite::Access::read);
    static constexpr sqlite::Query kMode{"mode", "PRAGMA journal_mode"};
    static constexpr sqlite::Query kPage{"page", "PRAGMA page_size"};
    static constexpr sqlite::Query kSync{"sync", "PRAGMA synchronous"};
    static constexpr sqlite::Query kKeys{"keys", "PRAGMA foreign_keys"};
    const auto answer = [&db](const sqlite::Query& query) {
        auto rows = db.rows(query);
        return rows.next() ? rows.text(0) : std::string();
    };
    EXPECT_EQ(answer(kMode), "wal");
    EXPECT_EQ(answer(kPage), "8192");
    EXPECT_EQ(answer(kSync), "3"); // EXTRA: FULL, and the folder around journals
    EXPECT_EQ(answer(kKeys), "1");
}

} // namespace baton::store
