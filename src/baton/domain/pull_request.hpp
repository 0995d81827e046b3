#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/event.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace baton::domain {

/// What Baton knows of one upstream pull request, folded from every event about it.
struct PullRequest {
    RepoName upstream;
    PrNumber number{};
    HeadSha head;
    TimePoint updated_at{}; // GitHub's clock, of the newest event folded in
    bool open{true};
    bool draft{false};
    std::vector<std::string> labels; // that count: set by someone with triage rights
    Login author;
    Association association{Association::none};
    bool approved{false};         // someone with triage rights labelled it
    DeliveryId newest_forwarded;  // of the current head; what a late label sends
    std::int64_t version{0};      // 0: not stored yet; the store compares and sets it

    friend bool operator==(const PullRequest&, const PullRequest&) = default;
};

/// Whether an event is news about a pull request or an older one that arrived late.
enum class Freshness : std::uint8_t { newer, older };

struct Folded {
    PullRequest pull_request;
    Freshness freshness{Freshness::newer};
};

/// Folds an event into what was known. An older event (GitHub's clock) changes nothing but an unknown field:
/// webhooks arrive in any order and the newest one tells the truth.
/// `labeller_may` says whether the sender of `labeled` has triage rights; labels set by others do not count.
Folded fold(const std::optional<PullRequest>& known, const Event& event, bool labeller_may);

} // namespace baton::domain
