#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/github_model.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <exception>
#include <optional>
#include <string_view>
#include <utility>

namespace baton::sim::testing {

inline const TimePoint kStart = from_ms(1'794'750'000'000); // 2026-11-15T13:40:00Z

inline RepoName repo(std::string_view text) {
    return RepoName::parse(text).value();
}

/// An upstream, two downstreams with the App and one without it.
inline void furnish(GithubModel& model) {
    for (const auto* name : {"up/stream", "down/one", "down/two"}) {
        static_cast<void>(model.create_repo({.name = repo(name), .now = kStart}).value());
    }
    static_cast<void>(
        model.create_repo({.name = repo("down/absent"), .installed = false, .now = kStart}).value()
    );
}

/// Starts a coroutine and keeps what it comes to; `io` has to be run by the test.
template <class T> class Spawned {
public:
    Spawned(boost::asio::io_context& io, boost::asio::awaitable<T> work) {
        boost::asio::co_spawn(
            io,
            std::move(work),
            [this](const std::exception_ptr& thrown, T value) {
                thrown_ = thrown;
                value_ = std::move(value);
            }
        );
    }

    Spawned(const Spawned&) = delete;
    Spawned& operator=(const Spawned&) = delete;

    bool done() const { return value_.has_value(); }

    bool threw() const { return thrown_ != nullptr; }

    T& value() { return value_.value(); }

private:
    std::exception_ptr thrown_;
    std::optional<T> value_;
};

} // namespace baton::sim::testing
