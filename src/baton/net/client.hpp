#pragma once

#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/net/http.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

namespace baton::net {

struct ClientRequest {
    std::string method{"GET"};
    std::string target; // path and query, appended to the path of the base URL
    Headers headers;    // Host, User-Agent, Content-Length are ours
    std::string body;
};

struct ClientReply {
    int status{0};
    Headers headers;
    std::string body;
};

/// Why there is no reply. `maybe_sent` is false only when certainly no byte of the request left us.
struct ClientFailure {
    bool maybe_sent{false};
    Errc code{Errc::unavailable
    }; // unavailable, timed_out, cancelled, invalid (reply not HTTP or too large)
    std::string detail;
};

struct ClientOptions {
    std::string base_url; // https://api.github.com, http://127.0.0.1:4000/prefix
    std::string user_agent{"baton/" BATON_VERSION};
    std::string ca_file; // extra trust anchor for tests and enterprise servers; empty: the system's
    std::size_t idle_max{limits::kIdleConnectionsMax};
    std::chrono::milliseconds idle_age{limits::kIdleConnectionAge};
    std::size_t reply_bytes_max{limits::kReplyBytesMax};
};

/// An HTTP/1.1 client for one host: keeps connections alive, verifies certificates and host names
/// always, follows no redirect by itself. All calls on one executor (one thread), and all of them
/// end before the client does. Never resends by itself: whether twice is harmless is for the caller
/// to know.
class Client {
public:
    /// `invalid` when base_url is not one that Baton may talk to (see url.hpp) or ca_file cannot be
    /// used.
    static Result<std::unique_ptr<Client>>
    make(boost::asio::any_io_executor executor, ClientOptions options);
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;
    ~Client();

    /// The whole exchange, connecting included, within `wait`.
    boost::asio::awaitable<tl::expected<ClientReply, ClientFailure>>
    send(ClientRequest request, std::chrono::milliseconds wait);

private:
    class Impl;
    explicit Client(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace baton::net
