#include "baton/net/session.hpp"

#include "baton/base/limits.hpp"
#include "baton/net/http.hpp"
#include "baton/net/parsers.hpp"
#include "baton/net/response_text.hpp"
#include "baton/net/roster.hpp"
#include "baton/net/router.hpp"
#include "baton/net/server.hpp"
#include "baton/net/session_parts.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ssl/stream_base.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/system/error_code.hpp>
#include <boost/system/system_error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
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

constexpr std::size_t kInlineBody =
    std::size_t{8} * 1024; // short answers leave in one piece with their head
constexpr std::size_t kSkippable =
    std::size_t{64} * 1024; // an unread rest worth reading to keep a connection

} // namespace

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
    parser_ = std::make_unique<RequestParser>();
    share_.reset();
    head_only_ = false;
    continue_owed_ = false;
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
    auto ready = *std::move(response);
    if (ready.abort) {
        wire_.reset();
        co_return false;
    }
    const bool keep = may_keep() && !ready.more;
    const bool cut = ready.cut_at.has_value();
    const bool sent = co_await send(std::move(ready), keep);
    if (cut) {
        wire_.reset();
    }
    if (!sent || cut) {
        co_return false;
    }
    if (keep) {
        const bool skipped = co_await skip_rest();
        co_return skipped;
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

Session::HeadEnd Session::judge(const error_code& error) {
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
    append_head(out_, response, {.keep_alive = keep, .chunks = parser_->knows_chunks()});
    auto more = std::exchange(response.more, {});
    if (response.cut_at) { // the head has promised all of it
        response.body.resize(std::min(response.body.size(), *response.cut_at));
    }
    if (head_only_ || !has_body(response.status)) {
        response.body.clear();
        more = {};
    } else if (more) {
        out_ += parser_->knows_chunks() && !response.body.empty() ? chunk_of(response.body)
                                                                  : response.body;
        response.body.clear();
    } else if (response.body.size() <= kInlineBody) {
        out_ += response.body;
        response.body.clear();
    }
    work(core_.options.write_wait);
    const std::array<asio::const_buffer, 2> pieces{asio::buffer(out_), asio::buffer(response.body)};
    const auto [ec, bytes] = co_await wire_.write(pieces);
    if (ec || !more) {
        co_return !ec;
    }
    const bool whole = co_await send_more(std::move(more));
    co_return whole;
}

/// False when the client went away, or when the source broke: then the end is never sent.
asio::awaitable<bool> Session::send_more(BodySource more) {
    bool sent = true;
    while (sent) {
        work(); // until the next piece
        std::optional<std::string> piece;
        try {
            piece = co_await more();
        } catch (const std::exception& error) {
            if (!stopping()) {
                core_.surprise(fmt::format("the source of a body threw: {}", error.what()));
            }
            wire_.reset();
            co_return false;
        }
        if (!piece) {
            sent = !parser_->knows_chunks() || co_await send_piece("");
            co_return sent;
        }
        if (!piece->empty()) { // an empty chunk would be the end
            sent = co_await send_piece(*std::move(piece));
        }
    }
    co_return false;
}

asio::awaitable<bool> Session::send_piece(std::string piece) {
    out_ = parser_->knows_chunks() ? chunk_of(piece) : std::move(piece);
    work(core_.options.write_wait);
    const auto [ec, bytes] = co_await wire_.write(asio::buffer(out_));
    co_return !ec;
}

namespace {

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
