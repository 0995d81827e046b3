// Preloaded into a real `baton serve`, this library stands between it and the C library and lets
// socket calls fail as a page in shared memory says (socket_faults.hpp). Only the calls that the
// binary makes are here: `nm -D baton` names them, and relay_socket_test sees that they are passed.

#include "faults/socket_faults.hpp"

#include <dlfcn.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <mutex>
#include <vector>

#include "faults/shared_page.hpp"

namespace baton::test {
namespace {

SocketFaultPage& page() {
    static SocketFaultPage* const shared = [] {
        const char* const path = std::getenv(kSocketFaultsVariable);
        auto mapped = path == nullptr ? nullptr : map_page<SocketFaultPage>(path);
        return mapped ? mapped.release() : new SocketFaultPage; // both live as long as the process
    }();
    return *shared;
}

/// The call that this library hides.
template <class Function> Function hidden(const char* name) {
    return reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
}

bool can_strike(SocketFault fault, SocketCall call) {
    const bool moves_bytes =
        call == SocketCall::recv || call == SocketCall::send || call == SocketCall::sendmsg;
    switch (fault) {
    case SocketFault::none:
        return false;
    case SocketFault::aborted:
        return call == SocketCall::accepted;
    case SocketFault::reset:
        return call == SocketCall::connect || moves_bytes;
    case SocketFault::half:
    case SocketFault::torn:
        return moves_bytes;
    case SocketFault::full:
        return call == SocketCall::accept || call == SocketCall::socket;
    }
    return false;
}

/// Counts the call and says what befalls it.
SocketFault fate_of(SocketCall call) {
    auto& shared = page();
    shared.calls[static_cast<std::size_t>(call)].fetch_add(1);
    const auto fault = shared.fault.load();
    if (!can_strike(fault, call)) {
        return SocketFault::none;
    }
    const auto number = shared.candidates.fetch_add(1) + 1;
    const auto nth = shared.nth.load();
    if (number != nth && !(shared.lasting.load() && number > nth)) {
        return SocketFault::none;
    }
    shared.struck.fetch_add(1);
    shared.struck_last = call;
    return fault;
}

int failed(int error) {
    errno = error;
    return -1;
}

/// Both sides lose the connection: what was sent before arrives, what was not read never will.
void tear(int descriptor) {
    static const auto real = hidden<decltype(&::recv)>("recv");
    ::shutdown(descriptor, SHUT_RDWR);
    char unread[4096];
    while (real(descriptor, unread, sizeof unread, MSG_DONTWAIT) > 0) {
    }
}

/// How each descriptor is watched. An event loop that waits for edges rightly believes that a short
/// count means "no more for now", so whoever makes one up owes it the next edge.
class Watches {
public:
    void note(int poller, int operation, int descriptor, const epoll_event* event) {
        const std::lock_guard guard(mutex_);
        if (operation == EPOLL_CTL_DEL || event == nullptr) {
            watches_.erase(descriptor);
        } else {
            watches_[descriptor] = {.poller = poller, .event = *event};
        }
    }

    void give_edge(int descriptor) {
        static const auto real = hidden<decltype(&::epoll_ctl)>("epoll_ctl");
        const std::lock_guard guard(mutex_);
        if (const auto found = watches_.find(descriptor); found != watches_.end()) {
            auto& watch = found->second;
            static_cast<void>(real(watch.poller, EPOLL_CTL_MOD, descriptor, &watch.event));
        }
    }

private:
    struct Watch {
        int poller{-1};
        epoll_event event{};
    };

    std::mutex mutex_;
    std::map<int, Watch> watches_;
};

Watches& watches() {
    static auto* const all = new Watches; // sockets are used until the very end of the process
    return *all;
}

/// The rest of the fate of a call that moved half of its bytes.
void after_half(SocketFault fate, int descriptor) {
    if (fate == SocketFault::torn) {
        tear(descriptor);
    } else {
        watches().give_edge(descriptor);
    }
}

std::size_t half_of(std::size_t bytes) {
    return std::max<std::size_t>(bytes / 2, 1);
}

/// The first `bytes` of what a message would send.
std::vector<iovec> front_of(const msghdr& message, std::size_t bytes) {
    std::vector<iovec> pieces(message.msg_iov, message.msg_iov + message.msg_iovlen);
    for (auto& piece : pieces) {
        piece.iov_len = std::min(piece.iov_len, bytes);
        bytes -= piece.iov_len;
    }
    return pieces;
}

std::size_t size_of(const msghdr& message) {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < message.msg_iovlen; ++i) {
        bytes += message.msg_iov[i].iov_len;
    }
    return bytes;
}

} // namespace
} // namespace baton::test

