#include "baton/net/server.hpp"

#include "baton/async/task_group.hpp"
#include "baton/base/assert.hpp"
#include "baton/base/result.hpp"
#include "baton/net/byte_budget.hpp"
#include "baton/net/listen.hpp"
#include "baton/net/roster.hpp"
#include "baton/net/router.hpp"
#include "baton/net/session.hpp"
#include "baton/net/tls.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace baton::net {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;
using std::chrono::milliseconds;

namespace {

constexpr auto kTuple = asio::as_tuple(asio::use_awaitable);
constexpr milliseconds kAcceptPause{100}; // after a refused accept: no free descriptors, mostly
constexpr std::chrono::minutes kAcceptToldAgain{1}; // at the limit it may come and go all the time

/// How often the roster is swept: a fraction of the shortest wait, so that late stays close to the
/// word.
milliseconds sweep_time(const ServerOptions& options) {
    const auto shortest =
        std::min({options.header_wait, options.body_wait, options.idle_wait, options.write_wait});
    return std::clamp(shortest / 4, milliseconds{5}, milliseconds{500});
}

/// One thread with its own acceptor and event loop; requests stay where they were accepted.
class Shard {
public:
    explicit Shard(ServerCore& core)
        : core_(core)
        , acceptor_(io_)
        , pause_(io_)
        , sweep_(io_)
        , limit_(io_)
        , keepers_(
              io_.get_executor(), [&core](std::string what) { core.surprise(std::move(what)); }
          )
        , sessions_(io_.get_executor(), [&core](std::string what) {
            core.surprise(std::move(what));
        }) {}

    Result<void> open(const tcp::endpoint& endpoint) {
        return net::open(acceptor_, endpoint, core_.options.address_setting);
    }

    tcp::endpoint endpoint() const { return acceptor_.local_endpoint(); }

    void start() {
        keepers_.spawn(accept());
        keepers_.spawn(sweep());
        thread_ = std::thread([this] { run(); });
    }

    std::future<void> begin_stop(milliseconds wait) {
        return asio::co_spawn(io_, drain(wait), asio::use_future);
    }

    void join() { thread_.join(); }

private:
    void run();
    asio::awaitable<void> accept();
    void tell_deaf(const error_code& error);
    asio::awaitable<void> sweep();
    asio::awaitable<void> drain(milliseconds wait);

    ServerCore& core_;
    asio::io_context io_{1};
    Acceptor acceptor_;
    asio::steady_timer pause_;
    asio::steady_timer sweep_;
    asio::steady_timer limit_;
    Roster roster_;
    Roster::Clock::time_point told_deaf_until_;
    async::TaskGroup keepers_; // accept and sweep
    async::TaskGroup sessions_;
    std::thread thread_;
};

void Shard::run() {
    for (;;) {
        try {
            io_.run();
            return; // nothing left to do: stopped
        } catch (const std::exception& error) {
            core_.surprise(error.what());
        }
    }
}

asio::awaitable<void> Shard::accept() {
    while (!roster_.stopping()) {
        auto [ec, socket] = co_await acceptor_.async_accept(kTuple);
        if (roster_.stopping()) {
            co_return;
        }
        if (ec == asio::error::connection_aborted) {
            continue; // that one is gone; the next may wait behind it
        }
        if (ec) {
            tell_deaf(ec);
            pause_.expires_after(kAcceptPause);
            static_cast<void>(co_await pause_.async_wait(kTuple));
            continue;
        }
        if (core_.connections.load(std::memory_order_relaxed) >= core_.options.connections_max) {
            continue; // the socket closes here: who waits for an answer shall not wait in vain
        }
        socket.set_option(tcp::no_delay(true), ec);
        sessions_.spawn(serve(std::move(socket), &core_, &roster_));
    }
}

void Shard::tell_deaf(const error_code& error) {
    const auto now = Roster::Clock::now();
    if (now < told_deaf_until_) {
        return;
    }
    told_deaf_until_ = now + kAcceptToldAgain;
    const bool full = error == asio::error::no_descriptors;
    core_.surprise(fmt::format(
        "cannot accept connections: {}; they wait, and it is tried again{}",
        error.message(),
        full ? "; raise the limit of open files (ulimit -n, or LimitNOFILE of the service)" : ""
    ));
}

asio::awaitable<void> Shard::sweep() {
    const auto time = sweep_time(core_.options);
    for (;;) {
        sweep_.expires_after(time);
        const auto [ec] = co_await sweep_.async_wait(kTuple);
        if (ec) {
            co_return;
        }
        roster_.close_late(Roster::Clock::now());
    }
}

asio::awaitable<void> Shard::drain(milliseconds wait) {
    error_code ignored;
    roster_.stop();
    acceptor_.close(ignored);
    pause_.cancel();
    limit_.expires_after(wait);
    limit_.async_wait([this](const error_code& stopped) {
        if (!stopped) {
            roster_.close_all();
            sessions_.cancel();
        }
    });
    co_await sessions_.join();
    limit_.cancel();
    keepers_.cancel();
    co_await keepers_.join();
}

} // namespace

