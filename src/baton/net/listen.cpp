#include "baton/net/listen.hpp"

#include "baton/base/result.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/socket_base.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>
#include <sys/socket.h> // SO_REUSEPORT

#include <cstdint>
#include <string>

namespace baton::net {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

using ReusePort = asio::detail::socket_option::boolean<SOL_SOCKET, SO_REUSEPORT>;

std::string shown(const tcp::endpoint& endpoint) {
    const auto address = endpoint.address().to_string();
    return endpoint.address().is_v6() ? fmt::format("[{}]:{}", address, endpoint.port())
                                      : fmt::format("{}:{}", address, endpoint.port());
}

std::string reason_for(const error_code& error, const std::string& setting) {
    if (error == asio::error::address_in_use) {
        return "the address is in use; stop the other program or change " + setting;
    }
    if (error == asio::error::access_denied) {
        return "not permitted; ports below 1024 need the right to bind them, or change " + setting;
    }
    if (error == boost::system::errc::address_not_available) {
        return "this machine has no such address; change " + setting;
    }
    return error.message();
}

Result<void>
outcome(const error_code& error, const tcp::endpoint& endpoint, const std::string& setting) {
    if (error) {
        return fail(
            Errc::unavailable,
            fmt::format("cannot listen on {}: {}", shown(endpoint), reason_for(error, setting))
        );
    }
    return {};
}

/// Runs the steps in order until one fails.
error_code bound(Acceptor& acceptor, const tcp::endpoint& endpoint, bool share) {
    error_code ec;
    acceptor.open(endpoint.protocol(), ec);
    if (!ec) {
        acceptor.set_option(asio::socket_base::reuse_address(true), ec); // past connections linger
    }
    if (!ec && share) {
        acceptor.set_option(ReusePort(true), ec);
    }
    if (!ec) {
        acceptor.bind(endpoint, ec);
    }
    return ec;
}

} // namespace

Result<tcp::endpoint> endpoint_of(const std::string& host, std::uint16_t port) {
    std::string bare = host;
    if (bare.starts_with('[') && bare.ends_with(']')) {
        bare = bare.substr(1, bare.size() - 2);
    }
    error_code ec;
    const auto address = asio::ip::make_address(bare, ec);
    if (!ec) {
        return tcp::endpoint(address, port);
    }
    asio::io_context io;
    tcp::resolver resolver(io);
    const auto found = resolver.resolve(bare, "", tcp::resolver::passive, ec);
    if (ec || found.empty()) {
        return fail(
            Errc::unavailable,
            fmt::format("cannot listen on {}:{}: no address has that name", host, port)
        );
    }
    return tcp::endpoint(found.begin()->endpoint().address(), port);
}

Result<void> ensure_free(const tcp::endpoint& endpoint, const std::string& setting) {
    asio::io_context io(1);
    Acceptor probe(io.get_executor());
    return outcome(bound(probe, endpoint, false), endpoint, setting);
}

Result<void> open(Acceptor& acceptor, const tcp::endpoint& endpoint, const std::string& setting) {
    auto ec = bound(acceptor, endpoint, true);
    if (!ec) { // or Asio waits for the next connection while others wait behind the aborted one
        acceptor.set_option(asio::socket_base::enable_connection_aborted(true), ec);
    }
    if (!ec) {
        acceptor.listen(asio::socket_base::max_listen_connections, ec);
    }
    return outcome(ec, endpoint, setting);
}

} // namespace baton::net
