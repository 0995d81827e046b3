#pragma once

#include <chrono>
#include <list>

namespace baton::net {

/// The connections of one thread and until when each of them may stay as it is. One sweep a few
/// times a second closes who is late: cheaper than a timer per operation, and no wait can be
/// forgotten. One thread only.
class Roster {
public:
    using Clock = std::chrono::steady_clock;

    class Member {
    public:
        explicit Member(Roster& roster)
            : roster_(roster)
            , place_(roster.members_.insert(roster.members_.end(), this)) {}

        Member(const Member&) = delete;
        Member& operator=(const Member&) = delete;

        virtual ~Member() { roster_.members_.erase(place_); }

        /// Ends every wait on this connection's socket with an error; does not destroy it.
        virtual void close() = 0;

    protected:
        /// Between requests: may be closed when we stop. Late after `wait`.
        void rest(std::chrono::milliseconds wait) { set(false, Clock::now() + wait); }

        /// A request is under way: a stop waits for it. Late after `wait`.
        void work(std::chrono::milliseconds wait) { set(true, Clock::now() + wait); }

        /// A request is under way in a handler, which has deadlines of its own.
        void work() { set(true, Clock::time_point::max()); }

        bool stopping() const { return roster_.stopping_; }

    private:
        friend class Roster;

        void set(bool busy, Clock::time_point late) {
            busy_ = busy;
            late_ = late;
        }

        Roster& roster_;
        std::list<Member*>::iterator place_;
        bool busy_{false};
        Clock::time_point late_{Clock::time_point::max()};
    };

    Roster() = default;
    Roster(const Roster&) = delete;
    Roster& operator=(const Roster&) = delete;
    ~Roster() = default;

    void close_late(Clock::time_point now) {
        close_where([now](const Member& member) { return member.late_ <= now; });
    }

    /// From now on connections end after their current request; those without one are closed.
    void stop() {
        stopping_ = true;
        close_where([](const Member& member) { return !member.busy_; });
    }

    bool stopping() const { return stopping_; }

    void close_all() {
        close_where([](const Member&) { return true; });
    }

private:
    template <class Predicate> void close_where(Predicate wanted) {
        for (auto* member : members_) { // close() only wakes coroutines, later: the list stays
            if (wanted(*member)) {
                member->close();
            }
        }
    }

    std::list<Member*> members_;
    bool stopping_{false};
};

} // namespace baton::net
