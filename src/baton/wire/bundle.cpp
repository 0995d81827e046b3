#include "baton/wire/bundle.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/figure_text.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/domain/profile.hpp"
#include "baton/wire/allowlist_patch.hpp"
#include "baton/wire/bundle_files.hpp"
#include "baton/wire/bundle_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::wire {

BundleFiles make_bundle(const BundleFacts& facts) {
    const auto patch = patch_of(facts);
    BundleFiles files{
        {"chart.svg", chart(facts)},
        {"events.csv", events_table(facts)},
        {"exclusions.md", exclusions_page(facts)},
        {"verdict.json", verdict_document(facts, patch)},
        {"verdict.md", verdict_page(facts, patch)},
    };
    if (!patch.diff.empty()) {
        files["allowlist.patch"] = patch.diff;
    }
    add_digests(files);
    return files;
}

// --- what the files share

domain::LadderWindow window_of(const BundleFacts& facts) {
    const auto until = facts.verdict.as_of;
    return {.from = until - kBundleDays * facts.history.day_length, .until = until};
}

std::vector<BundledOutcome> outcomes_of(const BundleFacts& facts) {
    const auto window = window_of(facts);
    std::vector<BundledOutcome> all;
    for (const auto& judged : facts.outcomes) {
        const auto& event = facts.evidence.events.at(judged.event);
        if (event.downstream != facts.downstream || event.sent_at < window.from ||
            event.sent_at >= window.until) {
            continue;
        }
        const auto job = std::ranges::find_if(event.jobs, [&judged](const auto& candidate) {
            return candidate.workflow == judged.workflow && candidate.name == judged.job;
        });
        all.push_back({
            .event = &event,
            .job = job == event.jobs.end() ? nullptr : &*job,
            .judged = &judged,
        });
    }
    std::ranges::sort(all, {}, [](const BundledOutcome& outcome) {
        return std::tuple(
            outcome.event->sent_at,
            outcome.event->id,
            std::string_view(outcome.judged->workflow),
            std::string_view(outcome.judged->job)
        );
    });
    return all;
}

std::string_view counting_of(const domain::JudgedOutcome& outcome) {
    if (outcome.outcome == domain::OutcomeClass::open) {
        return "open";
    }
    if (!is_decided(outcome.outcome)) {
        return "not";
    }
    if (outcome.repeated) {
        return "repeated";
    }
    return outcome.excluded ? "excluded" : is_green(outcome.outcome) ? "passes" : "against";
}

std::string evidence_of(const BundleFacts& facts, const domain::JudgedOutcome& outcome) {
    constexpr std::string_view kInstead = "a private downstream";
    auto text = outcome.evidence;
    auto names = facts.hidden;
    std::ranges::sort(names, std::greater{}, [](const RepoName& name) {
        return name.text().size(); // one name may begin as another does
    });
    for (const auto& name : names) {
        const auto spelled = name.text();
        for (auto at = text.find(spelled); at != std::string::npos; at = text.find(spelled, at)) {
            text.replace(at, spelled.size(), kInstead);
            at += kInstead.size();
        }
    }
    return text;
}

std::string day_text(TimePoint when) {
    constexpr std::size_t kDateBytes = 10;
    const auto text = to_rfc3339(when);
    const bool midnight = text.ends_with("T00:00:00.000Z");
    return midnight ? text.substr(0, kDateBytes) : text;
}

std::string target_text(const domain::Criterion& criterion) {
    const auto target = figure_text(criterion.figure, criterion.target);
    return fmt::format("{} {}", name_of(criterion.comparison), target);
}

std::string measured_text(domain::Figure figure, const domain::Measured& measured) {
    return measured.value ? figure_text(figure, *measured.value) : "-";
}

std::string bounds_text(domain::Figure figure, const domain::Measured& measured) {
    if (!measured.lower || !measured.upper) {
        return "-";
    }
    const auto upper = figure_text(figure, *measured.upper);
    return fmt::format("{} to {}", figure_text(figure, *measured.lower), upper);
}

std::string link_of(const BundleFacts& facts, const BundledOutcome& outcome) {
    if (facts.public_url.empty()) {
        return {};
    }
    if (outcome.job != nullptr && !outcome.job->attempts.empty()) {
        const auto id = static_cast<std::int64_t>(outcome.job->attempts.back().job);
        return fmt::format("{}/job/{}", facts.public_url, id);
    }
    if (outcome.event->pr) {
        const auto number = static_cast<std::int64_t>(*outcome.event->pr);
        return fmt::format("{}/pr/{}/{}", facts.public_url, facts.upstream.text(), number);
    }
    return fmt::format("{}/b/{}", facts.public_url, facts.downstream.text());
}

BundledPatch patch_of(const BundleFacts& facts) {
    const auto& proposal = facts.verdict.standing.proposal;
    if (!proposal) {
        return {.diff = {}, .reason = "no change of the list is proposed"};
    }
    auto patch = patch_level(facts.allowlist, facts.downstream, proposal->to, facts.allowlist_path);
    if (!patch) {
        return {.diff = {}, .reason = patch.error().detail};
    }
    return {.diff = std::move(patch->diff), .reason = {}};
}

} // namespace baton::wire
