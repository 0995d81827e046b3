#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace baton::test {

/// A wire between two processes that a test may damage: whoever connects to its loopback port is
/// connected to the target. One thread of its own; verbs may be called from any.
class FaultProxy {
public:
    enum class Way : std::uint8_t {
        open = 1,
        slow, // every piece is late, both ways
        held, // nothing passes and nobody is told: a cable that was pulled
        deaf, // what is asked passes, what is answered does not
        cut,  // every connection is reset, and every new one
    };

    /// Where the wire leads: a Unix socket, or a port of loopback when there is none; or one of
    /// several ports in turn, as a load balancer would have it: who does not answer is passed over.
    struct Target {
        std::string socket;
        std::uint16_t port{0};
        std::size_t houses{0};
        std::function<std::uint16_t(std::size_t)> port_of{}; // asked at every connection
    };

    /// Throws std::system_error when no port can be had.
    explicit FaultProxy(Target target);
    FaultProxy(const FaultProxy&) = delete;
    FaultProxy& operator=(const FaultProxy&) = delete;
    ~FaultProxy();

    std::uint16_t port() const { return port_; }

    /// In force when it returns. What was held comes when the wire is open again, late and whole.
    void set(Way way);
    /// Every connection there is ends with a reset.
    void reset();

    static constexpr std::chrono::milliseconds kLate{25};

private:
    struct Lane;
    struct Pair;
    struct Polled;

    void run();
    void carry(const Polled& polled);
    void accept_one();
    int connect_to_target();
    bool passes(const Lane& lane) const;
    bool move(Lane& lane) const; // false: the pair is over
    void drop_all();
    void wake() const;

    Target target_;
    int listener_{-1};
    int bell_{-1};
    std::uint16_t port_{0};

    std::mutex mutex_;
    Way way_{Way::open};       // guarded, as is the rest
    std::uint64_t changes_{0}; // of the list of pairs by somebody else than the thread
    std::list<Pair> pairs_;
    bool stopping_{false};
    std::size_t turn_{0}; // of the thread

    std::thread thread_; // last: starts when everything above is there
};

} // namespace baton::test
