#pragma once

#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/net/http.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace baton::net {

/// Sees the body of one request while it is read, before anybody holds all of it: the place where a
/// signature is computed for free. Made per request by its route.
class BodyTap {
public:
    BodyTap() = default;
    BodyTap(const BodyTap&) = delete;
    BodyTap& operator=(const BodyTap&) = delete;
    virtual ~BodyTap() = default;
    virtual void chunk(std::span<const char> bytes) = 0;
};

/// A share of the bytes that unverified bodies may hold at once; given back when it dies.
class BodyShare {
public:
    BodyShare() = default;

    explicit BodyShare(std::shared_ptr<void> token)
        : token_(std::move(token)) {}

    void release() { token_.reset(); }

private:
    std::shared_ptr<void> token_;
};

struct Request {
    RequestHead head;
    /// On routes that take bodies its capacity leaves at least 64 bytes behind the end, as simdjson
    /// wants.
    std::string body;
    std::unique_ptr<BodyTap> tap;
    BodyShare share; // release it as soon as the body is trusted
    /// What `{}` and `{*}` of the route's path matched, in order and as sent: percent_decode() in
    /// url.hpp, and beware of "..".
    std::vector<std::string> captures;
};

/// Runs on the thread of its connection and is cancelled there when the server stops and cannot
/// wait longer. What it throws becomes a 500. Called from all threads at once.
using Handler = std::function<boost::asio::awaitable<Response>(Request)>;

struct Route {
    std::string method; // "GET" also answers HEAD
    std::string path;   // "/healthz"; "{}" is one segment, "{}.md" one that ends so, "{*}" the rest
    Handler handler;
    std::size_t body_bytes_max{0};                                   // longer: 413
    std::function<std::unique_ptr<BodyTap>(const RequestHead&)> tap; // optional
    /// Optional: answers before the body is read (a missing signature needs no body).
    std::function<std::optional<Response>(const RequestHead&)> early;
};

/// The PEM texts themselves, not paths; the certificate may be followed by its chain.
struct TlsFiles {
    std::string certificate_pem;
    std::string key_pem;
};

/// Whether a server could use them; `invalid` with a sentence for people.
Result<void> check_tls(const TlsFiles& files);

struct ServerOptions {
    std::string host{"127.0.0.1"};
    std::uint16_t port{0};                     // 0: any free one
    std::string address_setting{"\"listen\""}; // what to change when the address cannot be had
    std::size_t threads{2};
    std::optional<TlsFiles> tls;
    std::size_t connections_max{limits::kConnectionsMax};
    std::size_t unverified_bytes_max{limits::kUnverifiedBytesMax};
    std::chrono::milliseconds header_wait{limits::kHeaderWait};
    std::chrono::milliseconds body_wait{limits::kBodyWait};
    std::chrono::milliseconds idle_wait{limits::kIdleWait};
    std::chrono::milliseconds write_wait{limits::kWriteWait};
    /// Told about what a handler threw; the client gets a plain 500. Also told, once a minute, that
    /// connections cannot be accepted. Called from any thread of the server.
    std::function<void(std::string)> on_surprise;
};

/// Whether the address can be had now; `unavailable` with the sentence that `Server::start` would
/// say. For finding out before anything else is touched.
Result<void> check_address(const ServerOptions& options);

/// An HTTP/1.1 server: one thread and one io_context per acceptor, all on one port (SO_REUSEPORT),
/// so requests never cross threads. Handlers run on the thread of their connection.
///
/// Unknown path: 404 {"detail":"Not found"}; known path, other method: 405 with Allow; body too
/// long: 413; no room for another unverified body: 503 with Retry-After; malformed request: 400;
/// header too long: 431; slow client: closed. Every answer has Content-Type, Content-Length
/// (unless it is sent piece by piece) and X-Content-Type-Options: nosniff.
class Server {
public:
    Server(ServerOptions options, std::vector<Route> routes);
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;
    ~Server(); // stops without waiting for requests

    /// Binds and starts to accept. `unavailable` with a sentence for people when the address cannot
    /// be had, also when another process has it with SO_REUSEPORT; `invalid` when the TLS files are
    /// of no use.
    Result<void> start();
    std::uint16_t port() const; // the real one, after start

    /// Stops accepting, closes idle connections, lets requests under way end within `wait`, then
    /// closes what is left and cancels its handlers, joins. A handler that cannot be cancelled
    /// is awaited: what it waits for must still be alive. Idempotent; not from a handler.
    void stop(std::chrono::milliseconds wait);

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace baton::net
