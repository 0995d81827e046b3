#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/told_attempt.hpp"
#include "baton/ports/view_window.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace baton::ports {

/// Of one downstream, by when it ended.
struct MeasureQuery {
    RepoName upstream;
    RepoName downstream;
    ViewWindow window;
};

/// What is looked up to measure a downstream's CI, beside what the ladder reads.
class Measuring {
public:
    template <class T> using Awaitable = boost::asio::awaitable<Result<T>>;

    Measuring() = default;
    Measuring(const Measuring&) = delete;
    Measuring& operator=(const Measuring&) = delete;
    virtual ~Measuring() = default;

    /// Every attempt that counts and that the downstream itself said passed or failed; oldest
    /// first.
    virtual Awaitable<std::vector<domain::ToldAttempt>> attempts(MeasureQuery query) = 0;
    /// When nightlies ended that nobody sent and that told of themselves: those that passed, or
    /// failed with tests told. Commits that nobody knows do not count.
    virtual Awaitable<std::vector<TimePoint>> own_nightlies(MeasureQuery query) = 0;
    /// Links to results and artifacts, each once, the newest first.
    virtual Awaitable<std::vector<std::string>> links(MeasureQuery query, std::size_t limit) = 0;
};

} // namespace baton::ports
