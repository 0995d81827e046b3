#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/postgres/quota_talk.hpp"
#include "baton/store/postgres/session.hpp"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace baton::store::postgres {

/// A replica's sign of life: one session that holds a lock in the replica's name, as long as the
/// process lives and reaches the database. Whose lock is gone is dead, and others take over what it
/// leased. One of those who are there holds the lead too. Whoever says nothing for some seconds
/// (stopped, or on a machine that vanished) loses its session to the others.
///
/// On the same session it hears of what other processes wrote (NOTIFY baton) and what time it is by
/// the database's clock, and the replicas tell each other of GitHub's limits. Dying, it tells them
/// to look at what is left.
class Presence {
public:
    /// Called on a thread of its own.
    struct Listener {
        std::function<void()> on_news;          // and when it takes the lead
        std::function<void(TimePoint)> on_time; // before `enter` returns, and at every look
        std::function<void()> on_silence;       // each time that nobody answers there
    };

    Presence(std::string url, Listener listener, QuotaTalk& talk);
    Presence(const Presence&) = delete;
    Presence& operator=(const Presence&) = delete;
    ~Presence();

    /// From now on under this name. The first time it waits until the lock is held, some seconds at
    /// most; `unavailable`, with the reason, when it is not.
    Result<void> enter(const std::string& name);

    /// Whether it entered and lost its session: nothing is to be leased then, for others would take
    /// it over.
    bool is_missing() const { return entered_ && !there_; }

    /// Whether this replica does what only one has to do. For some seconds after its session broke
    /// it may think so wrongly: such work does no harm when it is done twice.
    bool leads() const { return leads_; }

private:
    void live();
    bool show_up(); // session, name, ears
    void fail_to_show_up();
    bool read_clock();
    void lead_or_follow();
    void tell();
    void listen();
    void hear();

    std::string url_;
    Listener listener_;
    bool has_time_{false}; // of the thread
    QuotaTalk& talk_;
    Session session_;
    std::atomic<bool> entered_{false};
    std::atomic<bool> there_{false};
    std::atomic<bool> leads_{false};

    std::mutex mutex_;
    std::condition_variable changed_;
    std::string name_;     // guarded; empty: not yet
    std::string held_;     // guarded: the name that is locked on this session
    std::string trouble_;  // guarded: why it is not
    bool stopping_{false}; // guarded

    std::thread thread_; // last: starts when everything above is there
};

} // namespace baton::store::postgres
