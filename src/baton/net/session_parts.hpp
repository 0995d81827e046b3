#pragma once

// The inside of a server connection, shared by session.cpp (requests and answers) and
// session_body.cpp (bytes of bodies). Nobody else includes this: it brings Beast along.

#include "baton/net/byte_budget.hpp"
#include "baton/net/http.hpp"
#include "baton/net/parsers.hpp"
#include "baton/net/roster.hpp"
#include "baton/net/router.hpp"
#include "baton/net/server.hpp"
#include "baton/net/session.hpp"
#include "baton/net/wire.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace baton::net {

/// One connection. A request walks through read_head, answer (route, read_body, handler) and send;
/// the members hold what belongs to the request under way, so that coroutines need no reference
/// parameters.
class Session final : public Roster::Member {
public:
    Session(ServerSocket socket, ServerCore& core, Roster& roster)
        : Member(roster)
        , core_(core)
        , wire_(std::move(socket)) {
        boost::system::error_code ignored;
        peer_ = wire_.socket().remote_endpoint(ignored).address().to_string();
    }

    boost::asio::awaitable<void> run();

    void close() override { wire_.close(); }

private:
    static constexpr std::size_t kReadStep =
        std::size_t{8} * 1024; // most heads, and the start of most bodies
    static constexpr std::size_t kBodyStep =
        std::size_t{32} * 1024; // an ordinary webhook in one go
    static constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();

    enum class HeadEnd { complete, gone, malformed, too_long };
    enum class BodyEnd { complete, gone, malformed, too_long, no_room };

    boost::asio::awaitable<bool> shake_hands();
    boost::asio::awaitable<bool> exchange();
    boost::asio::awaitable<HeadEnd> read_head();
    static HeadEnd judge(const boost::system::error_code& error);
    void skip_blank_lines();
    boost::asio::awaitable<std::optional<Response>> answer_or_apologise();
    boost::asio::awaitable<std::optional<Response>> answer();
    std::optional<Response> refusal_of(const Router::Match& match) const;
    static std::optional<Response> refusal_of(BodyEnd end);
    std::optional<Response> after_surprise(const std::exception_ptr& thrown) const;

    boost::asio::awaitable<BodyEnd> read_body(std::size_t bytes_max);
    boost::asio::awaitable<BodyEnd> read_sized(std::size_t length);
    boost::asio::awaitable<BodyEnd> read_chunked();
    bool admit(std::size_t from);

    bool may_keep() const;
    boost::asio::awaitable<bool> send(Response response, bool keep);
    boost::asio::awaitable<bool> send_more(BodySource more);
    boost::asio::awaitable<bool> send_piece(std::string piece);
    boost::asio::awaitable<bool> skip_rest();
    boost::asio::awaitable<void> take_leave();

    ServerCore& core_;
    Wire<ServerSocket> wire_;
    std::string peer_;
    boost::beast::flat_buffer buffer_; // bytes received and not yet used, pipelined requests too
    std::string out_;
    bool served_one_{false};

    // the request under way
    std::unique_ptr<RequestParser> parser_;
    BodyTap* tap_{nullptr};
    std::shared_ptr<BudgetShare> share_;
    bool head_only_{false};
    bool continue_owed_{false}; // the client waits for "100 Continue" before it sends its body
    std::uint64_t unread_{0};   // bytes of this request still to come
};

} // namespace baton::net