class Server::Impl {
public:
    Impl(ServerOptions options, std::vector<Route> routes)
        : core_{
              .options = std::move(options),
              .router = Router(std::move(routes)),
              .budget = nullptr,
              .tls = nullptr,
          } {
        core_.budget = std::make_shared<ByteBudget>(core_.options.unverified_bytes_max);
    }

    Result<void> start();
    void stop(milliseconds wait);

    std::uint16_t port() const { return port_; }

private:
    Result<void> open_shards();

    ServerCore core_;
    std::uint16_t port_{0};
    std::mutex stopping_; // two stops at once: the second waits for the first
    std::vector<std::unique_ptr<Shard>> shards_;
};

Result<void> Server::Impl::start() {
    BATON_ASSERT(shards_.empty()); // once, or again after a stop
    if (core_.options.tls) {
        BATON_TRY(auto context, server_tls(*core_.options.tls));
        core_.tls = std::make_unique<asio::ssl::context>(std::move(context));
    }
    if (auto opened = open_shards(); !opened) {
        shards_.clear();
        return opened;
    }
    for (const auto& shard : shards_) {
        shard->start();
    }
    return {};
}

Result<void> Server::Impl::open_shards() {
    if (auto free = check_address(core_.options); !free) {
        return free;
    }
    BATON_TRY(auto endpoint, endpoint_of(core_.options.host, core_.options.port));
    const auto threads = std::max<std::size_t>(core_.options.threads, 1);
    while (shards_.size() < threads) {
        shards_.push_back(std::make_unique<Shard>(core_));
        if (auto opened = shards_.back()->open(endpoint); !opened) {
            return opened;
        }
        endpoint = shards_.back()->endpoint(); // port 0: the first one chose for all
    }
    port_ = endpoint.port();
    return {};
}

void Server::Impl::stop(milliseconds wait) {
    const std::lock_guard guard(stopping_);
    std::vector<std::future<void>> ends;
    ends.reserve(shards_.size());
    for (const auto& shard : shards_) {
        ends.push_back(shard->begin_stop(wait));
    }
    for (auto& end : ends) {
        end.get();
    }
    for (const auto& shard : shards_) {
        shard->join();
    }
    shards_.clear();
}

Result<void> check_address(const ServerOptions& options) {
    BATON_TRY(const auto endpoint, endpoint_of(options.host, options.port));
    return ensure_free(endpoint, options.address_setting);
}

Server::Server(ServerOptions options, std::vector<Route> routes)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(routes))) {}

Server::~Server() {
    stop(milliseconds{0});
}

Result<void> Server::start() {
    return impl_->start();
}

std::uint16_t Server::port() const {
    return impl_->port();
}

void Server::stop(milliseconds wait) {
    impl_->stop(wait);
}

} // namespace baton::net
