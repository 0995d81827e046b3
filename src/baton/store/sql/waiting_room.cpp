#include "baton/store/sql/waiting_room.hpp"

#include <boost/asio/execution_context.hpp>

#include <memory>
#include <mutex>
#include <vector>

namespace baton::store::sql {

boost::asio::execution_context::id WaitingRoomService::id;

WaitingRoomService::WaitingRoomService(boost::asio::execution_context& loop)
    : boost::asio::execution_context::service(loop)
    , room_(std::make_shared<WaitingRoom>()) {}

void WaitingRoomService::shutdown() {
    std::vector<std::shared_ptr<void>>
        coroutines; // destroyed after the lock: a destructor may do anything
    const std::lock_guard lock(room_->mutex);
    while (!room_->waiters.empty()) {
        auto& waiter = room_->waiters.front();
        room_->waiters.pop_front();
        coroutines.push_back(waiter.let_go());
    }
}

} // namespace baton::store::sql
