// bench_bare_server: the relay's HTTP server with a webhook route that does nothing.
//
// It takes the same body and answers 202 like the relay, without looking at it: what is left of the
// relay's speed when verifying, parsing, packing and committing cost nothing. Its address is the
// first line; it runs until SIGTERM.

#include "baton/base/limits.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/core.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>

namespace {

using namespace baton;

boost::asio::awaitable<net::Response> accepted(net::Request /*request*/) {
    co_return net::Response{
        .status = 202,
        .body =
            R"({"ok":true,"accepted":true,"delivery_id":"00000000-0000-0000-0000-000000000000"})"
    };
}

int serve() {
    boost::asio::io_context loop;
    boost::asio::signal_set signals(loop, SIGTERM, SIGINT);
    signals.async_wait([](const boost::system::error_code& /*none*/, int /*number*/) {});
    net::Server server(
        {.host = "127.0.0.1"},
        {{.method = "POST",
          .path = "/github/webhook",
          .handler = accepted,
          .body_bytes_max = limits::kWebhookBodyBytesMax}}
    );
    if (const auto started = server.start(); !started) {
        fmt::print(stderr, "bench_bare_server: {}\n", started.error().detail);
        return 1;
    }
    fmt::print("http://127.0.0.1:{}\n", server.port());
    static_cast<void>(std::fflush(stdout)); // whoever waits for the address reads a pipe
    loop.run();
    server.stop(std::chrono::seconds(1));
    return 0;
}

} // namespace

int main() {
    try {
        return serve();
    } catch (const std::exception& error) {
        fmt::print(stderr, "bench_bare_server: {}\n", error.what());
        return 1;
    }
}
