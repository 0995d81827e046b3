// What claims say, against the criteria and against themselves.

#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/item_score.hpp"
#include "baton/quality/lint_notes.hpp"
#include "baton/quality/score.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace baton::quality {

namespace {

std::string did_you_mean(std::string_view word, const std::vector<std::string_view>& known) {
    const auto near = nearest(word, known);
    return near ? fmt::format("did you mean \"{}\"?", inert(*near)) : "";
}

bool claims_points(const Claim& claim) {
    return claim.kind == ClaimKind::met || claim.kind == ClaimKind::partial ||
           claim.kind == ClaimKind::measured;
}

/// Looks at one claim.
class ClaimLint {
public:
    ClaimLint(
        const CriteriaSet& set,
        const Assessment& assessment,
        const Item& item,
        const Claim& claim,
        Notes& notes
    )
        : set_(set)
        , assessment_(assessment)
        , item_(item)
        , claim_(claim)
        , notes_(notes)
        , id_(inert(item.id)) {}

    void run() {
        if (claims_points(claim_) && claim_.evidence.empty()) {
            notes_.error(
                "Q002",
                claim_.at,
                fmt::format("{}: {} without evidence", id_, name_of(claim_.kind)),
                "name what proves it in ev, or claim unknown"
            );
        }
        lint_references();
        lint_parts();
        lint_checks();
        lint_value();
        lint_exemption();
        lint_review();
    }

private:
    void lint_references() {
        for (const auto& reference : claim_.evidence) {
            if (assessment_.find_evidence(reference.id) != nullptr) {
                continue;
            }
            std::vector<std::string_view> known;
            for (const auto& evidence : assessment_.evidence) {
                known.push_back(evidence.id);
            }
            notes_.error(
                "Q003",
                reference.at,
                fmt::format("{}: evidence \"{}\" is not declared", id_, inert(reference.id)),
                did_you_mean(reference.id, known)
            );
        }
        for (const auto& needed : claim_.needs) {
            if (set_.find(needed) == nullptr) {
                notes_.error(
                    "Q032",
                    claim_.at,
                    fmt::format("{}: requires {}, which is no item", id_, inert(needed))
                );
            }
        }
    }

    void lint_parts() {
        std::vector<std::string_view> known;
        for (const auto& part : item_.parts) {
            known.push_back(part.id);
        }
        for (const auto& part : claim_.parts) {
            if (std::ranges::find(known, part.id) == known.end()) {
                notes_.error(
                    "Q004",
                    part.at,
                    fmt::format("{}: has no part \"{}\"", id_, inert(part.id)),
                    did_you_mean(part.id, known)
                );
            }
        }
        if (claim_.kind == ClaimKind::partial && item_.kind != Kind::add) {
            notes_.error(
                "Q004",
                claim_.at,
                fmt::format("{}: partial, but it has no parts", id_),
                item_.kind == Kind::step ? "claim measured, with its value"
                                         : "it is all or nothing: claim met or unmet"
            );
        }
        if (claim_.kind == ClaimKind::met && !claim_.parts.empty() &&
            claim_.parts.size() < item_.parts.size()) {
            notes_.error(
                "Q005",
                claim_.at,
                fmt::format(
                    "{}: met, but only {} of {} parts are named",
                    id_,
                    claim_.parts.size(),
                    item_.parts.size()
                ),
                "claim partial, or name them all"
            );
        }
    }

    void lint_checks() {
        for (const auto& [name, state] : claim_.checks) {
            const auto found = std::ranges::find(item_.checks, name, &Check::id);
            if (found == item_.checks.end()) {
                std::vector<std::string_view> known;
                for (const auto& check : item_.checks) {
                    known.push_back(check.id);
                }
                notes_.error(
                    "Q004",
                    claim_.at,
                    fmt::format("{}: has no check \"{}\"", id_, inert(name)),
                    did_you_mean(name, known)
                );
            } else if (claim_.kind == ClaimKind::met && state == CheckState::fail &&
                       applies(*found, assessment_.platform)) {
                notes_.error(
                    "Q005",
                    claim_.at,
                    fmt::format("{}: met, but check {} fails", id_, inert(name)),
                    "all of them are needed: claim unmet"
                );
            }
        }
    }

