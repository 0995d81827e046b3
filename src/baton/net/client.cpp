#include "baton/net/client.hpp"

#include "baton/async/deadline.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/net/lookup.hpp"
#include "baton/net/parsers.hpp"
#include "baton/net/request_text.hpp"
#include "baton/net/response_text.hpp"
#include "baton/net/tls.hpp"
#include "baton/net/url.hpp"
#include "baton/net/wire.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream_base.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace baton::net {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;
using std::chrono::steady_clock;

namespace {

constexpr std::size_t kReadStep = std::size_t{16} * 1024;
constexpr std::size_t kInlineBody = kReadStep; // leaves in one piece with its head
constexpr int kInterimMax = 8;                 // replies like "100 Continue" before the real one
constexpr int kSwitching = 101;

using Reply = tl::expected<ClientReply, ClientFailure>;
using Endpoints = std::vector<tcp::endpoint>;

struct Connection {
    explicit Connection(tcp::socket socket)
        : wire(std::move(socket)) {}

    /// Whether the server still listens: an idle connection has nothing to read, not even an end.
    /// Within TLS, too, a server that keeps the connection says nothing between replies.
    bool is_alive() {
        char byte = 0;
        const auto got =
            ::recv(wire.socket().native_handle(), &byte, sizeof(byte), MSG_PEEK | MSG_DONTWAIT);
        return got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
    }

    Wire<tcp::socket> wire;
    boost::beast::flat_buffer buffer;
    steady_clock::time_point idle_since;
};

/// One request under way; lives in the frame of send().
struct Call {
    std::string head;
    std::string body;
    bool head_only{false};
    bool maybe_sent{false};

    tl::unexpected<ClientFailure> failed(Errc code, std::string detail) const {
        return tl::unexpected<ClientFailure>(
            ClientFailure{.maybe_sent = maybe_sent, .code = code, .detail = std::move(detail)}
        );
    }
};

bool is_http(const error_code& error) {
    return error.category() == http::make_error_code(http::error::need_more).category();
}

} // namespace

class Client::Impl {
public:
    Impl(
        asio::any_io_executor executor,
        ClientOptions options,
        Url base,
        std::unique_ptr<asio::ssl::context> tls
    )
        : executor_(std::move(executor))
        , options_(std::move(options))
        , base_(std::move(base))
        , tls_(std::move(tls))
        , lookup_(executor_, base_.host, base_.port) {}

    asio::awaitable<Reply> send(ClientRequest request, std::chrono::milliseconds wait);

private:
    using Connected = tl::expected<std::unique_ptr<Connection>, ClientFailure>;

    asio::awaitable<Reply> exchange(Call* call);
    asio::awaitable<Connected> connect(const Call* call);
    static asio::awaitable<error_code> reach(tcp::socket* socket, Endpoints endpoints);
    asio::awaitable<error_code> shake_hands(Connection* connection);
    static asio::awaitable<error_code> write(Connection* connection, Call* call);
    static asio::awaitable<error_code> read(Connection* connection, ReplyParser* parser);

    std::unique_ptr<Connection> take_idle();
    void keep(std::unique_ptr<Connection> connection);
    tl::unexpected<ClientFailure> broken(const Call& call, const error_code& error) const;

    asio::any_io_executor executor_;
    ClientOptions options_;
    Url base_;
    std::unique_ptr<asio::ssl::context> tls_; // for https
    Lookup lookup_;
    std::deque<std::unique_ptr<Connection>> idle_; // the longest idle first
};

asio::awaitable<Reply> Client::Impl::send(ClientRequest request, std::chrono::milliseconds wait) {
    Call call;
    if (auto fault = fault_of(request)) {
        co_return call.failed(Errc::invalid, *std::move(fault));
    }
    call.head = head_of(request, base_, options_.user_agent);
    call.body = std::move(request.body);
    call.head_only = request.method == "HEAD";

    std::exception_ptr thrown;
    try {
        auto work = exchange(&call); // ends before `call` does: with_deadline waits for it
        auto reply = co_await async::with_deadline(std::move(work), wait);
        if (reply) {
            co_return *std::move(reply);
        }
    } catch (...) {
        thrown = std::current_exception();
    }
    if (!thrown) {
        co_return call.failed(
            Errc::timed_out, fmt::format("{}: no reply within {} ms", base_.text(), wait.count())
        );
    }
    if (!async::is_cancellation(thrown)) {
        std::rethrow_exception(thrown);
    }
    co_return call.failed(Errc::cancelled, "cancelled");
}

