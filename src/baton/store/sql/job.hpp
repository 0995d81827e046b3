#pragma once

#include "baton/base/result.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/waiting_room.hpp"

#include <boost/asio/associated_cancellation_slot.hpp>
#include <boost/asio/associated_executor.hpp>
#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/query.hpp>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace baton::store::sql {

/// Whether an operation must be undone alone when it fails half-way (several statements), or needs
/// no savepoint because its first statement decides everything.
enum class Undo : std::uint8_t { alone = 1, with_the_batch };

/// One operation on its way through the writer: queued, run inside a shared transaction, handed
/// over after the commit.
class Job {
public:
    explicit Job(Undo undo)
        : undo_(undo) {}

    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    virtual ~Job() = default;

    Undo undo() const { return undo_; }

    /// On the writer's thread, before any of its batch runs: sends what needs no answer of its own,
    /// so that the answers for the whole batch come together.
    virtual void send_ahead(Connection& db) = 0;
    /// After that; both again when its batch is tried again. False: its result is an error, and
    /// nothing of it shall stay.
    virtual bool run(Connection& db) = 0;
    virtual void fail_with(const Error& error) = 0;
    /// Posts the result to the caller, if it is still there. Called exactly once, by the writer.
    virtual void hand_over() = 0;
    /// The caller hears this now, if it has not heard anything; the operation may still take
    /// effect. Any thread, once it is queued.
    virtual void give_up(const Error& error) = 0;

private:
    Undo undo_;
};

/// `Work` owns its input, is called with the connection and keeps what it needs to be called again;
/// it may have a `send_ahead`, if it is undone with its batch. `Handler` resumes the caller.
template <class T, class Work, class Handler>
class TypedJob final : public Job,
                       private Waiter,
                       public std::enable_shared_from_this<TypedJob<T, Work, Handler>> {
public:
    TypedJob(Undo undo, Work work, Handler handler)
        : Job(undo)
        , work_(std::move(work))
        , handler_(std::move(handler)) {}

    /// On the caller's thread, once, before the job is queued.
    void wait() {
        namespace asio = boost::asio;
        const auto executor = asio::get_associated_executor(*handler_);
        asio::execution_context& loop = asio::query(executor, asio::execution::context);
        room_ = asio::use_service<WaitingRoomService>(loop).room();
        auto slot = asio::get_associated_cancellation_slot(*handler_);
        if (slot.is_connected()) {
            slot.assign([job = this->weak_from_this()](asio::cancellation_type /*type*/) {
                if (const auto alive = job.lock()) {
                    alive->give_up(
                        {.code = Errc::cancelled,
                         .detail = "the caller stopped waiting for the store"}
                    );
                }
            });
        }
        const std::lock_guard lock(room_->mutex);
        room_->waiters.push_back(*this);
    }

    void send_ahead(Connection& db) override {
        if constexpr (requires { work_.send_ahead(db); }) {
            work_.send_ahead(db);
        }
    }

    bool run(Connection& db) override {
        result_ = work_(db);
        return result_.has_value();
    }

    void fail_with(const Error& error) override { result_ = fail(error); }

    void hand_over() override {
        const std::lock_guard lock(room_->mutex);
        if (handler_) {
            room_->waiters.erase(room_->waiters.iterator_to(*this));
            resume(std::move(result_));
        }
    }

    void give_up(const Error& error) override {
        const std::lock_guard lock(room_->mutex);
        if (handler_) {
            room_->waiters.erase(room_->waiters.iterator_to(*this));
            resume(fail(error));
        }
    }

private:
    std::shared_ptr<void> let_go() override {
        auto coroutine = std::make_shared<Handler>(std::move(*handler_));
        handler_.reset();
        return coroutine;
    }

    void resume(Result<T> result) {
        const auto executor = boost::asio::get_associated_executor(*handler_);
        auto deliver = [handler = std::move(*handler_), result = std::move(result)]() mutable {
            std::move(handler)(std::move(result));
        };
        handler_.reset();
        boost::asio::post(executor, std::move(deliver));
    }

    Work work_;
    Result<T> result_;
    std::optional<Handler> handler_; // guarded by the room
    std::shared_ptr<WaitingRoom> room_;
};

} // namespace baton::store::sql
