#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace baton::test {

/// A blocking loopback connection for tests that care about the very bytes. Every wait ends after
/// ten seconds, as an error, so a wrong server makes a test fail and not hang.
class RawSocket {
public:
    /// What one reply was, as text; `head` without the empty line.
    struct Reply {
        std::string head;
        std::string body;

        int status() const {
            return head.size() > 12 ? std::atoi(head.substr(9, 3).c_str())
                                    : 0; // NOLINT(cert-err34-c)
        }

        bool has(std::string_view line) const { return head.find(line) != std::string::npos; }
    };

    explicit RawSocket(int fd)
        : fd_(fd) {
        const timeval ten_seconds{.tv_sec = 10, .tv_usec = 0};
        ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &ten_seconds, sizeof(ten_seconds));
        ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &ten_seconds, sizeof(ten_seconds));
    }

    RawSocket(RawSocket&& other) noexcept
        : fd_(std::exchange(other.fd_, -1))
        , pending_(std::move(other.pending_)) {}

    RawSocket(const RawSocket&) = delete;
    RawSocket& operator=(const RawSocket&) = delete;
    RawSocket& operator=(RawSocket&&) = delete;

    ~RawSocket() { close(); }

    static RawSocket connected_to(std::uint16_t port) {
        RawSocket made(::socket(AF_INET, SOCK_STREAM, 0));
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (::connect(made.fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
            throw std::runtime_error("cannot connect");
        }
        return made;
    }

    /// False when the other side no longer takes anything.
    bool send(std::string_view bytes) const {
        while (!bytes.empty()) {
            const auto sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
            if (sent <= 0) {
                return false;
            }
            bytes.remove_prefix(static_cast<std::size_t>(sent));
        }
        return true;
    }

    /// One more piece; empty at the end, on a reset and when nothing comes for ten seconds.
    std::string receive() {
        if (!pending_.empty()) {
            return std::exchange(pending_, {});
        }
        std::array<char, 65536> room{};
        const auto got = ::recv(fd_, room.data(), room.size(), 0);
        last_ = got;
        return {room.data(), got > 0 ? static_cast<std::size_t>(got) : 0};
    }

    std::string receive_until(std::string_view end) {
        std::string all;
        while (all.find(end) == std::string::npos) {
            const auto piece = receive();
            if (piece.empty()) {
                return all;
            }
            all += piece;
        }
        const auto stop = all.find(end) + end.size();
        pending_ = all.substr(stop);
        all.resize(stop);
        return all;
    }

    std::string receive_bytes(std::size_t count) {
        std::string all;
        while (all.size() < count) {
            const auto piece = receive();
            if (piece.empty()) {
                return all;
            }
            all += piece;
        }
        pending_ = all.substr(count);
        all.resize(count);
        return all;
    }

    /// One message with a Content-Length (or none): a reply, or a request on the server's side.
    Reply receive_message() {
        constexpr std::string_view kLength = "Content-Length: ";
        Reply reply;
        reply.head = receive_until("\r\n\r\n");
        if (const auto at = reply.head.find(kLength); at != std::string::npos) {
            const auto length = std::stoul(reply.head.substr(at + kLength.size()));
            reply.body = receive_bytes(length);
        }
        return reply;
    }

    /// Everything up to the end.
    std::string receive_all() {
        std::string all;
        for (;;) {
            const auto piece = receive();
            if (piece.empty()) {
                return all;
            }
            all += piece;
        }
    }

    /// Whether the other side ends the connection, properly or by a reset, and says nothing before.
    bool ends_silently() {
        return receive().empty() && (last_ == 0 || (errno != EAGAIN && errno != EWOULDBLOCK));
    }

    /// The same, by a reset.
    bool is_reset() { return receive().empty() && last_ < 0 && errno == ECONNRESET; }

    /// Whether anything comes, an end included.
    bool hears_within(std::chrono::milliseconds wait) const {
        pollfd wanted{.fd = fd_, .events = POLLIN, .revents = 0};
        return ::poll(&wanted, 1, static_cast<int>(wait.count())) > 0;
    }

    void end_sending() const { ::shutdown(fd_, SHUT_WR); }

    void close() {
        if (fd_ >= 0) {
            ::close(std::exchange(fd_, -1));
        }
    }

    void reset() {
        const linger now{.l_onoff = 1, .l_linger = 0};
        ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &now, sizeof(now));
        close();
    }

private:
    int fd_;
    ssize_t last_{0};
    std::string pending_;
};

/// Listens on a free loopback port; the test plays the server by hand.
class RawListener {
public:
    explicit RawListener(bool share_port = false)
        : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
        const int on = share_port ? 1 : 0;
        ::setsockopt(fd_, SOL_SOCKET, SO_REUSEPORT, &on, sizeof(on));
        const timeval ten_seconds{.tv_sec = 10, .tv_usec = 0};
        ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &ten_seconds, sizeof(ten_seconds));
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof(address);
        auto* generic = reinterpret_cast<sockaddr*>(&address);
        if (::bind(fd_, generic, size) != 0 || ::listen(fd_, SOMAXCONN) != 0 ||
            ::getsockname(fd_, generic, &size) != 0) {
            throw std::runtime_error("cannot listen");
        }
        port_ = ntohs(address.sin_port);
    }

    RawListener(const RawListener&) = delete;
    RawListener& operator=(const RawListener&) = delete;

    ~RawListener() { ::close(fd_); }

    std::uint16_t port() const { return port_; }

    RawSocket accept() const { return RawSocket(::accept(fd_, nullptr, nullptr)); }

private:
    int fd_;
    std::uint16_t port_{0};
};

} // namespace baton::test
