#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace baton::async {

/// Owns every coroutine it spawned: they end by themselves, or are cancelled and joined here. Lives
/// on one executor (one thread); every verb is called there. A group must be joined before it dies.
class TaskGroup {
public:
    /// `on_surprise` is told what a task threw: a net, not a path. Being cancelled is no surprise.
    TaskGroup(boost::asio::any_io_executor executor, std::function<void(std::string)> on_surprise);
    TaskGroup(const TaskGroup&) = delete;
    TaskGroup& operator=(const TaskGroup&) = delete;
    ~TaskGroup();

    void spawn(boost::asio::awaitable<void> task);
    std::size_t size() const;

    /// Asks every task to stop: its current wait, and each one that it begins afterwards, ends with
    /// operation_aborted. Tasks that are spawned later are not asked.
    void cancel();

    /// Returns when no task is left, however often the waiting coroutine itself is cancelled
    /// meanwhile: leaving early would leave tasks without an owner. Any number may wait; a task of
    /// this group must not.
    boost::asio::awaitable<void> join();

private:
    struct State;
    std::shared_ptr<State> state_;
};

} // namespace baton::async
