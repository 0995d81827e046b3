#pragma once

#include "baton/base/ids.hpp"
#include "baton/domain/allowlist.hpp"

#include <string>
#include <string_view>
#include <vector>

/// Who plays in `baton demo`: an upstream, its people, and two dozen downstreams at mixed levels
/// with all kinds of settings. All of them are made up.
namespace baton::app::demo {

inline constexpr std::string_view kUpstream = "up/stream";
inline constexpr std::string_view kAllowlistPath = ".github/allowlist.yml";

// --- downstreams with a part of their own
inline constexpr std::string_view kSlow = "ridgeline/ridge-accel";
inline constexpr std::string_view kFlaky = "saltmarsh/audio-models";
inline constexpr std::string_view kForgetful = "aster-labs/aster-backend"; // its replies get lost
inline constexpr std::string_view kSleeper = "granite-semi/granite-npu";   // dead for stretches
inline constexpr std::string_view kLimitedToo = "polaris/polaris-graph";
inline constexpr std::string_view kNotInstalled = "orchard-ai/vision-lab";
inline constexpr std::string_view kLimited =
    "polaris/polaris-npu"; // and with it all of its owner's
inline constexpr std::string_view kJoinsLater = "driftwood/edge-runtime";
inline constexpr std::string_view kMortal = "verdant/verdant-gpu";   // blocks; dead for a stretch
inline constexpr std::string_view kQuiet = "copperleaf/rvv-kernels"; // silent until it is lowered
inline constexpr std::string_view kStrict = "summit/summit-gpu";     // blocks; red for a stretch

/// The upstream's people and what they may do there.
inline constexpr std::string_view kMaintainer = "mira"; // write
inline constexpr std::string_view kTriager = "tomasz";  // triage
const std::vector<std::string_view>& contributors();    // neither

const std::vector<std::string_view>& titles(); // of pull requests
const std::vector<std::string_view>& labels();

/// The allowlist at the start; without kJoinsLater.
std::string first_allowlist();
/// Somebody's slip: a level as a list of texts with an unknown key. Refused as a whole.
std::string broken_allowlist();
/// Mended, and kJoinsLater is on it. Every edition is another text.
std::string mended_allowlist(int edition);

/// All of them, kJoinsLater too, highest level first.
std::vector<domain::Downstream> cast();

/// Whether its row stays on a small screen.
bool is_featured(const domain::Downstream& downstream);

/// What its settings mean for it, in a few words; on-calls when there is nothing else to say.
std::string standing_note(const domain::Downstream& downstream);

RepoName repo_named(std::string_view text); // for names of the cast only

} // namespace baton::app::demo
