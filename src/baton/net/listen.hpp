#pragma once

#include "baton/base/result.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <cstdint>
#include <string>

namespace baton::net {

using Acceptor = boost::asio::
    basic_socket_acceptor<boost::asio::ip::tcp, boost::asio::io_context::executor_type>;

/// The address to listen on; a name is looked up (this blocks, so at start only).
Result<boost::asio::ip::tcp::endpoint> endpoint_of(const std::string& host, std::uint16_t port);

/// Whether the address is free for us alone. SO_REUSEPORT would let us share the port of another
/// program of the same user without a word, and half of the requests would go there; a bind without
/// it finds out. `setting` is what the sentence about a refusal says to change.
Result<void>
ensure_free(const boost::asio::ip::tcp::endpoint& endpoint, const std::string& setting);

/// Opens, binds and listens with SO_REUSEPORT.
Result<void> open(
    Acceptor& acceptor, const boost::asio::ip::tcp::endpoint& endpoint, const std::string& setting
);

} // namespace baton::net
