#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

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

struct UnmapPage {
    void operator()(SocketFaultPage* page) const { ::munmap(page, sizeof(SocketFaultPage)); }
};

using SharedPage = std::unique_ptr<SocketFaultPage, UnmapPage>;

/// Maps the file, made when it is missing: a page of zeros is one without a fault. Null when it
/// cannot be had.
inline SharedPage map_page(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) {
        return nullptr;
    }
    void* memory = MAP_FAILED;
    if (::ftruncate(file, sizeof(SocketFaultPage)) == 0) {
        memory =
            ::mmap(nullptr, sizeof(SocketFaultPage), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    }
    ::close(file);
    return SharedPage(memory == MAP_FAILED ? nullptr : static_cast<SocketFaultPage*>(memory));
}

} // namespace baton::test
