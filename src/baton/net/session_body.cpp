#include "baton/base/limits.hpp"
#include "baton/net/byte_budget.hpp"
#include "baton/net/parsers.hpp"
#include "baton/net/server.hpp"
#include "baton/net/session_parts.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/socket_base.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/system/error_code.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

namespace baton::net {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;

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
        if (may_put(*parser_, buffer_.size())) {
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
    wire_.socket().shutdown(asio::socket_base::shutdown_send, ec);
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

} // namespace baton::net
