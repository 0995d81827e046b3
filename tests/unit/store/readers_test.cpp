#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/store/sql/readers.hpp"
#include "baton/store/sqlite/engine.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <exception>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "support/temp_folder.hpp"

namespace baton::store::sql {

namespace {

namespace asio = boost::asio;

class Reading : public testing::Test {
protected:
    Reading() {
        std::vector<Connection> connections;
        connections.push_back(*sqlite::open(folder.file("any.db"), sqlite::Access::create));
        readers.emplace(std::move(connections));
    }

    /// A read that ends when the gate opens; counted by how it ended.
    void read(asio::io_context& loop) {
        auto work = [gate = open_gate](Connection& /*db*/) -> Result<int> {
            gate.wait();
            return 7;
        };
        auto done = [this](const std::exception_ptr& /*thrown*/, const Result<int>& result) {
            ++(result ? answered : refused);
            unavailable += !result && result.error().code == Errc::unavailable ? 1U : 0U;
        };
        asio::co_spawn(loop, readers->submit<int>(std::move(work)), std::move(done));
    }

    test::TempFolder folder;
    std::promise<void> gate;
    std::shared_future<void> open_gate{gate.get_future().share()};
    std::size_t answered{0};
    std::size_t refused{0};
    std::size_t unavailable{0};
    std::optional<Readers> readers;
};

} // namespace

TEST_F(Reading, IsRefusedAtOnceWhenTooManyWait) {
    asio::io_context loop;
    for (std::size_t i = 0; i < limits::kReadQueueMax + 3; ++i) {
        read(loop);
    }
    loop.poll();
    EXPECT_EQ(refused, 3U);
    EXPECT_EQ(unavailable, 3U);
    gate.set_value();
    loop.run();
    EXPECT_EQ(answered, limits::kReadQueueMax);
}

TEST_F(Reading, OutlivesTheLoopThatAsked) {
    auto loop = std::make_unique<asio::io_context>();
    read(*loop);
    loop->poll();
    loop.reset();
    gate.set_value();
    readers.reset(); // finishes what is queued
    EXPECT_EQ(answered + refused, 0U);
}

TEST_F(Reading, FailsAloneWhenItsWorkThrows) {
    asio::io_context loop;
    auto work = [](Connection& /*db*/) -> Result<int> { throw std::runtime_error("no memory"); };
    std::optional<Errc> code;
    auto done = [&code](const std::exception_ptr& /*thrown*/, const Result<int>& result) {
        code = result.error().code;
    };
    asio::co_spawn(loop, readers->submit<int>(std::move(work)), std::move(done));
    loop.run();
    EXPECT_EQ(code, Errc::unavailable);
    gate.set_value();
    loop.restart();
    read(loop);
    loop.run();
    EXPECT_EQ(answered, 1U);
}

} // namespace baton::store::sql
