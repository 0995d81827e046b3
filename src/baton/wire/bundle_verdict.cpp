#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/markdown.hpp"
#include "baton/domain/profile.hpp"
#include "baton/wire/bundle.hpp"
#include "baton/wire/bundle_parts.hpp"
#include "baton/wire/json_text.hpp"
#include "baton/wire/ladder_json.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

using domain::Figure;

constexpr std::size_t kSentenceMost = 500;
constexpr std::size_t kMovesMost = 20;

std::string title_of(const BundleFacts& facts) {
    const auto& standing = facts.verdict.standing;
    const auto who = facts.downstream.text();
    if (standing.proposal) {
        return fmt::format(
            "{}: from {} to {}",
            who,
            name_of(standing.proposal->from),
            name_of(standing.proposal->to)
        );
    }
    if (facts.verdict.ready_for) {
        return fmt::format("{}: ready for {}", who, name_of(*facts.verdict.ready_for));
    }
    return fmt::format("{} at {}", who, name_of(standing.listed));
}

std::string_view word_of(domain::Met met) {
    switch (met) {
    case domain::Met::yes:
        return "✅ met";
    case domain::Met::no:
        return "❌ missed";
    case domain::Met::insufficient:
        return "➖ too little data";
    }
    return "";
}

/// Raw and adjusted, side by side, whatever the profile asks for.
std::string rates_table(const BundleFacts& facts) {
    constexpr std::array<std::pair<Figure, std::string_view>, 4> kRates{{
        {Figure::pass_raw, "jobs, raw: latest attempts that passed of those that completed"},
        {Figure::pass_adj, "jobs, adjusted: after exclusions"},
        {Figure::pass_run, "events whose required jobs all pass"},
        {Figure::excluded_share, "excluded of what was decided"},
    }};
    std::string out = "| rate | measured | n | 95 % bounds |\n|---|---|---|---|\n";
    for (const auto& [figure, words] : kRates) {
        const auto measured =
            measure(figure, facts.history, window_of(facts), domain::Quantiles::nearest_rank);
        out += fmt::format(
            "| {} | {} | {} | {} |\n",
            words,
            measured_text(figure, measured),
            measured.n,
            bounds_text(figure, measured)
        );
    }
    return out;
}

std::string moves_table(const BundleFacts& facts) {
    if (facts.moves.empty()) {
        return "No move is in the ledger.\n";
    }
    std::string out = "| as of | move | from | to | why |\n|---|---|---|---|---|\n";
    for (std::size_t i = 0; i < facts.moves.size() && i < kMovesMost; ++i) {
        const auto& [as_of, move] = facts.moves[i];
        out += fmt::format(
            "| {} | {} | {} {} | {} {} | {} |\n",
            day_text(as_of),
            name_of(move.move),
            name_of(move.from),
            name_of(move.from_state),
            name_of(move.to),
            name_of(move.to_state),
            domain::inert_sentence(move.reason, kSentenceMost)
        );
    }
    return out;
}

std::string tally_of(const BundleFacts& facts) {
    std::map<std::string_view, std::size_t> tally;
    for (const auto& outcome : outcomes_of(facts)) {
        ++tally[counting_of(*outcome.judged)];
    }
    std::string out;
    for (const auto& [counting, count] : tally) {
        out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, counting);
    }
    return out.empty() ? "none" : out;
}

std::string proposal_text(const BundleFacts& facts, const BundledPatch& patch) {
    const auto& proposal = facts.verdict.standing.proposal;
    std::string out;
    if (proposal) {
        out = fmt::format(
            "Proposed since {}: {}\n\n",
            day_text(proposal->since),
            domain::inert_sentence(proposal->reason, kSentenceMost)
        );
    }
    if (!patch.diff.empty()) {
        return out + "`allowlist.patch` makes the change: `git apply allowlist.patch`.\n\n";
    }
    return out +
           fmt::format(
               "There is no patch: {}.\n\n", domain::inert_sentence(patch.reason, kSentenceMost)
           );
}

} // namespace

std::string criteria_table(const std::vector<domain::CriterionVerdict>& criteria) {
    std::string out =
        "| criterion | what it asks for | window | target | measured | n | 95 % bounds "
        "| verdict |\n|---|---|---|---|---|---|---|---|\n";
    for (const auto& [criterion, measured, met, advice] : criteria) {
        out += fmt::format(
            "| `{}` | {} | {} d | {}{} | {} | {} | {} | {} |\n",
            criterion.id,
            domain::inert_sentence(criterion.text, kSentenceMost),
            criterion.window,
            criterion.bound == domain::Bound::none
                ? ""
                : fmt::format("{} bound ", name_of(criterion.bound)),
            target_text(criterion),
            measured_text(criterion.figure, measured),
            measured.n,
            bounds_text(criterion.figure, measured),
            met == domain::Met::yes && !advice.empty() ? "✅ met, weakly supported" : word_of(met)
        );
    }
    return out;
}

std::string verdict_page(const BundleFacts& facts, const BundledPatch& patch) {
    const auto& verdict = facts.verdict;
    auto out = fmt::format("# {}\n\n", title_of(facts));
    out += fmt::format(
        "Upstream {} · as of {} (UTC) · profile `{}` · listed {}, effective {}, state {}{}\n\n",
        facts.upstream.text(),
        day_text(verdict.as_of),
        facts.profile,
        name_of(verdict.standing.listed),
        name_of(verdict.standing.effective),
        name_of(verdict.standing.state),
        facts.revision > 0 ? fmt::format(" · revision {}", facts.revision) : ""
    );
    out += proposal_text(facts, patch);
    if (!verdict.forecast.empty()) {
        out += domain::inert_sentence(verdict.forecast, kSentenceMost) + "\n\n";
    }
    if (!verdict.next.empty()) {
        out += "## The next level\n\n" + criteria_table(verdict.next) + "\n";
    }
    if (!verdict.demotion.empty()) {
        out += "## Staying at this one\n\n" + criteria_table(verdict.demotion) + "\n";
    }
    out += fmt::format("## {} days, raw and adjusted\n\n{}\n", kBundleDays, rates_table(facts));
    out += fmt::format(
        "Outcomes in `events.csv`: {}. What was excluded and why: `exclusions.md`. By day: "
        "`chart.svg`.\n\n",
        tally_of(facts)
    );
    out += "## Moves\n\n" + moves_table(facts);
    out += "\n## Checking this\n\n"
           "`sha256sum -c digests.txt` tells whether a file was changed, `baton levels verify DIR "
           "--key PUBLIC.pem` also who signed it. The same store gives the same bytes again.\n";
    return out;
}

std::string verdict_document(const BundleFacts& facts, const BundledPatch& patch) {
    const auto window = window_of(facts);
    return fmt::format(
        "{{\"format\":\"baton-bundle/1\",\"upstream\":{},\"downstream\":{},\"as_of\":{},\"from\":"
        "{},\"profile\":{},\"revision\":{},\"days_digest\":{},\"patch\":{},\"no_patch_because\":{},"
        "\"verdict\":{}}}\n",
        json_quoted(facts.upstream.text()),
        json_quoted(facts.downstream.text()),
        json_quoted(to_rfc3339(window.until)),
        json_quoted(to_rfc3339(window.from)),
        json_quoted(facts.profile),
        facts.revision,
        json_quoted(facts.digest),
        patch.diff.empty() ? "null" : "\"allowlist.patch\"",
        patch.diff.empty() ? json_quoted(patch.reason) : "null",
        verdict_json(facts.verdict)
    );
}

} // namespace baton::wire
