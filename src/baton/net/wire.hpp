#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/socket_base.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/system/error_code.hpp>

#include <cstddef>
#include <memory>
#include <tuple>
#include <utility>

namespace baton::net {

/// What an operation on a socket says: an error, and how many bytes it moved.
using Moved = std::tuple<boost::system::error_code, std::size_t>;
using Outcome = std::tuple<boost::system::error_code>;

/// One connection, plain or inside TLS, so that nobody above asks which. The verbs hand Asio's own
/// awaitable through; their buffers must outlive the wait.
template <class Socket> class Wire {
public:
    explicit Wire(Socket socket)
        : socket_(std::move(socket)) {}

    Wire(const Wire&) = delete;
    Wire& operator=(const Wire&) = delete;
    ~Wire() = default;

    Socket& socket() { return socket_; }

    /// From here on all bytes go through TLS; shake hands first.
    boost::asio::ssl::stream<Socket&>& wrap(boost::asio::ssl::context& context) {
        tls_ = std::make_unique<boost::asio::ssl::stream<Socket&>>(socket_, context);
        return *tls_;
    }

    /// After wrap() only.
    boost::asio::ssl::stream<Socket&>& tls() { return *tls_; }

    bool is_tls() const { return tls_ != nullptr; }

    boost::asio::awaitable<Moved> read_some(boost::asio::mutable_buffer into) {
        if (tls_) {
            return tls_->async_read_some(into, as_awaitable());
        }
        return socket_.async_read_some(into, as_awaitable());
    }

    /// Everything, or an error.
    template <class Buffers> boost::asio::awaitable<Moved> write(Buffers buffers) {
        if (tls_) {
            return boost::asio::async_write(*tls_, buffers, as_awaitable());
        }
        return boost::asio::async_write(socket_, buffers, as_awaitable());
    }

    /// Says goodbye inside TLS and waits for the other side's; nothing to do on a plain connection.
    boost::asio::awaitable<Outcome> say_goodbye() { return tls_->async_shutdown(as_awaitable()); }

    /// Ends every wait on this connection with an error.
    void close() {
        boost::system::error_code ignored;
        socket_.close(ignored);
    }

    /// Closes so that the other side sees a reset instead of an end.
    void reset() {
        boost::system::error_code ignored;
        socket_.set_option(boost::asio::socket_base::linger(true, 0), ignored);
        close();
    }

    static constexpr auto as_awaitable() {
        return boost::asio::as_tuple(boost::asio::use_awaitable);
    }

private:
    Socket socket_;
    std::unique_ptr<boost::asio::ssl::stream<Socket&>> tls_;
};

} // namespace baton::net
