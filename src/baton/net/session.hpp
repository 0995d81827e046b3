#pragma once

#include "baton/net/byte_budget.hpp"
#include "baton/net/roster.hpp"
#include "baton/net/router.hpp"
#include "baton/net/server.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace baton::net {

/// The concrete executor spares Asio the bookkeeping that a type-erased one needs for every
/// operation.
using ServerSocket =
    boost::asio::basic_stream_socket<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

/// What all threads of a server share: fixed once it runs, but for the counts.
struct ServerCore {
    ServerOptions options;
    Router router;
    std::shared_ptr<ByteBudget> budget;
    std::unique_ptr<boost::asio::ssl::context> tls; // none: plain HTTP
    std::atomic<std::size_t> connections{0};

    void surprise(std::string what) const {
        if (options.on_surprise) {
            options.on_surprise(std::move(what));
        }
    }
};

/// Serves one accepted connection, request after request, until either side ends it. Runs on the
/// thread of the roster; both pointers outlive it. Counts itself in `core->connections` from the
/// first step to the last.
boost::asio::awaitable<void> serve(ServerSocket socket, ServerCore* core, Roster* roster);

} // namespace baton::net
