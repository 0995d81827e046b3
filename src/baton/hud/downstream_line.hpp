#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/gate.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/operating.hpp"
#include "baton/ports/views.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::hud {

/// The allowlist of one upstream as it is in force.
struct ListInForce {
    RepoName upstream;
    std::shared_ptr<const domain::Allowlist> allowlist; // null: none was ever read
    std::string trouble;                                // why the newest text was not taken
};

/// Whether a downstream's result can hold up a merge.
enum class GateState : std::uint8_t { not_counted = 1, counted, suspended };

std::string_view name_of(GateState state);

/// One listed downstream of one upstream: what is said of it and how it fares.
struct DownstreamLine {
    RepoName upstream;
    domain::Downstream listed;
    GateState gate{GateState::not_counted};
    std::string gate_reason; // why it is suspended; empty: it is not
    std::optional<TimePoint> gate_since;
    std::string gate_rule; // what the gate does when nobody answers; empty: it is not in the gate
    bool suspended{false}; // by an operator: it gets nothing
    std::optional<TimePoint> suspended_since;
    std::string held; // why nothing is sent to it now: suspended or paused; empty: it is sent
    domain::Ended ended;
    std::size_t silent{0};
    std::size_t pending{0};
    std::size_t running{0};
    std::optional<TimePoint> last_result_at;
    std::optional<TimePoint> last_sent_at;
    std::string trouble; // the newest reason why something could not be sent
};

/// It counts in the gate, and nobody started what it was sent last: what it would say is unknown.
bool is_blocking_unknown(const DownstreamLine& line);

/// What is known of all downstreams, before it is put together.
struct DownstreamFacts {
    TimePoint now{};
    std::vector<ListInForce> lists;
    std::vector<ports::DownstreamView> views;
    std::vector<domain::GateSuspension> gate_suspensions;
    domain::GateRules gate_rules;
    std::vector<domain::Suspension> suspensions;
    std::vector<ports::DownstreamFigures> figures;
};

/// One line for each listed downstream that everybody may see, the highest level first, then the
/// worst first; without any result last.
std::vector<DownstreamLine> lines_of(const DownstreamFacts& facts);

} // namespace baton::hud
