#pragma once

#include <boost/asio/execution_context.hpp>
#include <boost/intrusive/list.hpp>
#include <boost/intrusive/list_hook.hpp>

#include <memory>
#include <mutex>

namespace baton::store::sql {

/// A coroutine that waits for the writer thread, seen from the event loop it belongs to.
class Waiter : public boost::intrusive::list_base_hook<> {
public:
    Waiter() = default;
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;
    virtual ~Waiter() = default;

    /// Gives up the coroutine, to be destroyed by whoever asked. Called with the room locked.
    virtual std::shared_ptr<void> let_go() = 0;
};

/// Who waits, per event loop. A loop may be destroyed while an operation of one of its coroutines
/// is queued; the operation then still takes effect, but nobody is told. Handing a result over,
/// cancelling and the end of the loop all take this one lock, so a result is never posted to a loop
/// that is gone.
struct WaitingRoom {
    std::mutex mutex;
    boost::intrusive::list<Waiter> waiters;
};

/// Hooks the room into the loop's own end.
class WaitingRoomService : public boost::asio::execution_context::service {
public:
    using key_type = WaitingRoomService;
    static boost::asio::execution_context::id id;

    explicit WaitingRoomService(boost::asio::execution_context& loop);

    std::shared_ptr<WaitingRoom> room() const { return room_; }

private:
    void shutdown() override;

    std::shared_ptr<WaitingRoom> room_;
};

} // namespace baton::store::sql
