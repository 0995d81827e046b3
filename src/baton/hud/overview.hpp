#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/hud/window.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/views.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::hud {

/// How the process is: what /readyz knows, and what it is.
struct RelayState {
    std::map<std::string, std::string> parts; // name, and why it is not ready
    std::string mode{"live"};
    std::string version;
    TimePoint started_at{};
    bool actions{false}; // somebody has an admin token
};

inline constexpr std::size_t kGivenUpMax = 1'000;

struct RelayFigures {
    ports::Counts counts;
    ports::ResultCounts results;
    ports::CheckCounts checks;
    std::size_t given_up{0}; // dispatches that nobody has sent again; counted up to kGivenUpMax
    std::optional<TimePoint> last_delivery_at;
    std::vector<ports::RefusalTotal> refused; // in this hour and the one before, as shown
};

enum class Severity : std::uint8_t { high = 1, medium, low };

std::string_view name_of(Severity severity);

/// Something that wants a person.
struct Attention {
    Severity severity{Severity::high};
    std::string_view kind; // one of the words of the API
    std::string text;
    std::string subject;
    std::string page;
    std::optional<TimePoint> since;
    std::string key{}; // the same for as long as it lasts
    std::optional<ports::Acknowledgement> acknowledged{};
};

struct Overview {
    Window window;
    RelayState relay;
    RelayFigures figures;
    std::vector<Attention> attention; // worst first
    std::vector<DownstreamLine> downstreams;
    std::vector<RepoName> upstreams;
};

/// The newest runs of a downstream that proves the relay.
struct ProbeRuns {
    RepoName upstream;
    RepoName probe;
    std::vector<ports::GridRow> rows;
};

struct OverviewFacts {
    Window window;
    RelayState relay;
    RelayFigures figures;
    DownstreamFacts downstreams;
    std::optional<RepoName> upstream; // only this one
    std::vector<ports::Acknowledgement> acknowledgements{};
    std::vector<ProbeRuns> probes{};
};

Overview overview_of(OverviewFacts facts);

std::size_t dispatches_in(const ports::Counts& counts, domain::DispatchState state);

/// The page of a downstream on this site.
std::string page_of(const RepoName& downstream);

} // namespace baton::hud