asio::awaitable<Reply> Client::Impl::exchange(Call* call) {
    auto connection = take_idle();
    if (!connection) {
        auto made = co_await connect(call);
        if (!made) {
            co_return tl::unexpected<ClientFailure>(std::move(made).error());
        }
        connection = *std::move(made);
    }
    const auto unsent = co_await write(connection.get(), call);
    if (unsent && (!call->maybe_sent || unsent == asio::error::operation_aborted)) {
        co_return broken(*call, unsent);
    }
    // A server may answer and close before it has read everything: then its answer is still there
    // to read.
    for (int interim = 0; interim <= kInterimMax; ++interim) {
        ReplyParser parser(options_.reply_bytes_max, call->head_only);
        const auto unread = co_await read(connection.get(), &parser);
        if (unread) {
            co_return broken(*call, unsent ? unsent : unread);
        }
        if (parser.status / 100 == 1 && parser.status != kSwitching) {
            continue;
        }
        if (!unsent && parser.keep_alive() && connection->buffer.size() == 0 &&
            parser.status != kSwitching) {
            keep(std::move(connection));
        }
        co_return ClientReply{
            .status = parser.status,
            .headers = std::move(parser.headers),
            .body = std::move(parser.body),
        };
    }
    co_return call->failed(Errc::invalid, base_.text() + ": too many interim replies");
}

asio::awaitable<Client::Impl::Connected> Client::Impl::connect(const Call* call) {
    auto found = co_await lookup_.endpoints();
    if (found.error || found.endpoints.empty()) {
        co_return call->failed(
            Errc::unavailable,
            fmt::format("{}: no address found ({})", base_.text(), found.error.message())
        );
    }
    auto connection = std::make_unique<Connection>(tcp::socket(executor_));
    auto& wire = connection->wire;
    const auto refused = co_await reach(&wire.socket(), std::move(found.endpoints));
    if (refused) {
        co_return broken(*call, refused);
    }
    error_code ignored;
    wire.socket().set_option(tcp::no_delay(true), ignored);
    if (base_.secure) {
        const auto unsafe = co_await shake_hands(connection.get());
        if (unsafe == asio::error::operation_aborted) {
            co_return broken(*call, unsafe);
        }
        if (unsafe) {
            const auto verdict = SSL_get_verify_result(wire.tls().native_handle());
            co_return call->failed(
                Errc::unavailable,
                fmt::format(
                    "{}: no safe connection: {}",
                    base_.text(),
                    verdict == X509_V_OK ? unsafe.message() : X509_verify_cert_error_string(verdict)
                )
            );
        }
    }
    co_return connection;
}

/// One address after the other. Asio's own walk calls a socket that cannot be opened "cancelled".
asio::awaitable<error_code> Client::Impl::reach(tcp::socket* socket, Endpoints endpoints) {
    error_code last;
    for (const auto& endpoint : endpoints) {
        socket->close(last); // of the address before
        socket->open(endpoint.protocol(), last);
        if (!last) {
            const auto [refused] =
                co_await socket->async_connect(endpoint, Wire<tcp::socket>::as_awaitable());
            last = refused;
        }
        if (!last || last == asio::error::operation_aborted) {
            break;
        }
    }
    co_return last;
}

asio::awaitable<error_code> Client::Impl::shake_hands(Connection* connection) {
    auto& stream = connection->wire.wrap(*tls_);
    auto* native = stream.native_handle();
    auto* rules = SSL_get0_param(native);
    error_code not_literal;
    static_cast<void>(asio::ip::make_address(base_.host, not_literal));
    X509_VERIFY_PARAM_set_hostflags(rules, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    const bool ready = not_literal
                           ? X509_VERIFY_PARAM_set1_host(rules, base_.host.c_str(), 0) == 1 &&
                                 SSL_set_tlsext_host_name(native, base_.host.c_str()) == 1
                           : X509_VERIFY_PARAM_set1_ip_asc(rules, base_.host.c_str()) == 1;
    if (!ready) {
        co_return asio::error::make_error_code(asio::error::no_memory);
    }
    const auto [ec] = co_await stream.async_handshake(
        asio::ssl::stream_base::client, connection->wire.as_awaitable()
    );
    co_return ec;
}

asio::awaitable<error_code> Client::Impl::write(Connection* connection, Call* call) {
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) {
        co_return asio::error::make_error_code(asio::error::operation_aborted);
    }
    if (call->body.size() <= kInlineBody) {
        call->head += call->body;
        call->body.clear();
    }
    const std::array<asio::const_buffer, 2> pieces{
        asio::buffer(call->head), asio::buffer(call->body)
    };
    call->maybe_sent = true;
    const auto [ec, bytes] = co_await connection->wire.write(pieces);
    if (ec && bytes == 0 && !connection->wire.is_tls()) {
        call->maybe_sent = false; // TLS counts whole records, so there 0 does not mean nothing
    }
    co_return ec;
}

