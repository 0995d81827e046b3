#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/markdown.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/wire/bundle.hpp"
#include "baton/wire/bundle_parts.hpp"
#include "baton/wire/csv.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::wire {

namespace {

using domain::ExclusionRule;

constexpr std::size_t kNameMost = 120;
constexpr std::size_t kEvidenceMost = 600;

constexpr std::array<std::string_view, 14> kColumns{
    "dispatch",
    "sent_at",
    "event",
    "pr",
    "head",
    "workflow",
    "job",
    "attempts",
    "ended_at",
    "class",
    "counts",
    "rule",
    "evidence",
    "link",
};

std::string number_of(const std::optional<PrNumber>& pr) {
    return pr ? std::to_string(static_cast<std::int64_t>(*pr)) : std::string{};
}

std::string ended_at(const domain::LadderJob* job) {
    const bool ended = job != nullptr && !job->attempts.empty() && job->attempts.back().ended_at;
    return ended ? to_rfc3339(*job->attempts.back().ended_at) : std::string{};
}

/// The rules that can set an outcome aside, and what they mean.
struct RuleWords {
    ExclusionRule rule;
    std::string_view words;
};

constexpr std::array<RuleWords, 5> kRules{{
    {ExclusionRule::trunk, "upstream's trunk was broken: others were red on the same trunk commit"},
    {ExclusionRule::pull_request, "the pull request was broken: others turned red on the same head"
    },
    {ExclusionRule::alone, "a break that only this backend sees, proven or still to be settled"},
    {ExclusionRule::overruled, "a person said whose it is"},
    {ExclusionRule::standing, "a breakage of its own that counted already on that day, for that job"
    },
}};

bool is_set_aside(const BundledOutcome& outcome) {
    return outcome.judged->excluded || outcome.judged->repeated;
}

std::string line_of(const BundleFacts& facts, const BundledOutcome& outcome) {
    const auto& event = *outcome.event;
    const auto& judged = *outcome.judged;
    const auto name = judged.job.empty()
                          ? std::string("no job reported")
                          : domain::inert_markdown(judged.workflow + " / " + judged.job, kNameMost);
    const auto link = link_of(facts, outcome);
    return fmt::format(
        "- {} · dispatch {} · {}{} · {} · {}{}: {}{}\n",
        to_rfc3339(event.sent_at),
        static_cast<std::int64_t>(event.id),
        event.pr ? fmt::format("pull request {} · ", number_of(event.pr)) : "",
        domain::inert_markdown(event.head.text(), kNameMost),
        name,
        name_of(judged.outcome),
        judged.provisional ? ", provisional" : "",
        domain::inert_sentence(evidence_of(facts, judged), kEvidenceMost),
        link.empty() ? "" : fmt::format(" · [rows]({})", link)
    );
}

} // namespace

std::string events_table(const BundleFacts& facts) {
    std::string out;
    for (const auto column : kColumns) {
        out.append(out.empty() ? "" : ",").append(column);
    }
    out += kCsvLineEnd;
    for (const auto& outcome : outcomes_of(facts)) {
        const auto& event = *outcome.event;
        const auto& judged = *outcome.judged;
        out += fmt::format(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{}{}",
            static_cast<std::int64_t>(event.id),
            to_rfc3339(event.sent_at),
            csv_text(event.event_type),
            number_of(event.pr),
            csv_text(event.head.text()),
            csv_text(judged.workflow),
            csv_text(judged.job),
            outcome.job == nullptr ? 0 : outcome.job->attempts.size(),
            ended_at(outcome.job),
            name_of(judged.outcome),
            counting_of(judged),
            judged.rule ? name_of(*judged.rule) : "",
            csv_text(evidence_of(facts, judged)),
            csv_text(link_of(facts, outcome)),
            kCsvLineEnd
        );
    }
    return out;
}

std::string exclusions_page(const BundleFacts& facts) {
    auto all = outcomes_of(facts);
    const auto excluded = measure(
        domain::Figure::excluded_share,
        facts.history,
        window_of(facts),
        domain::Quantiles::nearest_rank
    );
    std::erase_if(all, [](const auto& outcome) { return !is_set_aside(outcome); });
    auto out = fmt::format(
        "# What does not count for {}\n\nFrom {} to {}, UTC. {} set aside; as the guard counts "
        "them {} of what was decided (n = {}): where that is too much, nothing is decided at "
        "all.\n",
        facts.downstream.text(),
        day_text(window_of(facts).from),
        day_text(window_of(facts).until),
        all.size() == 1 ? "1 outcome is" : fmt::format("{} outcomes are", all.size()),
        measured_text(domain::Figure::excluded_share, excluded),
        excluded.n
    );
    for (const auto& [rule, words] : kRules) {
        std::string lines;
        std::size_t count = 0;
        for (const auto& outcome : all) {
            if (outcome.judged->rule == rule) {
                lines += line_of(facts, outcome);
                ++count;
            }
        }
        if (count > 0) {
            out += fmt::format("\n## `{}`: {} ({})\n\n{}", name_of(rule), words, count, lines);
        }
    }
    return out;
}

} // namespace baton::wire
