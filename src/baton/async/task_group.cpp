#include "baton/async/task_group.hpp"

#include "baton/base/assert.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <chrono>
#include <exception>
#include <list>
#include <utility>

namespace baton::async {

namespace asio = boost::asio;

struct TaskGroup::State {
    State(asio::any_io_executor ex, std::function<void(std::string)> surprise)
        : executor(std::move(ex))
        , on_surprise(std::move(surprise))
        , empty(executor) {}

    void ended(std::list<asio::cancellation_signal>::iterator task, const std::exception_ptr& thrown) {
        tasks.erase(task);
        if (thrown) {
            report(thrown);
        }
        if (tasks.empty()) {
            empty.cancel();
        }
    }

    void report(const std::exception_ptr& thrown) const {
        try {
            std::rethrow_exception(thrown);
        } catch (const boost::system::system_error& error) {
            if (error.code() != asio::error::operation_aborted) { // being cancelled is no surprise
                on_surprise(error.what());
            }
        } catch (const std::exception& error) {
            on_surprise(error.what());
        }
    }

    asio::any_io_executor executor;
    std::function<void(std::string)> on_surprise;
    std::list<asio::cancellation_signal> tasks; // a list: signals must not move
    asio::steady_timer empty;                   // never expires; cancelled when the last task ends
};

TaskGroup::TaskGroup(asio::any_io_executor executor, std::function<void(std::string)> on_surprise)
    : state_(std::make_shared<State>(std::move(executor), std::move(on_surprise))) {}

TaskGroup::~TaskGroup() {
    BATON_ASSERT(state_->tasks.empty());
}

void TaskGroup::spawn(asio::awaitable<void> task) {
    auto slot = state_->tasks.emplace(state_->tasks.end());
    auto done = [state = state_, slot](const std::exception_ptr& thrown) { state->ended(slot, thrown); };
    asio::co_spawn(
        state_->executor, std::move(task), asio::bind_cancellation_slot(slot->slot(), std::move(done))
    );
}

std::size_t TaskGroup::size() const {
    return state_->tasks.size();
}

void TaskGroup::cancel() {
    // A handler may end its task, and so change the list, while we walk: step first, then emit.
    for (auto it = state_->tasks.begin(); it != state_->tasks.end();) {
        auto& signal = *it++;
        signal.emit(asio::cancellation_type::terminal);
    }
}

asio::awaitable<void> TaskGroup::join() {
    const auto state = state_;
    while (!state->tasks.empty()) {
        state->empty.expires_at(std::chrono::steady_clock::time_point::max());
        static_cast<void>(co_await state->empty.async_wait(asio::as_tuple(asio::use_awaitable)));
    }
}

} // namespace baton::async
