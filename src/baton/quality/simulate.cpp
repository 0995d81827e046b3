#include "baton/quality/simulate.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::quality {

namespace {

constexpr std::string_view kSupposed = "(supposed)"; // an evidence that no file can declare

constexpr std::array<std::pair<std::string_view, ClaimKind>, 3> kWords{{
    {"met", ClaimKind::met},
    {"unmet", ClaimKind::unmet},
    {"unknown", ClaimKind::unknown},
}};

Claim& claim_of(Assessment& assessment, const std::string& id) {
    const auto found = std::ranges::find(assessment.claims, id, &Claim::item);
    if (found != assessment.claims.end()) {
        return *found;
    }
    assessment.claims.push_back({.item = id});
    return assessment.claims.back();
}

void suppose_evidence(Assessment& assessment, Claim& claim) {
    if (assessment.find_evidence(kSupposed) == nullptr) {
        assessment.evidence.push_back({.id = std::string(kSupposed), .type = "statement"});
    }
    claim.evidence.push_back({.id = std::string(kSupposed), .at = {}});
    claim.checks.clear();
    claim.review.reset();
}

Result<void> suppose_share(Claim& claim, std::string_view text) {
    constexpr std::int64_t kMost = 1'000'000'000;
    const auto slash = text.find('/');
    const auto num = whole_number(text.substr(0, slash));
    const auto den = whole_number(text.substr(slash + 1));
    if (!num || !den || *num > *den || *den > kMost) {
        return fail(
            Errc::invalid, fmt::format("\"{}\" is no share: write 16148/20184", inert(text))
        );
    }
    claim.kind = ClaimKind::measured;
    claim.value = Value{.num = *num, .den = *den, .figures = {}, .at = {}};
    return {};
}

Result<void> suppose_parts(const Item& item, Claim& claim, std::string_view text) {
    const bool adds = text.starts_with('+');
    auto rest = adds ? text.substr(1) : text;
    if (!adds) {
        claim.parts.clear();
    } else if (claim.kind == ClaimKind::met && claim.parts.empty()) {
        return {}; // it has them all
    } else if (claim.kind != ClaimKind::met && claim.kind != ClaimKind::partial) {
        claim.parts.clear();
    }
    while (!rest.empty()) {
        const auto comma = std::min(rest.find(','), rest.size());
        const std::string part(rest.substr(0, comma));
        if (std::ranges::find(item.parts, part, &Part::id) == item.parts.end()) {
            return fail(
                Errc::invalid,
                fmt::format(
                    "{} has no part \"{}\", and it is not met, unmet or unknown either",
                    item.id,
                    inert(part)
                )
            );
        }
        claim.parts.push_back({.id = part, .at = {}});
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    claim.kind = ClaimKind::partial;
    return {};
}

} // namespace

Result<void> suppose(const CriteriaSet& set, Assessment& assessment, std::string_view change) {
    const auto equals = change.find('=');
    const auto* const item = set.find(change.substr(0, equals));
    if (equals == std::string_view::npos || item == nullptr) {
        return fail(
            Errc::invalid,
            fmt::format("\"{}\": write ITEM=met, ITEM=16148/20184 or ITEM=+part", inert(change))
        );
    }
    const auto what = change.substr(equals + 1);
    auto& claim = claim_of(assessment, item->id);
    const auto* const word =
        std::ranges::find(kWords, what, &std::pair<std::string_view, ClaimKind>::first);
    if (word != kWords.end()) {
        if (word->second == ClaimKind::met && item->kind == Kind::step) {
            return fail(
                Errc::invalid,
                fmt::format("{} is measured: write {}=16148/20184", item->id, item->id)
            );
        }
        claim.kind = word->second;
        claim.parts.clear();
        claim.value.reset();
    } else {
        const auto done = what.find('/') != std::string_view::npos
                              ? suppose_share(claim, what)
                              : suppose_parts(*item, claim, what);
        if (!done) {
            return done;
        }
    }
    suppose_evidence(assessment, claim);
    return {};
}

} // namespace baton::quality
