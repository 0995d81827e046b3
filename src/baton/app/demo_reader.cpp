#include "baton/app/demo_reader.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/place.hpp"
#include "baton/store/sql/sql_store.hpp"
#include "baton/store/store_role.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace baton::app::demo {

namespace asio = boost::asio;

class Reader::Impl {
public:
    explicit Impl(std::unique_ptr<store::SqlStore> opened)
        : store(std::move(opened))
        , thread_([this] { io_.run(); }) {}

    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    ~Impl() {
        work_.reset();
        thread_.join();
    }

    template <class T> Result<T> answer(asio::awaitable<Result<T>> question) {
        return asio::co_spawn(io_, std::move(question), asio::use_future).get();
    }

    std::unique_ptr<store::SqlStore> store;

private:
    asio::io_context io_{1};
    asio::executor_work_guard<asio::io_context::executor_type> work_{io_.get_executor()};
    std::thread thread_;
};

Reader::Reader(std::unique_ptr<Impl> impl)
    : impl_(std::move(impl)) {}

Reader::~Reader() = default;

Result<std::unique_ptr<Reader>> Reader::open(const std::string& path, TimePoint now) {
    BATON_TRY(auto store, store::open_store(path, store::StoreRole::tool, now));
    return std::unique_ptr<Reader>(new Reader(std::make_unique<Impl>(std::move(store))));
}

Result<ports::Counts> Reader::counts() {
    return impl_->answer(impl_->store->counts());
}

Result<ports::ResultCounts> Reader::result_counts() {
    return impl_->answer(impl_->store->result_counts());
}

Result<std::map<RepoName, std::size_t>> Reader::waiting(TimePoint now) {
    constexpr std::chrono::days kByThenAllIsDue{365};
    BATON_TRY(
        const auto view,
        impl_->answer(impl_->store->due({.now = now + kByThenAllIsDue, .running_for = Millis{0}}))
    );
    std::map<RepoName, std::size_t> out;
    for (const auto& one : view.waiting) {
        out[one.downstream] = one.due;
    }
    return out;
}

Result<ports::CheckCounts> Reader::check_counts() {
    return impl_->answer(impl_->store->check_counts());
}

Result<std::vector<ports::KeptPosting>> Reader::postings(const std::set<domain::Subject>& subjects
) {
    std::map<std::int64_t, ports::KeptPosting> found; // a comment belongs to several subjects
    for (const auto& subject : subjects) {
        BATON_TRY(auto some, impl_->answer(impl_->store->postings_of(subject)));
        for (auto& one : some) {
            found.insert_or_assign(one.id, std::move(one));
        }
    }
    std::vector<ports::KeptPosting> out;
    for (auto& [id, posting] : found) {
        out.push_back(std::move(posting));
    }
    return out;
}

Result<void>
Reader::for_each_delivery(const std::function<void(const ports::DeliveryHistory&)>& work) {
    std::optional<std::int64_t> before;
    for (;;) {
        ports::DeliveryPageQuery query{
            .before = before, .limit = limits::kPageRowsMax, .event = {}, .with_state = {}
        };
        BATON_TRY(const auto page, impl_->answer(impl_->store->list_deliveries(std::move(query))));
        if (page.empty()) {
            return {};
        }
        for (const auto& delivery : page) {
            BATON_TRY(
                const auto history, impl_->answer(impl_->store->delivery_history(delivery.id))
            );
            work(history);
        }
        before = page.back().sequence;
    }
}

} // namespace baton::app::demo
