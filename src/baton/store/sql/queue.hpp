#pragma once

#include "baton/base/result.hpp"
#include "baton/store/sql/job.hpp"

#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <memory>
#include <utility>

namespace baton::store::sql {

/// Where verbs wait for a connection: the writer's, or one of the readers'.
class Queue {
public:
    Queue() = default;
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;
    virtual ~Queue() = default;

    /// Queues `work` (Connection& -> Result<T>) and resumes the caller on its own executor.
    /// `unavailable` at once when too many wait already.
    template <class T, class Work> boost::asio::awaitable<Result<T>> submit(Undo undo, Work work) {
        auto start = [this, undo, work = std::move(work)](auto handler) mutable {
            using Typed = TypedJob<T, Work, decltype(handler)>;
            auto job = std::make_shared<Typed>(undo, std::move(work), std::move(handler));
            job->wait();
            enqueue(std::move(job));
        };
        return boost::asio::async_initiate<const boost::asio::use_awaitable_t<>, void(Result<T>)>(
            std::move(start), boost::asio::use_awaitable
        );
    }

    template <class T, class Work> boost::asio::awaitable<Result<T>> submit(Work work) {
        return submit<T>(Undo::alone, std::move(work));
    }

private:
    virtual void enqueue(std::shared_ptr<Job> job) = 0;
};

} // namespace baton::store::sql
