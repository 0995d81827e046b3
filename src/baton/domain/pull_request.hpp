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

/// Whether the person behind a `labeled` event may label; asked from GitHub, so it can be unknown
/// for a while.
enum class Labeller : std::uint8_t { may, may_not, unknown };

/// The newest thing that was heard of one label: who set it, or that it went.
struct LabelRuling {
    std::string label;
    TimePoint at{};                 // GitHub's clock
    Labeller setter{Labeller::may}; // of one that went: may

    friend bool operator==(const LabelRuling&, const LabelRuling&) = default;
};

/// What Baton knows of one upstream pull request, folded from every event about it.
struct PullRequest {
    RepoName upstream;
    PrNumber number{};
    HeadSha head;
    TimePoint updated_at{}; // GitHub's clock, of the newest event folded in
    bool open{true};
    bool draft{false};
    std::optional<TimePoint>
        closed_at; // while it is not open; none: of a time when it was not kept
    std::optional<TimePoint> merged_at;
    std::vector<std::string> labels;        // as the newest event shows them
    std::vector<LabelRuling> label_rulings; // one for each label that came or went
    Login author;
    std::string title; // empty: of a time when it was not kept
    Association association{Association::none};
    bool approved{false};        // someone with triage rights labelled it
    DeliveryId newest_forwarded; // of the current head; what a late label sends
    std::int64_t version{0};     // 0: not stored yet; the store compares and sets it

    /// Whether the label is on the pull request and was not put there by someone without the right
    /// to, as far as anybody knows.
    bool has_label(std::string_view label) const;

    friend bool operator==(const PullRequest&, const PullRequest&) = default;
};

/// Whether an event is news about a pull request or an older one that arrived late.
enum class Freshness : std::uint8_t { newer, older };

struct Folded {
    PullRequest pull_request;
    Freshness freshness{Freshness::newer};
};

/// Folds a pull_request event into what was known. An older event (GitHub's clock) moves neither
/// head nor labels nor state: webhooks arrive in any order and the newest one tells the truth.
/// Labels whose setter is unknown count, because GitHub itself lets only people with triage rights
/// set them; a `labeled` event by someone who may not takes its label out until a newer event about
/// that label, whichever of them arrives first.
Folded fold(const std::optional<PullRequest>& known, const Event& event, Labeller labeller);

} // namespace baton::domain
