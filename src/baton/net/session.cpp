#include "baton/net/session.hpp"

#include "baton/base/limits.hpp"
#include "baton/net/byte_budget.hpp"
#include "baton/net/http.hpp"
#include "baton/net/parsers.hpp"
#include "baton/net/response_text.hpp"
#include "baton/net/roster.hpp"
#include "baton/net/router.hpp"
#include "baton/net/server.hpp"
#include "baton/net/wire.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/socket_base.hpp>
#include <boost/asio/ssl/stream_base.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::net {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

namespace {

constexpr std::size_t kReadStep = 8U * 1024;   // most heads, and the start of most bodies
constexpr std::size_t kBodyStep = 32U * 1024;  // an ordinary webhook in one go
constexpr std::size_t kInlineBody = 8U * 1024; // short answers leave in one piece with their head
constexpr std::size_t kSkippable = 64U * 1024; // an unread rest worth reading to keep a connection
constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();

/// One connection. A request walks through read_head, answer (route, read_body, handler) and send;
/// the members hold what belongs to the request under way, so that coroutines need no reference
/// parameters.
class Session final : public Roster::Member {
public:
    Session(ServerSocket socket, ServerCore& core, Roster& roster)
        : Member(roster)
        , core_(core)
        , wire_(std::move(socket)) {
        error_code ignored;
        peer_ = wire_.socket().remote_endpoint(ignored).address().to_string();
    }

    asio::awaitable<void> run();

    void close() override { wire_.close(); }

private:
    enum class HeadEnd { complete, gone, malformed, too_long };
    enum class BodyEnd { complete, gone, malformed, too_long, no_room };

    asio::awaitable<bool> shake_hands();
    asio::awaitable<bool> exchange();
    asio::awaitable<HeadEnd> read_head();
    HeadEnd judge(const error_code& error) const;
    void skip_blank_lines();
    asio::awaitable<std::optional<Response>> answer_or_apologise();
    asio::awaitable<std::optional<Response>> answer();
    std::optional<Response> refusal_of(const Router::Match& match) const;
    static std::optional<Response> refusal_of(BodyEnd end);
    std::optional<Response> after_surprise(const std::exception_ptr& thrown) const;

    asio::awaitable<BodyEnd> read_body(std::size_t bytes_max);
    asio::awaitable<BodyEnd> read_sized(std::size_t length);
    asio::awaitable<BodyEnd> read_chunked();
    bool admit(std::size_t from);

    bool may_keep() const;
    asio::awaitable<bool> send(Response response, bool keep);
    asio::awaitable<bool> skip_rest();
    asio::awaitable<void> take_leave();

    ServerCore& core_;
    Wire<ServerSocket> wire_;
    std::string peer_;
    boost::beast::flat_buffer buffer_; // bytes received and not yet used, pipelined requests too
    std::string out_;
    bool served_one_{false};

