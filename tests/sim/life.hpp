#pragma once

#include "baton/async/task_group.hpp"
#include "baton/base/ids.hpp"
#include "baton/domain/checks.hpp"
#include "baton/domain/retry.hpp"
#include "baton/relay/relay.hpp"
#include "baton/sim/crash_points.hpp"
#include "baton/sim/in_process_github.hpp"
#include "baton/sim/stepped_github.hpp"
#include "baton/sim/stepped_store.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "sim/world.hpp"

namespace baton::test {

inline const RepoName kUpstream = *RepoName::parse("up/stream");

/// Shorter than the default, so that a world comes to rest sooner.
inline domain::CheckRules check_rules() {
    domain::CheckRules rules;
    rules.label_prefixes = {"ciflow/crcr/", "ciflow/oot/"};
    rules.gate.start = std::chrono::minutes{5};
    rules.gate.run = std::chrono::minutes{40};
    return rules;
}

/// One incarnation of the relay: all of it is gone when it dies, while the store and GitHub stay.
struct World::Life {
    Life(World& world, std::string name)
        : incarnation(std::make_shared<sim::Incarnation>([&world](std::string_view point) {
            return world.at_step(point);
        }))
        , store(world.store_, incarnation)
        , github_inner(world.github_model_, world.faults_, world.clock_, world.network_)
        , github(github_inner, incarnation)
        , relay(
              {.instance = InstanceId(std::move(name)),
               .retry = domain::RetryPolicy{},
               .run_timeout = std::chrono::hours{1},
               .gate = check_rules().gate,
               .recovery_every = std::chrono::minutes{3}},
              {relay::Upstream{
                  .repo = kUpstream,
                  .source = world.source_,
                  .refresh = std::chrono::seconds{60},
                  .label_prefixes = check_rules().label_prefixes,
              }},
              {.executor = world.io_.get_executor(),
               .store = store,
               .github = github,
               .clock = world.clock_,
               .chance = world.relay_chance_,
               .journal = world.journal_}
          )
        , deliveries(world.io_.get_executor(), [](const std::string& surprise) {
            ADD_FAILURE() << surprise;
        }) {}

    std::shared_ptr<sim::Incarnation> incarnation;
    sim::SteppedStore store;
    sim::InProcessGithub github_inner;
    sim::SteppedGithub github;
    relay::Relay relay;
    async::TaskGroup deliveries;
};

} // namespace baton::test
