#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"
#include "baton/domain/suspension.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace baton::domain {

/// A person's rights on the upstream repository, as GitHub's API names them.
enum class Permission : std::uint8_t { none = 1, read, triage, write, maintain, admin };

Permission permission_named(std::string_view name); // unknown words count as none

/// What planning had to ask GitHub for. A login that is missing could not be asked yet.
struct Rights {
    std::map<Login, Permission> known;

    std::optional<Permission> of(const Login& login) const;
};

/// Whose rights `plan` would like to know for this event: the labeller, the author where some
/// downstream dispatches only for people with write access, and who gives a command without being
/// on-call. Empty for most events.
std::set<Login> rights_wanted(
    const Event& event, const std::optional<PullRequest>& known, const Allowlist& allowlist
);

/// Why a downstream does or does not get an event, or is not run again; kept in the ledger, so that
/// `baton explain` can say.
struct Decision {
    RepoName downstream; // empty: nobody that is listed was meant
    bool dispatch{false};
    std::string reason;

    friend bool operator==(const Decision&, const Decision&) = default;
};

/// Everything that planning one delivery decided. Carried out by the store in one transaction.
struct Plan {
    std::vector<NewDispatch> dispatches;
    std::vector<Decision> decisions;
    std::optional<PullRequest> pull_request; // what is known now; written with its version compared
    bool supersede_older{false}; // pending dispatches of other heads of this pull request
    bool cancel_pending{false};  // the pull request was closed
    bool supersede_others{false
    }; // it was reopened: what else waits, a `closed` above all, is history
    std::vector<Subject> looks;   // whose checks may have to change
    std::vector<NewRerun> reruns; // what somebody asked to be run again
    bool undecided{false};        // rights are missing for some downstream: plan again later
};

struct PlanInput {
    Event event;
    std::optional<PullRequest> known;
    TimePoint now{};
    std::vector<std::string> label_prefixes; // "ciflow/crcr/", "ciflow/oot/"
    std::vector<Suspension> suspensions;     // in force now
    std::string check_prefix{"crcr"};        // our checks are called "crcr/..."
    bool gate_always{false};                 // a gate also while nobody shows checks
    std::int64_t app_id{0};                  // ours, 0: not known; others' checks are theirs
};

/// Event x allowlist x what is known of the pull request gives dispatches, orders to run something
/// again, and the subjects whose checks these concern. Pure; asking twice gives the same, and rows
/// that exist already are kept by the store, so a delivery may be planned again.
Plan plan(const PlanInput& input, const Allowlist& allowlist, const Rights& rights);

} // namespace baton::domain
