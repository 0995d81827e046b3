#include "baton/base/result.hpp"
#include "baton/store/sqlite/engine.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <memory>
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

std::unique_ptr<SqliteStore> open_at(const std::string& path) {
    auto opened = SqliteStore::open({.path = path, .now = at(0)});
    if (!opened) {
        throw std::runtime_error(opened.error().detail);
    }
    return *std::move(opened);
}

/// Bytes that do not compress, the same every time.
std::string noise(std::size_t size, std::uint64_t seed) {
    std::string bytes;
    bytes.reserve(size);
    std::uint64_t state = seed + 1;
    while (bytes.size() < size) {
        state = (state * 6364136223846793005U) + 1442695040888963407U;
        bytes.push_back(static_cast<char>(state >> 56U));
    }
    return bytes;
}

ports::NewDelivery big_delivery(int number) {
    auto delivery = a_delivery("big-" + std::to_string(number));
    delivery.body = noise(40'000, static_cast<std::uint64_t>(number));
    return delivery;
}

/// No file of this process may grow past `bytes`: to SQLite it looks like a disk without room.
class SmallDisk {
public:
    explicit SmallDisk(rlim_t bytes) {
        before_ = ::signal(SIGXFSZ, SIG_IGN); // the write fails instead
        getrlimit(RLIMIT_FSIZE, &limit_);
        const rlimit small{.rlim_cur = bytes, .rlim_max = limit_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &small);
    }

    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    ~SmallDisk() {
        setrlimit(RLIMIT_FSIZE, &limit_);
        static_cast<void>(::signal(SIGXFSZ, before_));
    }

private:
    rlimit limit_{};
    void (*before_)(int){nullptr};
};

} // namespace

TEST(SqliteTrouble, SaysUnavailableWithoutRoomAndGoesOnWhenThereIsSome) {
    const TempFolder folder;
    const auto path = folder.file("baton.db");
    std::vector<int> kept;
    {
        const auto store = open_at(path);
        int number = 0;
        const auto insert = [&] {
            auto result = run_awaitable(store->insert_delivery(big_delivery(++number)));
            if (result) {
                kept.push_back(number);
            }
            return result;
        };
        ASSERT_TRUE(insert().has_value());
        {
            const SmallDisk disk(std::filesystem::file_size(path + "-wal") + 200'000);
            auto result = insert();
            while (result) {
                ASSERT_LT(number, 50) << "the disk never fills up";
                result = insert();
            }
            EXPECT_EQ(result.error().code, Errc::unavailable);
            EXPECT_THAT(result.error().detail, testing::HasSubstr("the store's disk"));
            static_cast<void>(insert()); // the log begins anew, which may make room
            EXPECT_EQ(run_awaitable(store->counts())->deliveries, kept.size()); // reading goes on
        }
        EXPECT_TRUE(insert().has_value());
        EXPECT_TRUE(insert().has_value());
        EXPECT_EQ(run_awaitable(store->counts())->deliveries, kept.size());
    }
    const auto store = open_at(path);
    EXPECT_EQ(run_awaitable(store->counts())->deliveries, kept.size());
    for (const auto number : kept) {
        EXPECT_EQ(
            run_awaitable(store->body_of(big_delivery(number).id)).value_or(""),
            big_delivery(number).body
        );
    }
}

TEST(SqliteTrouble, FailsAWholeCommitForEveryoneInIt) {
    const TempFolder folder;
    const auto path = folder.file("baton.db");
    const auto store = open_at(path);
    asio::io_context loop;
    std::size_t refused = 0;
    {
        const SmallDisk disk(std::filesystem::file_size(path + "-wal") + 200'000);
        auto barrier = *sqlite::open(path, sqlite::Access::write);
        barrier.script("BEGIN IMMEDIATE", "barrier");
        for (int i = 0; i < 100; ++i) {
            auto done =
                [&refused](const std::exception_ptr& /*thrown*/, const Result<bool>& result) {
                    refused += !result && result.error().code == Errc::unavailable ? 1U : 0U;
                };
            asio::co_spawn(loop, store->insert_delivery(big_delivery(i)), std::move(done));
        }
        loop.poll();
        barrier.roll_back();
        loop.run();
    }
    const auto counts = run_awaitable(store->counts());
    ASSERT_TRUE(counts.has_value());
    EXPECT_GE(refused, 50U);
    EXPECT_EQ(counts->deliveries, 100U - refused);
}

namespace {

/// Inserts for ever and writes each acknowledged number to the pipe, one line each.
asio::awaitable<void> insert_for_ever(ports::Store* store, int first, int step, int pipe) {
    for (int number = first;; number += step) {
        auto delivery = big_delivery(number);
        const auto result = co_await store->insert_delivery(std::move(delivery));
        const auto line = std::to_string(number) + "\n";
        if (!result || write(pipe, line.data(), line.size()) < 0) {
            _exit(1);
        }
    }
}

[[noreturn]] void be_the_relay(const std::string& path, int pipe) {
    const auto store = open_at(path);
    asio::io_context loop;
    constexpr int kSideBySide = 16;
    for (int i = 0; i < kSideBySide; ++i) {
        asio::co_spawn(
            loop,
            insert_for_ever(store.get(), i, kSideBySide, pipe),
            [](const std::exception_ptr&) { _exit(2); }
        );
    }
    loop.run();
    _exit(3);
}

/// Reads whole lines until there are `enough`, or until the other end is closed.
void read_numbers(int pipe, std::string& rest, std::vector<int>& numbers, std::size_t enough) {
    char buffer[4096];
    while (numbers.size() < enough) {
        const auto size = read(pipe, buffer, sizeof buffer);
        if (size <= 0) {
            return;
        }
        rest.append(buffer, static_cast<std::size_t>(size));
        for (auto end = rest.find('\n'); end != std::string::npos; end = rest.find('\n')) {
            numbers.push_back(std::stoi(rest.substr(0, end)));
            rest.erase(0, end + 1);
        }
    }
}

} // namespace

TEST(SqliteTrouble, LosesNothingAcknowledgedWhenKilledInTheMiddle) {
    const TempFolder folder;
    const auto path = folder.file("baton.db");
    for (const std::size_t enough : {1U, 50U, 300U}) {
        std::filesystem::remove(path);
        std::filesystem::remove(path + "-wal");
        std::filesystem::remove(path + "-shm");
        int ends[2]{};
        ASSERT_EQ(pipe(ends), 0);
        const auto child = fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            close(ends[0]);
            be_the_relay(path, ends[1]);
        }
        close(ends[1]);
        std::vector<int> acknowledged;
        std::string rest;
        read_numbers(ends[0], rest, acknowledged, enough);
        kill(child, SIGKILL);
        read_numbers(ends[0], rest, acknowledged, SIZE_MAX); // what it said before it died
        close(ends[0]);
        int status = 0;
        waitpid(child, &status, 0);
        ASSERT_TRUE(WIFSIGNALED(status)) << "it ended by itself with " << WEXITSTATUS(status);
        ASSERT_GE(acknowledged.size(), enough);

        const auto store = open_at(path);
        for (const auto number : acknowledged) {
            const auto body = run_awaitable(store->body_of(big_delivery(number).id));
            ASSERT_TRUE(body.has_value()) << number << " was acknowledged and is lost";
            ASSERT_EQ(*body, big_delivery(number).body);
        }
    }
}

} // namespace baton::store
