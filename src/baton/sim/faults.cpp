#include "baton/sim/faults.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace baton::sim {

Fault Fault::slow(Millis delay) {
    Fault fault;
    fault.delay = delay;
    return fault;
}

Fault Fault::server_error(int status) {
    Fault fault;
    fault.ending = Ending::status;
    fault.perform = false;
    fault.status = status;
    fault.message = "Server Error";
    return fault;
}

Fault Fault::lost_reply() {
    Fault fault;
    fault.ending = Ending::reset;
    return fault;
}

Fault Fault::lost_behind(int status) {
    auto fault = server_error(status);
    fault.perform = true;
    return fault;
}

Fault Fault::secondary_limit(std::chrono::seconds retry_after) {
    auto fault = server_error(403);
    fault.retry_after = retry_after;
    fault.message =
        "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.";
    return fault;
}

std::int64_t Faults::add(FaultRule rule) {
    const auto id = next_++;
    rules_.emplace(id, Rule{.rule = std::move(rule)});
    return id;
}

bool Faults::remove(std::int64_t id) {
    return rules_.erase(id) > 0;
}

Fault Faults::decide(std::string_view route, const std::optional<RepoName>& repo) {
    for (auto& [id, entry] : rules_) {
        const auto& rule = entry.rule;
        const bool meant = (rule.route.empty() || rule.route == route) &&
                           (!rule.repo || rule.repo == repo) &&
                           (!rule.times || entry.fired < *rule.times);
        // Certain rules draw nothing, so that adding one does not shift the others.
        if (meant && (rule.probability >= 1.0 || chance_.draw().unit() < rule.probability)) {
            ++entry.fired;
            return rule.fault;
        }
    }
    return {};
}

} // namespace baton::sim
