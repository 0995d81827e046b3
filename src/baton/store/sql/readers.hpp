#pragma once

#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job.hpp"
#include "baton/store/sql/queue.hpp"

#include <boost/asio/thread_pool.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace baton::store::sql {

/// Threads that read, one connection each, beside the writer: every read sees one snapshot, with
/// everything that was committed before it began. At most limits::kReadQueueMax wait or run.
///
/// Not async::BlockingPool: that one has to be joined before the event loops of its callers end,
/// and a store outlives them. Results leave through the waiting room instead, as those of the
/// writer do. Dying, it finishes what is queued.
class Readers final : public Queue {
public:
    explicit Readers(std::vector<Connection> connections);
    Readers(const Readers&) = delete;
    Readers& operator=(const Readers&) = delete;
    ~Readers() override;

private:
    void enqueue(std::shared_ptr<Job> job) override;
    void perform(Job& job);
    Connection borrow();
    void give_back(Connection db);

    std::atomic<std::size_t> waiting_{0};
    std::mutex mutex_;
    std::vector<Connection>
        idle_; // guarded; as many as there are threads, so never empty when asked
    boost::asio::thread_pool pool_;
};

} // namespace baton::store::sql
