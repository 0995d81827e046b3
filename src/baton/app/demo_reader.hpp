#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/store.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace baton::app::demo {

/// Looks into the relay's store from beside it, as `baton deliveries` does. Each call waits for its
/// answer. One thread.
class Reader {
public:
    static Result<std::unique_ptr<Reader>> open(const std::string& path, TimePoint now);
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader();

    Result<ports::Counts> counts();
    Result<ports::ResultCounts> result_counts();
    /// How many dispatches wait, by downstream, whenever they are due; those under way count too.
    /// At most limits::kInFlightMax are counted of each.
    Result<std::map<RepoName, std::size_t>> waiting(TimePoint now);
    Result<ports::CheckCounts> check_counts();
    /// Our checks on these commits, and comments on their pull requests, each once.
    Result<std::vector<ports::KeptPosting>> postings(const std::set<domain::Subject>& subjects);
    /// Every delivery with its dispatches and attempts, newest first.
    Result<void> for_each_delivery(const std::function<void(const ports::DeliveryHistory&)>& work);

private:
    class Impl;
    explicit Reader(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace baton::app::demo
