#pragma once

#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/domain/profile.hpp"
#include "baton/wire/bundle.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// The files of a bundle, one function each. Only the bundle's own .cpp files and the text of a
/// proposal include this.
namespace baton::wire {

/// An outcome of the downstream in the bundle's window, with all that is known of it.
struct BundledOutcome {
    const domain::LadderEvent* event{nullptr};
    const domain::LadderJob* job{nullptr}; // nullptr: nobody reported anything
    const domain::JudgedOutcome* judged{nullptr};
};

domain::LadderWindow window_of(const BundleFacts& facts);

/// By time, dispatch, workflow and job.
std::vector<BundledOutcome> outcomes_of(const BundleFacts& facts);

/// How it counts: "passes", "against", "excluded", "repeated", "open", or "not" at all.
std::string_view counting_of(const domain::JudgedOutcome& outcome);

/// What it rests on, without the names of those that are not shown.
std::string evidence_of(const BundleFacts& facts, const domain::JudgedOutcome& outcome);

/// 2026-11-16, or with the time when it is not midnight.
std::string day_text(TimePoint when);

/// Each with target, measured value, n, bounds and verdict, as Markdown.
std::string criteria_table(const std::vector<domain::CriterionVerdict>& criteria);

/// `>= 90.0 %`
std::string target_text(const domain::Criterion& criterion);
std::string measured_text(domain::Figure figure, const domain::Measured& measured); // "-": nothing
std::string bounds_text(domain::Figure figure, const domain::Measured& measured);

/// Where it can be looked at; empty without pages.
std::string link_of(const BundleFacts& facts, const BundledOutcome& outcome);

/// The change of the list that is proposed.
struct BundledPatch {
    std::string diff;   // empty: there is none
    std::string reason; // why not
};

BundledPatch patch_of(const BundleFacts& facts);

std::string verdict_page(const BundleFacts& facts, const BundledPatch& patch);     // verdict.md
std::string verdict_document(const BundleFacts& facts, const BundledPatch& patch); // verdict.json
std::string events_table(const BundleFacts& facts);                                // events.csv
std::string exclusions_page(const BundleFacts& facts);                             // exclusions.md
std::string chart(const BundleFacts& facts);                                       // chart.svg

} // namespace baton::wire
