#include "baton/store/sql/readers.hpp"

#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job.hpp"

#include <boost/asio/post.hpp>

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace baton::store::sql {

Readers::Readers(std::vector<Connection> connections)
    : idle_(std::move(connections))
    , pool_(idle_.size()) {}

Readers::~Readers() {
    pool_.join();
}

void Readers::enqueue(std::shared_ptr<Job> job) {
    if (waiting_.fetch_add(1) >= limits::kReadQueueMax) {
        --waiting_;
        job->fail_with(
            {.code = Errc::unavailable,
             .detail = fmt::format(
                 "{} reads wait for the store already; try again", limits::kReadQueueMax
             )}
        );
        job->hand_over();
        return;
    }
    boost::asio::post(pool_, [this, job = std::move(job)] {
        perform(*job);
        --waiting_;
        job->hand_over();
    });
}

void Readers::perform(Job& job) {
    auto db = borrow();
    try {
        db.begin(Scope::read);
        job.run(db);
        db.commit();
    } catch (const std::exception& error) { // memory, above all
        job.fail_with(
            {.code = Errc::unavailable, .detail = fmt::format("the store failed: {}", error.what())}
        );
    }
    if (!db.ok()) {
        job.fail_with(to_error(db.failure()));
    }
    db.roll_back();
    give_back(std::move(db));
}

Connection Readers::borrow() {
    const std::lock_guard lock(mutex_);
    auto db = std::move(idle_.back());
    idle_.pop_back();
    return db;
}

void Readers::give_back(Connection db) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(db));
}

} // namespace baton::store::sql
