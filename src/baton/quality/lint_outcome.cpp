// What comes of an assessment, against what else is known of the platform.

#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/item_score.hpp"
#include "baton/quality/lint.hpp"
#include "baton/quality/lint_notes.hpp"
#include "baton/quality/score.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace baton::quality {

namespace {

constexpr std::int64_t kWhole = 100;
constexpr std::string_view kFlakyMetric = "flaky_marked_pct";

void lint_readings(
    const CriteriaSet& set, const Assessment& assessment, const Score& score, Notes& notes
) {
    if (!score.reading_sensitive) {
        return;
    }
    std::vector<std::string> all;
    for (const auto& reading : score.readings) {
        const auto* const level = set.level(reading.level);
        all.push_back(
            fmt::format("{} {}", name_of(reading.reading), level ? inert(level->name) : "none")
        );
    }
    notes.warning(
        "Q020",
        assessment.criteria_at,
        fmt::format("{} points: readings disagree ({})", score.proven, fmt::join(all, ", "))
    );
}

void lint_slack(const CriteriaSet& set, const Assessment& assessment, Notes& notes) {
    for (const auto& claim : assessment.claims) {
        const auto* const item = set.find(claim.item);
        if (item == nullptr || item->kind != Kind::step || !claim.value) {
            continue;
        }
        const auto measured = measure(*item, *claim.value);
        if (!measured || measured->percent == 0 || measured->percent == kWhole) {
            continue;
        }
        const auto slack = *claim.value->num - least_num(measured->percent, *claim.value->den);
        if (kWhole * slack < *claim.value->den) {
            notes.warning(
                "Q020",
                claim.value->at,
                fmt::format(
                    "{}: {} % is reached with {} to spare, less than 1 % of {}",
                    inert(item->id),
                    measured->percent,
                    slack,
                    *claim.value->den
                )
            );
        }
    }
}

void lint_baseline(const Assessment& assessment, Notes& notes) {
    for (const auto& [id, den] : assessment.facts.baseline) {
        const auto* const claim = assessment.claim(id);
        if (claim != nullptr && claim->value && claim->value->den && *claim->value->den != den) {
            notes.warning(
                "Q021",
                claim->value->at,
                fmt::format(
                    "{}: den is {}, the baseline of {} has {}",
                    inert(id),
                    *claim->value->den,
                    to_text(assessment.release),
                    den
                )
            );
        }
    }
}

/// Observed more than a percentage point above marked, in whole numbers.
void lint_flakes(const CriteriaSet& set, const Assessment& assessment, Notes& notes) {
    const auto& seen = assessment.facts.flaky_observed;
    if (!seen || !seen->num || !seen->den || *seen->den == 0) {
        return;
    }
    for (const auto& item : set.items) {
        const auto* const claim = assessment.claim(item.id);
        const bool marks = item.automatic && item.automatic->metric == kFlakyMetric;
        if (!marks || claim == nullptr || !claim->value || !claim->value->num ||
            claim->value->den.value_or(0) == 0) {
            continue;
        }
        // num/den - num/den > 1/100, times all denominators
        const auto marked_den = *claim->value->den;
        const auto excess = *seen->num * marked_den - *claim->value->num * *seen->den;
        if (excess > *seen->den * marked_den / kWhole) {
            notes.warning(
                "Q022",
                claim->value->at,
                fmt::format(
                    "{}: {} of {} tests were seen to flake, {} of {} are marked",
                    inert(item.id),
                    *seen->num,
                    *seen->den,
                    *claim->value->num,
                    *claim->value->den
                )
            );
        }
    }
}

void lint_relay_level(
    const CriteriaSet& set, const Assessment& assessment, const Score& score, Notes& notes
) {
    if (!assessment.facts.relay_level) {
        return;
    }
    const int relay = *assessment.facts.relay_level;
    const auto at = assessment.facts.at;
    for (const auto& level : set.levels) {
        if (level.rank == score.level && relay < level.relay.needs) {
            notes.warning(
                "Q023",
                at,
                fmt::format(
                    "{} with relay level {}, expected {}",
                    inert(level.name),
                    relay,
                    level.relay.needs
                )
            );
        }
        if (level.rank > score.level && level.relay.implies > 0 && relay >= level.relay.implies) {
            notes.warning(
                "Q023", at, fmt::format("relay level {}, but below {}", relay, inert(level.name))
            );
        }
    }
    for (const auto& scored : score.items) {
        const auto* const item = set.find(scored.id);
        const bool whole = scored.state != State::exempt && scored.proven == scored.max;
        if (whole && relay < item->relay.needs) {
            notes.warning(
                "Q023",
                scored.at,
                fmt::format(
                    "{}: met with relay level {}, expected {}",
                    inert(item->id),
                    relay,
                    item->relay.needs
                )
            );
        }
        if (scored.state == State::unmet && item->relay.implies > 0 &&
            relay >= item->relay.implies) {
            notes.warning(
                "Q023",
                scored.at,
                fmt::format("{}: unmet, but the relay level is {}", inert(item->id), relay)
            );
        }
    }
}

void lint_reporting(const CriteriaSet& set, const Assessment& assessment, Notes& notes) {
    for (const auto& claim : assessment.claims) {
        const auto* const item = set.find(claim.item);
        if (item == nullptr || claim.kind != ClaimKind::exempt) {
            continue;
        }
        const auto& reporting = assessment.facts.reporting;
        if (std::ranges::find(reporting, item->exempt_without) != reporting.end()) {
            notes.warning(
                "Q023",
                claim.at,
                fmt::format(
                    "{}: exempt, but {} tests report results",
                    inert(item->id),
                    inert(item->exempt_without)
                )
            );
        }
    }
}

void lint_level_name(
    const CriteriaSet& set, std::string_view name, Position at, std::string_view what, Notes& notes
) {
    if (name.empty() || set.level_named(name) != nullptr) {
        return;
    }
    std::vector<std::string> known;
    for (const auto& level : set.levels) {
        known.push_back(inert(level.name));
    }
    notes.error(
        "Q024",
        at,
        fmt::format("{}: no level is named \"{}\"", what, inert(name)),
        fmt::format("there are {}", fmt::join(known, ", "))
    );
}

/// True when no minor release can lie between them: how many a major has is not known.
bool follows(Release before, Release after) {
    return before.major == after.major ? before.minor + 1 == after.minor
                                       : before.major + 1 == after.major && after.minor == 0;
}

void lint_chain(
    const CriteriaSet& set, const Assessment& assessment, const LintInput& input, Notes& notes
) {
    const auto& previous = assessment.previous;
    if (!assessment.assessed.requests.empty() && set.history.consecutive > 1 &&
        (!previous || !follows(previous->release, assessment.release))) {
        notes.error(
            "Q030",
            assessment.assessed.at,
            fmt::format(
                "{} is requested, but {}",
                inert(assessment.assessed.requests),
                previous ? fmt::format(
                               "{} does not follow {}",
                               to_text(assessment.release),
                               to_text(previous->release)
                           )
                         : std::string("no previous assessment is named")
            ),
            fmt::format("a level takes {} releases in a row", set.history.consecutive)
        );
    }
    if (input.previous == nullptr) {
        return;
    }
    const auto at = previous ? previous->at : assessment.release_at;
    if (!previous || previous->digest != input.previous->digest) {
        notes.error(
            "Q031",
            at,
            fmt::format(
                "the previous assessment of {} is another one", to_text(input.previous->release)
            ),
            fmt::format("its digest is {}", input.previous->digest)
        );
    } else if (previous->release != input.previous->release) {
        notes.error(
            "Q031",
            at,
            fmt::format(
                "previous says {}, that assessment is of {}",
                to_text(previous->release),
                to_text(input.previous->release)
            )
        );
    }
}

} // namespace

void lint_outcome(
    const CriteriaSet& set, const Assessment& assessment, const LintInput& input, Notes& notes
) {
    const auto scored = score(set, assessment);
    lint_readings(set, assessment, scored, notes);
    lint_slack(set, assessment, notes);
    lint_baseline(assessment, notes);
    lint_flakes(set, assessment, notes);
    lint_relay_level(set, assessment, scored, notes);
    lint_reporting(set, assessment, notes);
    lint_level_name(set, assessment.assessed.requests, assessment.assessed.at, "requests", notes);
    if (assessment.decision) {
        lint_level_name(
            set, assessment.decision->level, assessment.decision->at, "decision", notes
        );
    }
    lint_chain(set, assessment, input, notes);
}

} // namespace baton::quality
