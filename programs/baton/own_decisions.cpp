#include "own_decisions.hpp"

#include "baton/base/ids.hpp"
#include "baton/domain/comparison.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/store.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ledger_detail.hpp"

namespace baton::program {

namespace {

constexpr std::string_view kShadow =
    "shadow:"; // how the reason of everything begins that a shadow kept

/// Sent, or withheld for no other reason than that we were a shadow.
bool sends(const ports::DispatchHistory& one) {
    const bool kept = one.dispatch.state == domain::DispatchState::cancelled &&
                      one.dispatch.reason.starts_with(kShadow);
    const auto reached = [](const ports::Attempt& attempt) {
        return attempt.outcome == domain::Outcome::withheld;
    };
    return kept || one.dispatch.sent_at.has_value() || std::ranges::any_of(one.attempts, reached);
}

} // namespace

std::vector<domain::OwnDecision> own_decisions(const ports::DeliveryHistory& history) {
    const auto& delivery = history.delivery;
    std::vector<domain::OwnDecision> all;
    std::map<RepoName, std::string> reasons; // why it was sent
    for (const auto& line : history.ledger) {
        const auto plan = planned_in(line);
        if (!plan) {
            continue;
        }
        for (const auto& decision : plan->decisions) {
            if (decision.dispatch) {
                reasons[decision.downstream] = decision.reason;
            } else {
                all.push_back({
                    .delivery = delivery.id,
                    .downstream = decision.downstream,
                    .sends = false,
                    .event_type = delivery.event,
                    .reason = decision.reason,
                    .at = line.at,
                });
            }
        }
    }
    for (const auto& one : history.dispatches) {
        const auto& dispatch = one.dispatch;
        const bool goes = sends(one);
        all.push_back({
            .delivery = delivery.id,
            .downstream = dispatch.key.downstream,
            .sends = goes,
            .event_type = dispatch.event_type,
            .reason = goes ? reasons[dispatch.key.downstream]
                           : fmt::format("{}: {}", name_of(dispatch.state), dispatch.reason),
            .at = dispatch.created_at,
        });
    }
    return all;
}

} // namespace baton::program