    // the request under way
    std::optional<RequestParser> parser_;
    BodyTap* tap_{nullptr};
    std::shared_ptr<BudgetShare> share_;
    bool head_only_{false};
    bool continue_owed_{false}; // the client waits for "100 Continue" before it sends its body
    std::uint64_t unread_{0};   // bytes of this request still to come
};

asio::awaitable<void> Session::run() {
    if (core_.tls) {
        const bool safe = co_await shake_hands();
        if (!safe) {
            co_return;
        }
    }
    bool more = true;
    while (more) {
        more = co_await exchange();
        served_one_ = true;
        more = more && !stopping();
    }
}

asio::awaitable<bool> Session::shake_hands() {
    rest(core_.options.header_wait);
    auto& tls = wire_.wrap(*core_.tls);
    const auto [ec] =
        co_await tls.async_handshake(asio::ssl::stream_base::server, wire_.as_awaitable());
    co_return !ec;
}

/// One request and its answer. True when the connection is ready for the next one.
asio::awaitable<bool> Session::exchange() {
    parser_.emplace();
    share_.reset();
    unread_ = kUnknown; // until the head is understood
    const auto head = co_await read_head();
    std::optional<Response> response;
    switch (head) {
    case HeadEnd::gone:
        co_return false;
    case HeadEnd::malformed:
        response = refusal(400, "Malformed request");
        break;
    case HeadEnd::too_long:
        response = refusal(431, "Request header too large");
        break;
    case HeadEnd::complete:
        response = co_await answer_or_apologise();
        break;
    }
    if (!response) {
        co_return false;
    }
    if (response->abort) {
        wire_.reset();
        co_return false;
    }
    const bool keep = may_keep();
    const bool sent = co_await send(*std::move(response), keep);
    if (!sent) {
        co_return false;
    }
    if (keep) {
        const bool ready = co_await skip_rest();
        co_return ready;
    }
    co_await take_leave();
    co_return false;
}

asio::awaitable<Session::HeadEnd> Session::read_head() {
    bool begun = false;
    rest(served_one_ ? core_.options.idle_wait : core_.options.header_wait);
    for (;;) {
        if (!begun) {
            skip_blank_lines();
        }
        if (buffer_.size() > 0) {
            if (!begun) {
                begun = true;
                work(core_.options.header_wait);
            }
            error_code ec;
            buffer_.consume(parser_->put(buffer_.cdata(), ec));
            if (ec != http::error::need_more) {
                co_return judge(ec);
            }
        }
        const auto room = buffer_.prepare(kReadStep);
        const auto [ec, bytes] = co_await wire_.read_some(room);
        if (ec) {
            co_return HeadEnd::gone;
        }
        buffer_.commit(bytes);
    }
}

Session::HeadEnd Session::judge(const error_code& error) const {
    if (error == http::error::header_limit) {
        return HeadEnd::too_long;
    }
    return error ? HeadEnd::malformed : HeadEnd::complete;
}

/// Some clients send an empty line after a body; RFC 9112 asks servers to bear it.
void Session::skip_blank_lines() {
    while (buffer_.size() >= 2) {
        const auto* text = static_cast<const char*>(buffer_.cdata().data());
        if (std::string_view(text, 2) != "\r\n") {
            return;
        }
        buffer_.consume(2);
    }
}

/// The one net under everything that routes do with a request.
asio::awaitable<std::optional<Response>> Session::answer_or_apologise() {
    std::exception_ptr thrown;
    try {
        auto response = co_await answer();
        co_return response;
    } catch (...) {
        thrown = std::current_exception();
    }
    co_return after_surprise(thrown);
}

std::optional<Response> Session::after_surprise(const std::exception_ptr& thrown) const {
    std::string what = "something that is no std::exception";
    try {
        std::rethrow_exception(thrown);
    } catch (const boost::system::system_error& error) {
        if (stopping() && error.code() == asio::error::operation_aborted) {
            return std::nullopt; // cancelled: nobody is left to hear an answer
        }
        what = error.what();
    } catch (const std::exception& error) {
        what = error.what();
    } catch (...) { // NOLINT(bugprone-empty-catch): `what` already says it
    }
    core_.surprise("a request handler threw: " + what);
    return refusal(500, "Internal server error");
}

/// Routes the request, reads its body and asks the handler. nullopt when the client went away.
asio::awaitable<std::optional<Response>> Session::answer() {
    parser_->head.peer = peer_;
    head_only_ = parser_->head.method == "HEAD";
    continue_owed_ = parser_->expects_continue;
    unread_ = parser_->chunked() ? kUnknown : parser_->content_length().value_or(0);

    auto match = core_.router.match(parser_->head.method, parser_->head.path);
    if (auto refused = refusal_of(match)) {
        co_return refused;
    }
    const auto& route = *match.route;
    if (route.early) {
        if (auto early = route.early(parser_->head)) {
            co_return early;
        }
    }
    Request request;
    if (route.tap) {
        request.tap = route.tap(parser_->head);
    }
    tap_ = request.tap.get();
    const auto end = co_await read_body(route.body_bytes_max);
    if (end == BodyEnd::gone) {
        co_return std::nullopt;
    }
    if (auto refused = refusal_of(end)) {
        co_return refused;
    }
    request.head = std::move(parser_->head);
    request.body = std::move(parser_->body);
    request.share = BodyShare(std::move(share_));
    request.captures = std::move(match.captures);
    work();
    auto response = co_await route.handler(std::move(request));
    co_return response;
}

std::optional<Response> Session::refusal_of(const Router::Match& match) const {
    if (match.route == nullptr && match.allow.empty()) {
        return refusal(404, "Not found");
    }
    if (match.route == nullptr) {
        auto response = refusal(405, "Method not allowed");
        response.headers.add("Allow", match.allow);
        return response;
    }
    if (parser_->expects_other) {
        return refusal(417, "Expectation failed");
    }
    if (unread_ != kUnknown && unread_ > match.route->body_bytes_max) {
        return refusal_of(BodyEnd::too_long);
    }
    return std::nullopt;
}

std::optional<Response> Session::refusal_of(BodyEnd end) {
    switch (end) {
    case BodyEnd::complete:
    case BodyEnd::gone:
        return std::nullopt;
    case BodyEnd::malformed:
        return refusal(400, "Malformed request");
    case BodyEnd::too_long:
        return refusal(413, "Body too large");
    case BodyEnd::no_room:
        break;
    }
    auto response = refusal(503, "Too many bodies at once; try again soon");
    response.headers.add("Retry-After", fmt::format("{}", limits::kRetryAfter.count()));
    return response;
}

asio::awaitable<Session::BodyEnd> Session::read_body(std::size_t bytes_max) {
    parser_->body_max = bytes_max;
    if (bytes_max > 0) {
        make_room(parser_->body, 0);
    }
    if (unread_ == 0) {
        co_return BodyEnd::complete;
    }
    work(core_.options.body_wait);
    share_ = std::make_shared<BudgetShare>(core_.budget);
    if (continue_owed_ && buffer_.size() == 0) {
        constexpr std::string_view kGoOn = "HTTP/1.1 100 Continue\r\n\r\n";
        const auto text = asio::buffer(kGoOn);
        const auto [ec, bytes] = co_await wire_.write(text);
        if (ec) {
            co_return BodyEnd::gone;
        }
    }
    continue_owed_ = false;
    auto reading =
        unread_ == kUnknown ? read_chunked() : read_sized(static_cast<std::size_t>(unread_));
    const auto end = co_await std::move(reading);
    co_return end;
}

/// Reads a body of known length straight into its place, without another copy.
asio::awaitable<Session::BodyEnd> Session::read_sized(std::size_t length) {
    auto& body = parser_->body;
    const auto along = std::min(buffer_.size(), length); // came with the head
    make_room(body, std::min(length, std::max(along, kBodyStep)));
    body.append(static_cast<const char*>(buffer_.cdata().data()), along);
    buffer_.consume(along);
    unread_ -= along;
    if (!admit(0)) {
        co_return BodyEnd::no_room;
    }
    while (unread_ > 0) {
        const auto have = body.size();
        const auto step = std::min(length - have, kBodyStep);
        make_room(body, step);
        body.resize(have + step);
        const auto room = asio::buffer(body.data() + have, step);
        const auto [ec, bytes] = co_await wire_.read_some(room);
        body.resize(have + bytes);
        unread_ -= bytes;
        if (ec) {
            co_return BodyEnd::gone;
        }
        if (!admit(have)) {
            co_return BodyEnd::no_room;
        }
    }
    co_return BodyEnd::complete;
}

asio::awaitable<Session::BodyEnd> Session::read_chunked() {
    parser_->eager(true);
    for (;;) {
        const auto have = parser_->body.size();
        error_code ec;
        if (buffer_.size() > 0) {
            buffer_.consume(parser_->put(buffer_.cdata(), ec));
        }
        if (!admit(have)) {
            co_return BodyEnd::no_room;
        }
        if (parser_->is_done()) {
            unread_ = 0;
            co_return BodyEnd::complete;
        }
        if (ec && ec != http::error::need_more) {
            co_return ec == http::error::body_limit ? BodyEnd::too_long : BodyEnd::malformed;
        }
        if (buffer_.size() > limits::kHeaderBytesMax) {
            co_return BodyEnd::malformed; // an endless chunk header or trailer
        }
        const auto room = buffer_.prepare(kBodyStep);
        const auto [failed, bytes] = co_await wire_.read_some(room);
        if (failed) {
            co_return BodyEnd::gone;
        }
        buffer_.commit(bytes);
    }
}

/// Accounts for the bytes of the body from `from` on and shows them to the tap.
bool Session::admit(std::size_t from) {
    const auto& body = parser_->body;
    if (body.size() == from) {
        return true;
    }
    if (!share_->grow(body.size() - from)) {
        return false;
    }
    if (tap_ != nullptr) {
        tap_->chunk({body.data() + from, body.size() - from});
    }
    return true;
}

/// Whether the connection can carry another request after this one. A short unread rest is worth
/// reading for that, but not when the client may decide not to send it.
bool Session::may_keep() const {
    return unread_ <= kSkippable && (unread_ == 0 || !continue_owed_) && !stopping() &&
           parser_->keep_alive();
}

asio::awaitable<bool> Session::send(Response response, bool keep) {
    if (!is_sendable(response)) {
        core_.surprise(
            fmt::format("a handler's response cannot be sent, status {}", response.status)
        );
        response = refusal(500, "Internal server error");
    }
    out_.clear();
    append_head(out_, response, keep);
    if (head_only_ || !has_body(response.status)) {
        response.body.clear();
    } else if (response.body.size() <= kInlineBody) {
        out_ += response.body;
        response.body.clear();
    }
    work(core_.options.write_wait);
    const std::array<asio::const_buffer, 2> pieces{asio::buffer(out_), asio::buffer(response.body)};
    const auto [ec, bytes] = co_await wire_.write(pieces);
    co_return !ec;
}

/// Reads past the body that nobody wanted. False when the client went away.
asio::awaitable<bool> Session::skip_rest() {
    if (unread_ == 0) {
        co_return true;
    }
    work(core_.options.body_wait);
    for (;;) {
        const auto skipped = std::min<std::uint64_t>(buffer_.size(), unread_);
        buffer_.consume(static_cast<std::size_t>(skipped));
        unread_ -= skipped;
        if (unread_ == 0) {
            co_return true;
        }
        const auto room = buffer_.prepare(kReadStep);
        const auto [ec, bytes] = co_await wire_.read_some(room);
        if (ec) {
            co_return false;
        }
        buffer_.commit(bytes);
    }
}

/// Ends the connection so that the answer arrives: closing while the client still sends would reset
/// the connection, and a reset may overtake the answer. So we end our side and read what comes,
/// within bounds.
asio::awaitable<void> Session::take_leave() {
    constexpr std::chrono::milliseconds kHurriedWait{500}; // others wait for the server to stop
    rest(stopping() ? kHurriedWait : limits::kDiscardWait);
    if (unread_ == 0 && buffer_.size() == 0) {
        if (wire_.is_tls()) {
            static_cast<void>(co_await wire_.say_goodbye());
        }
        co_return;
    }
    error_code ec;
    static_cast<void>(wire_.socket().shutdown(asio::socket_base::shutdown_send, ec));
    buffer_.clear();
    std::size_t seen = 0;
    while (!ec && seen < limits::kDiscardBytesMax) {
        const auto room = buffer_.prepare(kBodyStep);
        const auto [failed, bytes] =
            co_await wire_.socket().async_read_some(room, wire_.as_awaitable());
        ec = failed;
        seen += bytes;
    }
}

/// Takes a place among the connections and gives it back.
class Place {
public:
    explicit Place(ServerCore& core)
        : core_(core) {
        core_.connections.fetch_add(1, std::memory_order_relaxed);
    }

    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    ~Place() { core_.connections.fetch_sub(1, std::memory_order_relaxed); }

private:
    ServerCore& core_;
};

} // namespace

asio::awaitable<void> serve(ServerSocket socket, ServerCore* core, Roster* roster) {
    const Place place(*core);
    Session session(std::move(socket), *core, *roster);
    co_await session.run();
}

} // namespace baton::net