/// Reads one message, interim or final.
asio::awaitable<error_code> Client::Impl::read(Connection* connection, ReplyParser* parser) {
    auto& buffer = connection->buffer;
    for (;;) {
        error_code ec;
        if (may_put(*parser, buffer.size())) {
            buffer.consume(parser->put(buffer.cdata(), ec));
        }
        if (parser->is_done()) {
            co_return error_code();
        }
        if (ec && ec != http::error::need_more) {
            co_return ec;
        }
        if (buffer.size() > limits::kReplyHeaderBytesMax) {
            co_return http::make_error_code(http::error::header_limit);
        }
        const auto room = buffer.prepare(kReadStep);
        const auto [failed, bytes] = co_await connection->wire.read_some(room);
        buffer.commit(bytes);
        if (failed == asio::error::eof && parser->got_some()) {
            parser->put_eof(ec
            ); // some replies end with their connection; inside TLS only with a proper goodbye
            co_return ec == http::error::partial_message ? failed : ec;
        }
        if (failed) {
            co_return failed;
        }
    }
}

std::unique_ptr<Connection> Client::Impl::take_idle() {
    const auto oldest = steady_clock::now() - options_.idle_age;
    while (!idle_.empty()) {
        auto connection = std::move(idle_.back()); // the freshest is the likeliest to live
        idle_.pop_back();
        if (connection->idle_since >= oldest && connection->is_alive()) {
            return connection;
        }
    }
    return nullptr;
}

void Client::Impl::keep(std::unique_ptr<Connection> connection) {
    const auto now = steady_clock::now();
    while (!idle_.empty() && idle_.front()->idle_since < now - options_.idle_age) {
        idle_.pop_front();
    }
    if (idle_.size() < options_.idle_max) {
        connection->idle_since = now;
        idle_.push_back(std::move(connection));
    }
}

tl::unexpected<ClientFailure>
Client::Impl::broken(const Call& call, const error_code& error) const {
    if (error == asio::error::operation_aborted) {
        return call.failed(Errc::cancelled, "cancelled");
    }
    if (error == http::error::body_limit) {
        return call.failed(
            Errc::invalid,
            fmt::format(
                "{}: the reply is longer than {} bytes", base_.text(), options_.reply_bytes_max
            )
        );
    }
    if (is_http(error)) {
        return call.failed(
            Errc::invalid, fmt::format("{}: not an HTTP reply: {}", base_.text(), error.message())
        );
    }
    return call.failed(Errc::unavailable, fmt::format("{}: {}", base_.text(), error.message()));
}

Result<std::unique_ptr<Client>>
Client::make(asio::any_io_executor executor, ClientOptions options) {
    BATON_TRY(auto base, parse_url(options.base_url));
    std::unique_ptr<asio::ssl::context> tls;
    if (base.secure) {
        BATON_TRY(auto context, client_tls(options.ca_file));
        tls = std::make_unique<asio::ssl::context>(std::move(context));
    }
    if (!is_header_text(options.user_agent)) {
        return fail(Errc::invalid, "the user agent has a character that would break its line");
    }
    auto impl = std::make_unique<Impl>(
        std::move(executor), std::move(options), std::move(base), std::move(tls)
    );
    return std::unique_ptr<Client>(new Client(std::move(impl)));
}

Client::Client(std::unique_ptr<Impl> impl)
    : impl_(std::move(impl)) {}

Client::~Client() = default;

asio::awaitable<Reply> Client::send(ClientRequest request, std::chrono::milliseconds wait) {
    return impl_->send(std::move(request), wait);
}

} // namespace baton::net
