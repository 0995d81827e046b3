#include "baton/quality/filling.hpp"

#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/item_score.hpp"
#include "baton/quality/metric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::quality {

namespace {

constexpr std::string_view kNightlies = "nightly_days_pct";
constexpr std::string_view kFlakesSeen = "flaky_observed";

/// The value as the item wants it: a share, or the figures that its limits name.
Value value_of(const Item& item, const Metric& metric) {
    Value value;
    const bool by_figures =
        item.automatic && std::ranges::any_of(item.automatic->limits, [](const Limit& limit) {
            return limit.figure != "percent";
        });
    if (!by_figures) {
        value.num = metric.num;
        value.den = metric.den;
        return value;
    }
    for (const auto& limit : item.automatic->limits) {
        const auto figure = metric.figures.find(limit.figure);
        if (figure != metric.figures.end()) {
            value.figures.insert(*figure);
        }
    }
    return value;
}

std::string text_of(const Value& value) {
    std::string out;
    if (value.num && value.den) {
        out = fmt::format("{} of {}", *value.num, *value.den);
    }
    for (const auto& [name, amount] : value.figures) {
        out += fmt::format("{}{} {}", out.empty() ? "" : ", ", inert(name), to_text(amount));
    }
    return out;
}

bool is_same(const Value& left, const Value& right) {
    return left.num == right.num && left.den == right.den && left.figures == right.figures;
}

/// Nothing but `unknown` and words for people.
bool is_free(const Claim& claim) {
    return claim.kind == ClaimKind::unknown && claim.evidence.empty() && claim.parts.empty() &&
           claim.checks.empty() && !claim.value && !claim.review;
}

/// The claim that a conclusive metric makes; nullopt when it makes none.
std::optional<Claim> claim_of(const Item& item, const Metric& metric, const std::string& evidence) {
    Claim claim{
        .item = item.id, .kind = ClaimKind::measured, .evidence = {{.id = evidence, .at = {}}}
    };
    if (item.kind == Kind::add) {
        // What gates is known of the platform's own tests, the first part; of others it is not.
        if (metric.verdict != MetricVerdict::met || item.parts.empty()) {
            return std::nullopt;
        }
        claim.kind = ClaimKind::partial;
        claim.parts = {{.id = item.parts.front().id, .at = {}}};
        claim.rest_unknown = true;
        claim.note =
            metric.den == 0
                ? "relay level 4: its check is required"
                : fmt::format(
                      "{} of {} merged pull requests had a verdict before", metric.num, metric.den
                  );
        return claim;
    }
    auto value = value_of(item, metric);
    const auto measured = measure(item, value);
    if (!measured) {
        return std::nullopt;
    }
    if (metric.verdict == MetricVerdict::unmet && measured->points > 0) {
        // A rule that the value alone does not show.
        claim.kind = ClaimKind::unmet;
        claim.note = metric.reason;
        return claim;
    }
    claim.value = std::move(value);
    if (metric.name == kNightlies) {
        claim.note = "nightlies as the relay saw them; link the build of the release besides";
    }
    return claim;
}

/// What the claim by hand says, in few words.
std::string said(const Claim& claim) {
    return claim.value ? fmt::format("{} ({})", name_of(claim.kind), text_of(*claim.value))
                       : std::string(name_of(claim.kind));
}

/// What was measured, in few words.
std::string seen(const Claim& measured) {
    return measured.value ? text_of(*measured.value)
                          : fmt::format("{}: {}", name_of(measured.kind), inert(measured.note));
}

bool says_the_same(const Item& item, const Claim& by_hand, const Claim& measured) {
    if (by_hand.value && measured.value) {
        return is_same(*by_hand.value, *measured.value);
    }
    if (measured.kind == ClaimKind::partial) {
        const auto& parts = by_hand.parts;
        const bool named =
            std::ranges::find(parts, measured.parts.front().id, &Reference::id) != parts.end();
        return named || (by_hand.kind == ClaimKind::met && parts.empty());
    }
    if (measured.value) {
        const auto worth = measure(item, *measured.value);
        const int points = worth ? worth->points : 0;
        return (by_hand.kind == ClaimKind::met && points == item.max) ||
               (by_hand.kind == ClaimKind::unmet && points == 0);
    }
    return by_hand.kind == measured.kind;
}

void compare(const Item& item, const Claim* by_hand, Claim measured, Filling& out) {
    if (by_hand == nullptr) {
        out.silent.push_back(
            fmt::format("{}: measured {}, but it is not in the file", item.id, seen(measured))
        );
    } else if (is_free(*by_hand)) {
        out.claims.push_back(std::move(measured));
    } else if (says_the_same(item, *by_hand, measured)) {
        out.agrees.push_back(item.id);
    } else {
        out.differs.push_back(
            fmt::format("{}: claimed {}, measured {}", item.id, said(*by_hand), seen(measured))
        );
    }
}

RelayFacts facts_of(const CriteriaSet& set, const Snapshot& snapshot) {
    RelayFacts facts;
    facts.relay_level = snapshot.relay_level;
    facts.reporting = snapshot.reporting;
    for (const auto& item : set.items) {
        const auto* const metric = item.automatic ? snapshot.find(item.automatic->metric) : nullptr;
        if (metric != nullptr && item.kind == Kind::step && is_conclusive(metric->verdict)) {
            facts.baseline[item.id] = metric->den;
        }
    }
    const auto* const flakes = snapshot.find(kFlakesSeen);
    if (flakes != nullptr && is_conclusive(flakes->verdict)) {
        facts.flaky_observed = Value{.num = flakes->num, .den = flakes->den, .figures = {}};
    }
    return facts;
}

/// What `facts` says already and is not so.
void compare_facts(const RelayFacts& said, const RelayFacts& seen, Filling& out) {
    if (said.relay_level && said.relay_level != seen.relay_level) {
        out.differs.push_back(fmt::format(
            "facts: relay_level is {}, the list says {}", *said.relay_level, *seen.relay_level
        ));
    }
    for (const auto& [item, den] : seen.baseline) {
        const auto known = said.baseline.find(item);
        if (known != said.baseline.end() && known->second != den) {
            out.differs.push_back(fmt::format(
                "facts: baseline of {} is {}, the manifest has {}", item, known->second, den
            ));
        }
    }
    if (said.flaky_observed && seen.flaky_observed &&
        !is_same(*said.flaky_observed, *seen.flaky_observed)) {
        out.differs.push_back(fmt::format(
            "facts: flaky_observed is {}, measured {}",
            text_of(*said.flaky_observed),
            text_of(*seen.flaky_observed)
        ));
    }
}

} // namespace

Filling fill(
    const CriteriaSet& set,
    const Assessment& assessment,
    const Snapshot& snapshot,
    std::string_view evidence
) {
    Filling out;
    out.facts = facts_of(set, snapshot);
    compare_facts(assessment.facts, out.facts, out);
    for (const auto& item : set.items) {
        const auto* const metric = item.automatic ? snapshot.find(item.automatic->metric) : nullptr;
        if (metric == nullptr) {
            continue;
        }
        if (!is_conclusive(metric->verdict)) {
            out.silent.push_back(
                fmt::format("{}: {}: {}", item.id, name_of(metric->verdict), metric->reason)
            );
            continue;
        }
        auto measured = claim_of(item, *metric, std::string(evidence));
        if (!measured) {
            out.silent.push_back(fmt::format("{}: {}", item.id, metric->reason));
            continue;
        }
        compare(item, assessment.claim(item.id), *std::move(measured), out);
    }
    return out;
}

} // namespace baton::quality
