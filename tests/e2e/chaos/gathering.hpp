#pragma once

#include <chrono>
#include <string>

#include "e2e/chaos/history.hpp"
#include "e2e/chaos/traffic.hpp"
#include "e2e/chaos/visitors.hpp"
#include "e2e/stage.hpp"

namespace baton::test {

/// Everybody in the list, what each plays once it was told, and times that fit into minutes.
inline constexpr const char* kCast = R"(
L1: [one/a]
L2: [two/pass, two/silent, two/crash, two/twice]
L3: {npu: {three/a: [ann]}}
L4: [{four/a: {device: gpu}}]
)";
inline constexpr std::chrono::seconds kStartTimeout{10};
inline constexpr std::chrono::seconds kRunTimeout{15};

std::string cast_config();

/// From now on downstreams report through this door.
void let_them_play(Stage& stage, const std::string& callback_url);

/// Everything that the rules are about; looks into store and simulator.
History gather(Stage& stage, const Traffic::Told& traffic, const Visitors::Told& visitors);

/// Whether nothing is left to plan, send, sweep, post or say. What GitHub was to send by itself has
/// arrived.
bool is_at_rest(Stage& stage, const Traffic::Told& traffic);

} // namespace baton::test
