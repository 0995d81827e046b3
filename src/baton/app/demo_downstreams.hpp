#pragma once

#include "baton/app/demo_notes.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/downstream_script.hpp"
#include "baton/sim/sim_world.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the downstreams of the demo report, each in its own way.
namespace baton::app::demo {

inline constexpr std::string_view kAudience = "pytorch-cross-repo-ci-relay";
inline constexpr std::string_view kNightly = "quarry/quant-tools"; // reports by itself

/// nullopt: it only listens.
std::optional<sim::Script> script_of(const RepoName& repo);

/// Everybody is told their part.
void cast_scripts(
    sim::SimWorld& world,
    const std::vector<domain::Downstream>& all,
    const std::string& callback_url
);

/// Somebody with a part plays it in another way from now on.
void change_script(sim::SimWorld& world, const RepoName& repo, sim::Script script);

/// The nightly tests the upstream's head.
void report_nightly(sim::SimWorld& world, TimePoint now);

/// How it reports, in a few words with a figure; nullopt before it has said anything.
std::optional<Note> report_note(sim::Script script, const sim::ReportCount& count);

} // namespace baton::app::demo
