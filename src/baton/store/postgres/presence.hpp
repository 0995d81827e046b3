#pragma once

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
/// leased (`is_gone` in migrations/postgres). One of those who are there holds the lead too.
///
/// On the same session it hears of what other processes wrote (NOTIFY baton).
class Presence {
public:
    Presence(std::string url, std::function<void()> on_news);
    Presence(const Presence&) = delete;
    Presence& operator=(const Presence&) = delete;
    ~Presence();

    /// From now on under this name. Returns when the lock is held, or after some seconds without a
    /// database: then as soon as there is one.
    void enter(const std::string& name);

    /// Whether this replica does what only one has to do. For a second after its session broke it
    /// may think so wrongly: such work does no harm when it is done twice.
    bool leads() const { return leads_; }

private:
    void live();
    bool show_up(); // session, name, ears
    void seek_lead();
    void listen();

    std::string url_;
    std::function<void()> on_news_;
    Session session_;
    std::atomic<bool> leads_{false};

    std::mutex mutex_;
    std::condition_variable changed_;
    std::string name_;     // guarded; empty: not yet
    std::string held_;     // guarded: the name that is locked on this session
    bool stopping_{false}; // guarded

    std::thread thread_; // last: starts when everything above is there
};

} // namespace baton::store::postgres
