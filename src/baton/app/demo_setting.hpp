#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/config/config.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/sim/sim_world.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// What is there before the curtain rises.
namespace baton::app::demo {

inline constexpr std::int64_t kAppId = 4711;

struct Place {
    std::string folder;
    std::string store;     // where it is
    std::uint16_t port{0}; // of the relay
    std::string github;    // its address
};

/// The relay's configuration: patient for seconds, not hours.
config::Config
config_for(const Place& place, const std::string& private_key, const std::string& secret);

/// The rules of the ladder that it names: they act on silence alone, for most of the cast
/// misbehave.
Result<void> write_profile(const std::string& folder);

/// With it nothing on a pull request is open for longer, when all goes as it should.
Millis longest_job();
Millis longest_gate();

/// Repositories, people with rights, the allowlist, and a branch that only a green gate opens.
Result<void>
furnish(sim::SimWorld& world, const std::vector<domain::Downstream>& all, TimePoint now);

} // namespace baton::app::demo
