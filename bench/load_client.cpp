#include "load_client.hpp"

#include "baton/base/text.hpp"
#include "baton/crypto/hmac.hpp"
#include "baton/crypto/sha256.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace baton::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLongestWait{100};
constexpr std::chrono::seconds kAnswerWait{30}; // then a connection counts as broken
constexpr std::string_view kEnd = "\r\n\r\n";

int connected_to(std::uint16_t port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || ::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
        throw std::system_error(errno, std::generic_category(), fmt::format("port {}", port));
    }
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
    return fd;
}

/// The status of a whole answer at the front of `text` and its length; nullopt: not whole yet.
struct Answer {
    int status{0};
    std::size_t bytes{0};
};

std::optional<Answer> answer_in(std::string_view text) {
    constexpr std::string_view kLength = "\r\ncontent-length: "; // Node writes names in lower case
    constexpr std::size_t kStatusAt = std::string_view("HTTP/1.1 ").size();
    const auto end = text.find(kEnd);
    if (end == std::string_view::npos) {
        return std::nullopt;
    }
    const auto head = lower(text.substr(0, end));
    const auto* const after = head.data() + head.size();
    Answer answer{.bytes = end + kEnd.size()};
    std::from_chars(head.data() + kStatusAt, after, answer.status);
    if (const auto at = head.find(kLength); at != std::string::npos) {
        std::size_t length = 0;
        std::from_chars(head.data() + at + kLength.size(), after, length);
        answer.bytes += length;
    }
    return text.size() >= answer.bytes ? std::optional(answer) : std::nullopt;
}

/// One keep-alive connection: idle, sending a request, or waiting for its answer.
struct Connection {
    int fd{-1};
    bool busy{false};
    Clock::time_point due; // when the request under way was to be sent
    std::string head;      // of the request under way, with its delivery id
    std::string_view body; // and its body
    std::size_t sent{0};   // bytes of both
    std::string received;
};

class Load {
public:
    explicit Load(const LoadPlan& plan)
        : plan_(plan)
        , epoll_(::epoll_create1(EPOLL_CLOEXEC))
        , connections_(plan.connections) {
        for (std::size_t i = 0; i < connections_.size(); ++i) {
            connections_[i].fd = connected_to(plan.port);
            epoll_event event{.events = EPOLLIN | EPOLLOUT | EPOLLET, .data = {.u64 = i}};
            ::epoll_ctl(epoll_, EPOLL_CTL_ADD, connections_[i].fd, &event);
            idle_.push_back(i);
        }
    }

    Load(const Load&) = delete;
    Load& operator=(const Load&) = delete;

    ~Load() {
        for (const auto& connection : connections_) {
            if (connection.fd >= 0) {
                ::close(connection.fd);
            }
        }
        ::close(epoll_);
    }

    LoadReport run() {
        began_ = Clock::now();
        last_answer_ = began_;
        for (;;) {
            const auto now = Clock::now();
            start_what_is_due(now);
            const bool over = is_over(now) || open_ == 0;
            if (over && waiting_ == 0) {
                break;
            }
            if (now - last_answer_ > kAnswerWait) {
                report_.broken += waiting_;
                break;
            }
            listen(now);
        }
        report_.took = last_answer_ - began_;
        std::ranges::sort(report_.waits);
        return std::move(report_);
    }

private:
    bool is_over(Clock::time_point now) const {
        return (plan_.requests > 0 && started_ >= plan_.requests) ||
               (plan_.duration.count() > 0 && now - began_ >= plan_.duration);
    }

    Clock::time_point due_time(std::size_t number) const {
        const auto after = std::chrono::duration<double>(static_cast<double>(number) / plan_.rate);
        return began_ + std::chrono::duration_cast<Clock::duration>(after);
    }

    void start_what_is_due(Clock::time_point now) {
        while (!idle_.empty() && !is_over(now)) {
            const auto due = plan_.rate > 0 ? due_time(started_) : now;
            if (due > now) {
                return;
            }
            auto& connection = connections_[idle_.front()];
            idle_.pop_front();
            start(connection, due);
            now = plan_.rate > 0 ? now : Clock::now();
        }
    }

    void start(Connection& connection, Clock::time_point due) {
        const auto number = started_++;
        const auto& body = plan_.bodies[number % plan_.bodies.size()];
        connection.head = body.head + plan_.delivery_prefix;
        if (!plan_.one_delivery) {
            connection.head += fmt::format("-{}", number);
        }
        connection.head += kEnd;
        connection.body = body.body;
        connection.sent = 0;
        connection.due = due;
        connection.busy = true;
        ++waiting_;
        send(connection);
    }

