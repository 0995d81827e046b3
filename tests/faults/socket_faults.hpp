#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace baton::test {

/// Names the file of the page to a process that has libsocket_faults.so preloaded.
inline constexpr const char* kSocketFaultsVariable = "BATON_SOCKET_FAULTS";

enum class SocketFault : std::uint32_t {
    none,    // calls are counted only
    aborted, // a connection ended in the queue, before it was accepted
    reset,   // the connection is gone: a connect, a read or a write fails
    half,    // a read or a write moves half of the bytes it could have moved
    torn,    // half of the bytes, and then the connection is gone
    full,    // no descriptor is left for an accept or a new socket
};

/// The socket calls that `baton` makes; an accept that has a connection is counted twice.
enum class SocketCall : std::uint32_t {
    accept,
    accepted,
    connect,
    recv,
    send,
    sendmsg,
    socket,
    count
};

/// A page of memory that the test and the process share. A fault strikes the `nth` of the calls
/// that it can strike, and all later ones when it is lasting; a test may change it at any moment.
struct SocketFaultPage {
    std::atomic<SocketFault> fault{SocketFault::none};
    std::atomic<bool> lasting{false};
    std::atomic<std::uint64_t> nth{1};
    std::atomic<std::uint64_t> candidates{0}; // calls so far that the fault could strike
    std::atomic<std::uint64_t> struck{0};
    std::atomic<SocketCall> struck_last{SocketCall::count};
    std::atomic<std::uint64_t> calls[static_cast<std::size_t>(SocketCall::count)]{};
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "shared by two processes");

} // namespace baton::test