    void lint_value() {
        const bool needs_value =
            claim_.kind == ClaimKind::measured ||
            (claims_points(claim_) && (item_.kind == Kind::step || item_.kind == Kind::metric));
        if (!claim_.value) {
            if (needs_value) {
                notes_.error(
                    "Q004",
                    claim_.at,
                    fmt::format("{}: has no measured value", id_),
                    "write value: {num: N, den: M}"
                );
            }
            return;
        }
        const auto measured = measure(item_, *claim_.value);
        if (!measured) {
            notes_.error(
                "Q004", claim_.value->at, fmt::format("{}: {}", id_, why_unfit(*claim_.value)), {}
            );
        } else if (claim_.kind == ClaimKind::met && measured->points < item_.max) {
            notes_.error(
                "Q005",
                claim_.value->at,
                fmt::format(
                    "{}: met, but its value earns {} of {}", id_, measured->points, item_.max
                ),
                "claim measured"
            );
        } else if (claim_.kind == ClaimKind::unmet && measured->points > 0) {
            notes_.error(
                "Q005",
                claim_.value->at,
                fmt::format("{}: unmet, but its value earns {}", id_, measured->points),
                "claim measured"
            );
        }
    }

    std::string why_unfit(const Value& value) const {
        if (item_.kind == Kind::add ||
            (item_.kind != Kind::step && (!item_.automatic || item_.automatic->limits.empty()))) {
            return "is not measured, but has a value";
        }
        if (value.num && value.den && *value.num > *value.den) {
            return fmt::format("num {} is more than den {}", *value.num, *value.den);
        }
        if (item_.automatic) {
            for (const auto& limit : item_.automatic->limits) {
                if (limit.figure != "percent" && !value.figures.contains(limit.figure)) {
                    return fmt::format("its value lacks {}", inert(limit.figure));
                }
            }
        }
        return "its value lacks num and den";
    }

    void lint_exemption() {
        if (claim_.kind != ClaimKind::exempt) {
            return;
        }
        if (item_.priority == Priority::p0) {
            notes_.error("Q006", claim_.at, fmt::format("{}: P0 is never exempt", id_));
        } else if (item_.exempt_without.empty()) {
            notes_.error("Q006", claim_.at, fmt::format("{}: nothing makes it exempt", id_));
        } else if (!may_be_exempt(item_, assessment_.platform)) {
            notes_.error(
                "Q006",
                claim_.at,
                fmt::format("{}: exempt, but targets has {}", id_, inert(item_.exempt_without))
            );
        }
        if (claim_.reason.empty()) {
            notes_.error(
                "Q006",
                claim_.at,
                fmt::format("{}: exempt without a reason", id_),
                "write reason: it is shown to everybody"
            );
        }
    }

    void lint_review() {
        if (!claim_.review) {
            return;
        }
        const auto& review = *claim_.review;
        if (review.verdict != ReviewVerdict::accept && review.reason.empty()) {
            notes_.error(
                "Q025", review.at, fmt::format("{}: its review changes it without a reason", id_)
            );
        }
        if (review.verdict == ReviewVerdict::adjust && review.points > item_.max) {
            notes_.error(
                "Q025",
                review.at,
                fmt::format("{}: adjusted to {} of {}", id_, review.points, item_.max)
            );
        }
    }

    const CriteriaSet& set_;
    const Assessment& assessment_;
    const Item& item_;
    const Claim& claim_;
    Notes& notes_;
    std::string id_;
};

void lint_unknown_item(const CriteriaSet& set, const Claim& claim, Notes& notes) {
    const auto reserved = std::ranges::find(set.reserved, claim.item, &Reserved::id);
    std::vector<std::string_view> known;
    for (const auto& item : set.items) {
        known.push_back(item.id);
    }
    notes.error(
        "Q001",
        claim.key_at,
        reserved == set.reserved.end()
            ? fmt::format("{} has no item {}", inert(label_of(set)), inert(claim.item))
            : fmt::format("{} is reserved: {}", inert(claim.item), inert(reserved->why)),
        did_you_mean(claim.item, known)
    );
}

} // namespace

void lint_claims(const CriteriaSet& set, const Assessment& assessment, Notes& notes) {
    for (const auto& claim : assessment.claims) {
        if (const auto* const item = set.find(claim.item)) {
            ClaimLint(set, assessment, *item, claim, notes).run();
        } else {
            lint_unknown_item(set, claim, notes);
        }
    }
    for (const auto& item : set.items) {
        if (assessment.claim(item.id) == nullptr) {
            notes.error(
                "Q001",
                assessment.items_at,
                fmt::format("item {} is missing", inert(item.id)),
                fmt::format("write {}: {{claim: unknown}}", inert(item.id))
            );
        }
    }
}

} // namespace baton::quality
