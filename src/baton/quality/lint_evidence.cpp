// What claims rest on: files, ages, links.

#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/calendar.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/evidence_age.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/link_notes.hpp"
#include "baton/quality/lint.hpp"
#include "baton/quality/lint_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace baton::quality {

namespace {

constexpr std::size_t kItemsOfLinkMax = 5;

/// An item and one of the evidences that it names.
struct Use {
    const Item& item;
    const Claim& claim;
    const Evidence& evidence;
    Position at;
};

void lint_file(const Evidence& evidence, const LintInput& input, Notes& notes) {
    const auto looked = input.files.find(evidence.file);
    if (evidence.file.empty() || looked == input.files.end()) {
        return;
    }
    const auto name = inert(evidence.file);
    if (!looked->second) {
        notes.error(
            "Q007", evidence.at, fmt::format("{}: {} cannot be read", inert(evidence.id), name)
        );
    } else if (evidence.sha256.empty()) {
        notes.error(
            "Q007",
            evidence.at,
            fmt::format("{}: {} has no sha256 beside it", inert(evidence.id), name),
            fmt::format("write sha256: \"{}\"", *looked->second)
        );
    } else if (*looked->second != evidence.sha256) {
        notes.error(
            "Q007",
            evidence.at,
            fmt::format("{}: {} is not the file that was declared", inert(evidence.id), name),
            fmt::format("its sha256 is {}", *looked->second)
        );
    }
}

void lint_future(const Evidence& evidence, const Assessment& assessment, Notes& notes) {
    const auto day = day_of(evidence);
    if (day && assessment.assessed.on && *day > *assessment.assessed.on) {
        notes.warning(
            "Q010",
            evidence.at,
            fmt::format(
                "{}: captured on {}, after the assessment of {}",
                inert(evidence.id),
                to_text(*day),
                to_text(*assessment.assessed.on)
            )
        );
    }
}

void lint_use(
    const Use& use, const Assessment& assessment, std::optional<Day> released, Notes& notes
) {
    const auto name = inert(use.evidence.id);
    const auto id = inert(use.item.id);
    const auto day = day_of(use.evidence);
    const int most = max_age_days(use.evidence, use.item);
    if (day && most > 0 && assessment.assessed.on) {
        const auto age = (*assessment.assessed.on - *day).count();
        if (age > most) {
            notes.warning(
                "Q010",
                use.at,
                fmt::format("{}: {} is {} days old, at most {} count", id, name, age, most),
                "capture it again"
            );
        }
    }
    if (use.item.evidence.of_release && day && released && *day < *released) {
        notes.warning(
            "Q011",
            use.at,
            fmt::format(
                "{}: {} is of {}, the release of {}", id, name, to_text(*day), to_text(*released)
            ),
            "capture it again on the release"
        );
    }
    if (use.item.evidence.open && !use.evidence.open) {
        notes.warning("Q013", use.at, fmt::format("{}: {} is not public", id, name));
    }
}

void lint_types(const Item& item, const Claim& claim, const Assessment& assessment, Notes& notes) {
    const auto& types = item.evidence.types;
    if (types.empty() || claim.evidence.empty()) {
        return;
    }
    const bool fits = std::ranges::any_of(claim.evidence, [&](const Reference& reference) {
        const auto* const evidence = assessment.find_evidence(reference.id);
        return evidence == nullptr || std::ranges::find(types, evidence->type) != types.end();
    });
    if (!fits) {
        std::string asked;
        for (const auto& type : types) {
            asked += (asked.empty() ? "" : " or ") + inert(type);
        }
        notes.warning(
            "Q015", claim.at, fmt::format("{}: none of its evidence is {}", inert(item.id), asked)
        );
    }
}

/// A digest beside a link is that of the text it showed; beside a run or a query it is of what was
/// measured there.
bool tells_text(const Evidence& evidence) {
    return !evidence.digest.empty() && evidence.run.empty() && evidence.query.empty() &&
           !evidence.window;
}

void lint_link(const Evidence& evidence, const LintInput& input, Notes& notes) {
    if (input.links == nullptr || evidence.url.empty()) {
        return;
    }
    const auto found = input.links->find(evidence.url);
    if (found == input.links->end()) {
        return;
    }
    const auto& note = found->second;
    const auto name = inert(evidence.id);
    if (note.login) {
        notes.warning(
            "Q012",
            evidence.at,
            fmt::format("{}: its link leads to a login", name),
            "link what everybody can open, or write public: false"
        );
    } else if (is_dead(note)) {
        notes.warning(
            "Q012",
            evidence.at,
            fmt::format(
                "{}: its link is dead since {}: {}",
                name,
                to_text(std::chrono::floor<std::chrono::days>(*note.closed_since)),
                inert(note.detail)
            ),
            "link a page that stays"
        );
    } else if (note.open && tells_text(evidence) && note.text != evidence.digest) {
        notes.warning(
            "Q012",
            evidence.at,
            fmt::format("{}: its link shows something else than was captured", name),
            fmt::format("the digest of what it shows is {}", inert(note.text))
        );
    }
}

void lint_shared_links(
    const std::map<std::string, std::set<std::string>>& uses,
    Notes& notes,
    const Assessment& assessment
) {
    for (const auto& [url, items] : uses) {
        if (items.size() <= kItemsOfLinkMax) {
            continue;
        }
        const auto first = std::ranges::find(assessment.evidence, url, &Evidence::url);
        notes.warning(
            "Q014",
            first->at,
            fmt::format("{}: one link serves for {} items", inert(first->id), items.size()),
            "link the place that shows each"
        );
    }
}

} // namespace

void lint_evidence(
    const CriteriaSet& set, const Assessment& assessment, const LintInput& input, Notes& notes
) {
    std::set<std::string_view> used;
    std::map<std::string, std::set<std::string>> links;
    const auto released = released_on(assessment, input.calendar);
    for (const auto& claim : assessment.claims) {
        const auto* const item = set.find(claim.item);
        if (item != nullptr) {
            lint_types(*item, claim, assessment, notes);
        }
        for (const auto& reference : claim.evidence) {
            const auto* const evidence = assessment.find_evidence(reference.id);
            used.insert(reference.id);
            if (evidence == nullptr || item == nullptr) {
                continue;
            }
            lint_use(
                {.item = *item, .claim = claim, .evidence = *evidence, .at = reference.at},
                assessment,
                released,
                notes
            );
            if (!evidence->url.empty()) {
                links[evidence->url].insert(claim.item);
            }
        }
    }
    lint_shared_links(links, notes, assessment);
    for (const auto& evidence : assessment.evidence) {
        lint_file(evidence, input, notes);
        lint_link(evidence, input, notes);
        lint_future(evidence, assessment, notes);
        if (!used.contains(evidence.id)) {
            notes.warning(
                "Q003", evidence.at, fmt::format("evidence {} is not used", inert(evidence.id))
            );
        }
    }
}

} // namespace baton::quality