using baton::test::fate_of;
using baton::test::hidden;
using baton::test::SocketCall;
using baton::test::SocketFault;

extern "C" {

int socket(int domain, int type, int protocol) noexcept {
    static const auto real = hidden<decltype(&::socket)>("socket");
    if (fate_of(SocketCall::socket) == SocketFault::full) {
        return baton::test::failed(EMFILE);
    }
    return real(domain, type, protocol);
}

int accept(int listener, sockaddr* address, socklen_t* length) {
    static const auto real = hidden<decltype(&::accept)>("accept");
    if (fate_of(SocketCall::accept) == SocketFault::full) {
        return baton::test::failed(EMFILE);
    }
    const int accepted = real(listener, address, length);
    if (accepted >= 0 && fate_of(SocketCall::accepted) == SocketFault::aborted) {
        ::close(accepted); // it has left the queue
        return baton::test::failed(ECONNABORTED);
    }
    return accepted;
}

int connect(int descriptor, const sockaddr* address, socklen_t length) {
    static const auto real = hidden<decltype(&::connect)>("connect");
    if (fate_of(SocketCall::connect) == SocketFault::reset) {
        return baton::test::failed(ECONNRESET);
    }
    return real(descriptor, address, length);
}

ssize_t recv(int descriptor, void* bytes, size_t size, int flags) {
    static const auto real = hidden<decltype(&::recv)>("recv");
    const auto fate = fate_of(SocketCall::recv);
    if (fate == SocketFault::reset) {
        baton::test::tear(descriptor);
        return baton::test::failed(ECONNRESET);
    }
    if (fate == SocketFault::none) {
        return real(descriptor, bytes, size, flags);
    }
    const auto there = real(descriptor, bytes, size, flags | MSG_PEEK);
    if (there <= 0) {
        return there;
    }
    const auto half = baton::test::half_of(static_cast<std::size_t>(there));
    const auto got = real(descriptor, bytes, half, flags);
    baton::test::after_half(fate, descriptor);
    return got;
}

ssize_t sendmsg(int descriptor, const msghdr* message, int flags) {
    static const auto real = hidden<decltype(&::sendmsg)>("sendmsg");
    const auto fate = fate_of(SocketCall::sendmsg);
    if (fate == SocketFault::reset) {
        baton::test::tear(descriptor);
        return baton::test::failed(EPIPE);
    }
    if (fate == SocketFault::none) {
        return real(descriptor, message, flags);
    }
    auto pieces =
        baton::test::front_of(*message, baton::test::half_of(baton::test::size_of(*message)));
    auto front = *message;
    front.msg_iov = pieces.data();
    const auto sent = real(descriptor, &front, flags);
    baton::test::after_half(fate, descriptor);
    return sent;
}

ssize_t send(int descriptor, const void* bytes, size_t size, int flags) {
    static const auto real = hidden<decltype(&::send)>("send");
    const auto fate = fate_of(SocketCall::send);
    if (fate == SocketFault::reset) {
        baton::test::tear(descriptor);
        return baton::test::failed(EPIPE);
    }
    if (fate == SocketFault::none) {
        return real(descriptor, bytes, size, flags);
    }
    const auto sent = real(descriptor, bytes, baton::test::half_of(size), flags);
    baton::test::after_half(fate, descriptor);
    return sent;
}

int epoll_ctl(int poller, int operation, int descriptor, epoll_event* event) noexcept {
    static const auto real = hidden<decltype(&::epoll_ctl)>("epoll_ctl");
    const int outcome = real(poller, operation, descriptor, event);
    if (outcome == 0) {
        const int error = errno;
        baton::test::watches().note(poller, operation, descriptor, event);
        errno = error;
    }
    return outcome;
}

} // extern "C"
