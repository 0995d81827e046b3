#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

namespace baton::async {

/// Owns every coroutine it spawned: they end by themselves, or are cancelled and joined here. Lives on one executor
/// (one thread); every verb is called there. A group must be joined before it dies.
class TaskGroup {
public:
    /// `on_surprise` is told what a task threw: a net, not a path.
    TaskGroup(boost::asio::any_io_executor executor, std::function<void(std::string)> on_surprise);
    TaskGroup(const TaskGroup&) = delete;
    TaskGroup& operator=(const TaskGroup&) = delete;
    ~TaskGroup();

    void spawn(boost::asio::awaitable<void> task);
    std::size_t size() const;

    /// Asks every task to stop: its current wait ends with operation_aborted.
    void cancel();
    /// Returns when no task is left.
    boost::asio::awaitable<void> join();

private:
    struct State;
    std::shared_ptr<State> state_;
};

} // namespace baton::async
