#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/net/http.hpp"
#include "baton/sim/github_types.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace baton::sim {

/// What went over the wire in one try, as `GET /app/hook/deliveries/{id}` shows it.
struct HookExchange {
    std::string url;
    net::Headers request;
    net::Headers response;
    std::string payload; // of the response, its beginning
};

/// GitHub's own record of one try to deliver a webhook: a line of `GET /app/hook/deliveries`.
struct HookAttempt {
    std::int64_t id{0};
    std::shared_ptr<const Webhook> webhook;
    TimePoint at{};
    Millis took{0};
    bool redelivery{false};
    int status_code{0};
    std::string status;                             // "OK", "Accepted", "timed out", ...
    std::shared_ptr<const HookExchange> exchange{}; // none any more for old ones

    bool succeeded() const { return status_code >= 200 && status_code < 400; }
};

struct AttemptResult {
    DeliveryId delivery;
    TimePoint at{};
    Millis took{0};
    bool redelivery{false};
    int status_code{0}; // GitHub writes 504 for a timeout and 502 for a host that cannot be reached
    std::string status;
    HookExchange exchange{};
};

struct HookPageQuery {
    TimePoint now{};
    std::optional<std::int64_t> before; // attempts with a smaller id only
    std::size_t limit{30};
    std::optional<bool> succeeded; // only those that did, or did not
};

/// Which webhooks GitHub made, how each try to deliver them ended, and which were asked for again.
///
/// Bounded: GitHub forgets after three days; on top of that only the newest `webhooks_max` are
/// kept, and what went over the wire of the newest kExchangesMax tries.
class HookLog {
public:
    static constexpr std::chrono::hours kKept{72};
    static constexpr std::size_t kExchangesMax = 2000;

    explicit HookLog(std::size_t webhooks_max)
        : webhooks_max_(webhooks_max) {}

    std::shared_ptr<const Webhook> add(Webhook webhook);
    /// `not_found` when there is no such delivery (any more).
    Result<std::int64_t> record(const AttemptResult& result);

    /// Newest first.
    std::vector<HookAttempt> page(const HookPageQuery& query) const;
    const HookAttempt* attempt(std::int64_t id, TimePoint now) const;
    std::shared_ptr<const Webhook> webhook(const DeliveryId& id) const;

    std::size_t made() const { return made_; } // webhooks since the beginning

private:
    std::size_t webhooks_max_;
    std::size_t made_{0};
    std::int64_t next_id_{1};
    std::map<DeliveryId, std::shared_ptr<const Webhook>> webhooks_;
    std::deque<DeliveryId> order_;
    std::deque<HookAttempt> attempts_; // ids grow
};

} // namespace baton::sim
