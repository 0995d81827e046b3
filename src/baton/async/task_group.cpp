#include "baton/async/task_group.hpp"

#include "baton/base/assert.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/system/system_error.hpp>

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace baton::async {

namespace asio = boost::asio;

struct TaskGroup::State {
    struct Task {
        asio::cancellation_signal signal;
        bool ended{false};
    };

    using Tasks = std::list<std::shared_ptr<Task>>;

    State(asio::any_io_executor ex, std::function<void(std::string)> surprise)
        : executor(std::move(ex))
        , on_surprise(std::move(surprise))
        , empty(executor, std::chrono::steady_clock::time_point::max()) {
        BATON_ASSERT(on_surprise);
    }

    void ended(Tasks::iterator task, const std::exception_ptr& thrown) {
        (*task)->ended = true;
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
            if (error.code() != asio::error::operation_aborted) {
                on_surprise(error.what());
            }
        } catch (const std::exception& error) {
            on_surprise(error.what());
        } catch (...) {
            on_surprise("something that is no std::exception");
        }
    }

    asio::any_io_executor executor;
    std::function<void(std::string)> on_surprise;
    Tasks tasks;
    asio::steady_timer empty; // never expires; cancelled when the last task ends
};

TaskGroup::TaskGroup(asio::any_io_executor executor, std::function<void(std::string)> on_surprise)
    : state_(std::make_shared<State>(std::move(executor), std::move(on_surprise))) {}

TaskGroup::~TaskGroup() {
    BATON_ASSERT(state_->tasks.empty());
}

void TaskGroup::spawn(asio::awaitable<void> task) {
    const auto place = state_->tasks.emplace(state_->tasks.end(), std::make_shared<State::Task>());
    const auto slot = (*place)->signal.slot();
    auto done = [state = state_, place](const std::exception_ptr& thrown) {
        state->ended(place, thrown);
    };
    asio::co_spawn(
        state_->executor, std::move(task), asio::bind_cancellation_slot(slot, std::move(done))
    );
}

std::size_t TaskGroup::size() const {
    return state_->tasks.size();
}

void TaskGroup::cancel() {
    // Inside the executor, because co_spawn hands a cancellation on by dispatch: from elsewhere it
    // would be queued with a pointer into a signal that may be gone by then. Over a copy, because a
    // task may end, and so take itself and others off the list, while it is being told.
    asio::dispatch(state_->executor, [state = state_] {
        const std::vector<std::shared_ptr<State::Task>> told(
            state->tasks.begin(), state->tasks.end()
        );
        for (const auto& task : told) {
            if (!task->ended) {
                task->signal.emit(asio::cancellation_type::terminal);
            }
        }
    });
}

asio::awaitable<void> TaskGroup::join() {
    const auto state = state_;
    const bool throws = co_await asio::this_coro::throw_if_cancelled();
    co_await asio::this_coro::throw_if_cancelled(false);
    while (!state->tasks.empty()) {
        static_cast<void>(co_await state->empty.async_wait(asio::as_tuple(asio::use_awaitable)));
    }
    co_await asio::this_coro::throw_if_cancelled(throws);
}

} // namespace baton::async
