#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/event.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
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
    std::vector<std::string> labels; // as the newest event shows them
    std::vector<std::string>
        refused_labels; // set by someone without triage rights: these do not count
    Login author;
    Association association{Association::none};
    bool approved{false};        // someone with triage rights labelled it
    DeliveryId newest_forwarded; // of the current head; what a late label sends
    std::int64_t version{0};     // 0: not stored yet; the store compares and sets it

    /// Whether the label is on the pull request and was not put there by someone without the right
    /// to.
    bool has_label(std::string_view label) const;

    friend bool operator==(const PullRequest&, const PullRequest&) = default;
};

/// Whether an event is news about a pull request or an older one that arrived late.
enum class Freshness : std::uint8_t { newer, older };

struct Folded {
    PullRequest pull_request;
    Freshness freshness{Freshness::newer};
};

/// Whether the person behind a `labeled` event may label; asked from GitHub, so it can be unknown
/// for a while.
enum class Labeller : std::uint8_t { may, may_not, unknown };

/// Folds a pull_request event into what was known. An older event (GitHub's clock) moves neither
/// head nor labels nor state: webhooks arrive in any order and the newest one tells the truth.
/// Labels whose setter is unknown count, because GitHub itself lets only people with triage rights
/// set them; a `labeled` event by someone who may not takes its label out, whenever it arrives.
Folded fold(const std::optional<PullRequest>& known, const Event& event, Labeller labeller);

} // namespace baton::domain
