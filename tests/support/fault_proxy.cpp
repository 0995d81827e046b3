#include "support/fault_proxy.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace baton::test {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kTurn = 5; // milliseconds: how late a late piece may be noticed
constexpr std::size_t kPiece = 65'536;

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

/// When it is closed, the other side is told by a reset.
void reset_at_end(int socket) {
    const linger none{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(socket, SOL_SOCKET, SO_LINGER, &none, sizeof none);
}

int prepared(int socket) {
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on); // a Unix socket refuses, and
                                                                    // does not need it
    ::fcntl(socket, F_SETFL, O_NONBLOCK);
    return socket;
}

bool would_block() {
    return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
}

/// -1 when nobody is there.
int connect_to(const std::string& socket, std::uint16_t port) {
    sockaddr_un named{};
    named.sun_family = AF_UNIX;
    socket.copy(named.sun_path, sizeof named.sun_path - 1);
    const auto numbered = loopback(port);
    const bool is_named = !socket.empty();
    const int server = ::socket(is_named ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto* const address = is_named ? reinterpret_cast<const sockaddr*>(&named)
                                         : reinterpret_cast<const sockaddr*>(&numbered);
    const socklen_t length = is_named ? sizeof named : sizeof numbered;
    if (::connect(server, address, length) != 0) {
        ::close(server);
        return -1;
    }
    return server;
}

} // namespace

/// One direction of a connection.
struct FaultProxy::Lane {
    int from{-1};
    int to{-1};
    bool answers{false};
    std::string bytes; // read and not yet written
    Clock::time_point due{};
    bool over{false}; // nothing more will be read

    short wants_of(int socket) const {
        if (socket == from && bytes.empty() && !over) {
            return POLLIN;
        }
        return static_cast<short>(
            socket == to && !bytes.empty() && due <= Clock::now() ? POLLOUT : 0
        );
    }
};

struct FaultProxy::Pair {
    Lane asks;
    Lane answers;

    Pair(int client, int server)
        : asks{.from = client, .to = server, .bytes = {}}
        , answers{.from = server, .to = client, .answers = true, .bytes = {}} {}

    Pair(const Pair&) = delete;
    Pair& operator=(const Pair&) = delete;

    ~Pair() {
        ::close(asks.from);
        ::close(asks.to);
    }

    bool is_over() const {
        return (asks.over && asks.bytes.empty()) || (answers.over && answers.bytes.empty());
    }
};

struct FaultProxy::Polled {
    std::vector<pollfd> sockets; // bell and listener, then those of the pairs
    std::uint64_t changes{0};
};

FaultProxy::FaultProxy(Target target)
    : target_(std::move(target))
    , listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0))
    , bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    auto address = loopback(0);
    socklen_t length = sizeof address;
    auto* const raw = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_, raw, length) != 0 || ::listen(listener_, 256) != 0 ||
        ::getsockname(listener_, raw, &length) != 0) {
        throw std::system_error(errno, std::generic_category(), "no port for the proxy");
    }
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { run(); });
}

FaultProxy::~FaultProxy() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    wake();
    thread_.join();
    drop_all();
    ::close(listener_);
    ::close(bell_);
}

void FaultProxy::set(Way way) {
    const std::lock_guard lock(mutex_);
    way_ = way;
    if (way == Way::cut) {
        drop_all();
    }
    wake();
}

void FaultProxy::reset() {
    const std::lock_guard lock(mutex_);
    drop_all();
    wake();
}

void FaultProxy::drop_all() {
    for (const auto& pair : pairs_) {
        reset_at_end(pair.asks.from);
        reset_at_end(pair.asks.to);
    }
    pairs_.clear();
    ++changes_;
}

void FaultProxy::wake() const {
    const std::uint64_t once = 1;
    [[maybe_unused]] const auto rung = ::write(bell_, &once, sizeof once);
}

bool FaultProxy::passes(const Lane& lane) const {
    return way_ == Way::open || way_ == Way::slow || (way_ == Way::deaf && !lane.answers);
}

/// A socket that nothing is wanted of is left out: an end that came meanwhile would wake us for
/// ever.
void FaultProxy::run() {
    for (;;) {
        Polled polled;
        {
            const std::lock_guard lock(mutex_);
            if (stopping_) {
                return;
            }
            polled.changes = changes_;
            polled.sockets = {
                {.fd = bell_, .events = POLLIN, .revents = 0},
                {.fd = listener_, .events = POLLIN, .revents = 0}
            };
            for (const auto& pair : pairs_) {
                for (const int socket : {pair.asks.from, pair.asks.to}) {
                    int wants = 0;
                    for (const auto* lane : {&pair.asks, &pair.answers}) {
                        wants |= passes(*lane) ? lane->wants_of(socket) : 0;
                    }
                    polled.sockets.push_back(
                        {.fd = wants == 0 ? -1 : socket,
                         .events = static_cast<short>(wants),
                         .revents = 0}
                    );
                }
            }
        }
        ::poll(polled.sockets.data(), polled.sockets.size(), kTurn);
        carry(polled);
    }
}

void FaultProxy::carry(const Polled& polled) {
    const std::lock_guard lock(mutex_);
    std::uint64_t rung = 0;
    [[maybe_unused]] const auto read = ::read(bell_, &rung, sizeof rung);
    if (polled.changes != changes_) {
        return; // what was waited for is not there any more
    }
    std::size_t at = 2;
    for (auto pair = pairs_.begin(); pair != pairs_.end() && at + 1 < polled.sockets.size();) {
        const bool ready = polled.sockets[at].revents != 0 || polled.sockets[at + 1].revents != 0;
        at += 2;
        const bool lives =
            !ready || ((!passes(pair->asks) || move(pair->asks)) &&
                       (!passes(pair->answers) || move(pair->answers)) && !pair->is_over());
        pair = lives ? std::next(pair) : pairs_.erase(pair);
    }
    if (polled.sockets[1].revents != 0) {
        accept_one();
    }
}

bool FaultProxy::move(Lane& lane) const {
    if (lane.bytes.empty() && !lane.over) {
        lane.bytes.resize(kPiece);
        const auto got = ::recv(lane.from, lane.bytes.data(), kPiece, 0);
        const bool broken = got < 0 && !would_block();
        lane.bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        lane.over = got == 0;
        lane.due = Clock::now() + (way_ == Way::slow ? kLate : kLate * 0);
        if (broken) {
            return false;
        }
    }
    if (!lane.bytes.empty() && lane.due <= Clock::now()) {
        const auto gone = ::send(lane.to, lane.bytes.data(), lane.bytes.size(), MSG_NOSIGNAL);
        if (gone < 0 && !would_block()) {
            return false;
        }
        lane.bytes.erase(0, static_cast<std::size_t>(std::max<ssize_t>(gone, 0)));
    }
    return true;
}

void FaultProxy::accept_one() {
    const int client = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) {
        return;
    }
    const int server = way_ == Way::cut ? -1 : connect_to_target();
    if (server < 0) { // the wire is cut, or nobody is at its other end
        reset_at_end(client);
        ::close(client);
        return;
    }
    pairs_.emplace_back(prepared(client), prepared(server));
}

int FaultProxy::connect_to_target() {
    for (std::size_t i = 0; i < target_.houses; ++i) {
        const auto server = connect_to({}, target_.port_of(++turn_ % target_.houses));
        if (server >= 0) {
            return server;
        }
    }
    return target_.houses > 0 ? -1 : connect_to(target_.socket, target_.port);
}

} // namespace baton::test
