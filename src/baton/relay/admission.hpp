#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/caller.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/token_bucket.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/allowlist_book.hpp"
#include "baton/relay/callback_refusal.hpp"

#include <boost/asio/awaitable.hpp>

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace baton::relay {

/// Who may report, and now: the numbers behind a name, its level, its share of our time. Nothing of
/// a report has been read by then. Any thread.
class Admission {
public:
    struct Settings {
        std::vector<RepoName> upstreams;
        int per_minute{0}; // of one downstream
    };

    struct Surroundings {
        ports::Store& store;
        ports::Clock& clock;
        const AllowlistBook& book;
    };

    /// How one upstream lists a downstream.
    struct Listing {
        domain::Level level{domain::Level::l1};
        std::string device;
    };

    Admission(Settings settings, Surroundings around)
        : settings_(std::move(settings))
        , around_(around) {}

    /// The best level that any upstream gives the caller. Level 1 is not counted against its rate:
    /// there `take_turn` does.
    boost::asio::awaitable<tl::expected<domain::Level, CallbackRefusal>> admit(domain::Caller caller
    );

    tl::expected<void, CallbackRefusal> take_turn(const RepoName& downstream);

    tl::expected<Listing, CallbackRefusal>
    listing_of(const RepoName& upstream, const RepoName& downstream) const;

private:
    boost::asio::awaitable<tl::expected<void, CallbackRefusal>> check_pin(domain::Caller caller);
    tl::expected<domain::Level, CallbackRefusal> best_level_of(const RepoName& downstream) const;

    Settings settings_;
    Surroundings around_;
    std::mutex mutex_;
    std::map<RepoName, domain::TokenBucket> buckets_; // of listed downstreams only
};

} // namespace baton::relay