    void send(Connection& connection) {
        const auto whole = connection.head.size() + connection.body.size();
        while (connection.busy && connection.sent < whole) {
            const auto of_head = std::min(connection.sent, connection.head.size());
            const auto of_body = connection.sent - of_head;
            const std::array<iovec, 2> pieces{
                iovec{connection.head.data() + of_head, connection.head.size() - of_head},
                iovec{
                    const_cast<char*>(connection.body.data()) + of_body,
                    connection.body.size() - of_body
                },
            };
            const auto moved = ::writev(connection.fd, pieces.data(), pieces.size());
            if (moved < 0) {
                if (errno != EAGAIN) {
                    lose(connection);
                }
                return;
            }
            connection.sent += static_cast<std::size_t>(moved);
        }
    }

    /// To the next request that is due, to the nanosecond: what spins would take the processor from
    /// the server that it measures.
    timespec wait_from(Clock::time_point now) const {
        std::chrono::nanoseconds wait = kLongestWait;
        if (plan_.rate > 0 && !idle_.empty()) {
            const std::chrono::nanoseconds left = due_time(started_) - now;
            wait = std::clamp(left, std::chrono::nanoseconds(0), wait);
        }
        const auto seconds = std::chrono::floor<std::chrono::seconds>(wait);
        return {.tv_sec = seconds.count(), .tv_nsec = (wait - seconds).count()};
    }

    void listen(Clock::time_point now) {
        std::array<epoll_event, 64> events{};
        const auto wait = wait_from(now);
        const int count =
            ::epoll_pwait2(epoll_, events.data(), static_cast<int>(events.size()), &wait, nullptr);
        for (int i = 0; i < count; ++i) {
            const auto& event = events[static_cast<std::size_t>(i)];
            auto& connection = connections_[event.data.u64];
            if ((event.events & EPOLLOUT) != 0) {
                send(connection);
            }
            if ((event.events & (EPOLLIN | EPOLLHUP | EPOLLERR)) != 0) {
                receive(connection, event.data.u64);
            }
        }
    }

    void receive(Connection& connection, std::size_t index) {
        std::array<char, 16384> room{};
        while (connection.fd >= 0) {
            const auto got = ::read(connection.fd, room.data(), room.size());
            if (got <= 0) {
                if (got == 0 || errno != EAGAIN) {
                    lose(connection);
                }
                return;
            }
            connection.received.append(room.data(), static_cast<std::size_t>(got));
            if (const auto answer = answer_in(connection.received); answer && connection.busy) {
                connection.received.erase(0, answer->bytes);
                finish(connection, answer->status);
                idle_.push_back(index);
            }
        }
    }

    void finish(Connection& connection, int status) {
        last_answer_ = Clock::now();
        report_.waits.push_back(last_answer_ - connection.due);
        ++report_.statuses[status];
        connection.busy = false;
        --waiting_;
    }

    void lose(Connection& connection) {
        if (connection.busy) {
            ++report_.broken;
            --waiting_;
        }
        connection.busy = false;
        ::close(std::exchange(connection.fd, -1));
        --open_;
        std::erase_if(idle_, [&](std::size_t i) { return &connections_[i] == &connection; });
    }

    const LoadPlan& plan_;
    int epoll_;
    std::vector<Connection> connections_;
    std::deque<std::size_t> idle_;
    std::size_t open_{connections_.size()};
    std::size_t started_{0};
    std::size_t waiting_{0};
    Clock::time_point began_;
    Clock::time_point last_answer_;
    LoadReport report_;
};

} // namespace

LoadBody signed_body(
    std::uint16_t port, const std::string& event, const std::string& secret, std::string body
) {
    const auto mac = crypto::HmacKey(secret).sign(body);
    auto head = fmt::format(
        "POST /github/webhook HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nUser-Agent: "
        "GitHub-Hookshot/load\r\n"
        "Accept: */*\r\nContent-Type: application/json\r\nContent-Length: {}\r\n"
        "X-GitHub-Event: {}\r\nX-Hub-Signature-256: sha256={}\r\nX-GitHub-Delivery: ",
        port,
        body.size(),
        event,
        crypto::to_hex(crypto::view_of(mac))
    );
    return {.head = std::move(head), .body = std::move(body)};
}

LoadBody callback_body(std::uint16_t port, const std::string& token, std::string body) {
    auto head = fmt::format(
        "POST /github/callback HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nUser-Agent: load\r\n"
        "Content-Type: application/json\r\nContent-Length: {}\r\nAuthorization: Bearer {}\r\n"
        "X-GitHub-Delivery: ",
        port,
        body.size(),
        token
    );
    return {.head = std::move(head), .body = std::move(body)};
}

std::chrono::nanoseconds LoadReport::within(double part) const {
    if (waits.empty()) {
        return {};
    }
    const auto rank = std::ceil(part * static_cast<double>(waits.size()));
    const auto index = std::clamp<std::size_t>(static_cast<std::size_t>(rank), 1, waits.size());
    return waits[index - 1];
}

LoadReport run_load(const LoadPlan& plan) {
    Load load(plan);
    return load.run();
}

} // namespace baton::bench
