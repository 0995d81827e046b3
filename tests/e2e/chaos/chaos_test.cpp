// Relays under load while everything is done to them that a schedule drawn from a seed says:
// replicas die, stand still and lose their clock, wires break, the database is restarted, crashes
// and has a full disk, GitHub fails, limits and loses. Then everything is put right, and the rules
// of history.hpp have to hold.
//
//     ./dev chaos --seconds 600 --seed 7

#include "baton/base/limits.hpp"
#include "baton/sim/sim_world.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "e2e/chaos/gathering.hpp"
#include "e2e/chaos/hands.hpp"
#include "e2e/chaos/history.hpp"
#include "e2e/chaos/options.hpp"
#include "e2e/chaos/schedule.hpp"
#include "e2e/chaos/traffic.hpp"
#include "e2e/chaos/visitors.hpp"
#include "e2e/replicas/house.hpp"
#include "e2e/stage.hpp"
#include "support/fault_proxy.hpp"
#include "support/postgres_place.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;

constexpr auto kRestsWithin =
    600s; // GitHub's log is asked for a webhook three times, minutes apart
constexpr std::size_t kTold = 20;

template <class Key> std::string counted(const std::map<Key, std::size_t>& counts) {
    std::string line;
    for (const auto& [what, count] : counts) {
        if constexpr (std::is_same_v<Key, Trouble>) {
            line += fmt::format("{}{} {}", line.empty() ? "" : ", ", name_of(what), count);
        } else {
            line += fmt::format("{}{}: {}", line.empty() ? "" : ", ", what, count);
        }
    }
    return line;
}

class Chaos : public testing::Test {
protected:
    Chaos() {
        const auto door = fmt::format("http://127.0.0.1:{}", door_.port());
        let_them_play(stage_, door + "/github/callback");
        stage_.github().with([&](sim::SimWorld& world) {
            world.target = {.url = door + "/github/webhook", .secret = Stage::kSecret};
        });
    }

    static std::size_t replicas() { return PostgresPlace::is_there() ? 3 : 1; }

    static std::vector<std::vector<Step>> schedules() {
        const auto& options = chaos_options();
        const auto of = [&](std::vector<Trouble> kinds, std::uint64_t hand) {
            return schedule_of({
                .seed = options.seed + hand,
                .time = std::chrono::seconds(options.seconds),
                .replicas = replicas(),
                .kinds = std::move(kinds),
            });
        };
        if (!PostgresPlace::is_there()) {
            return {of(troubles_without_database(), 0)};
        }
        return {of(troubles_of_one(), 0), of(troubles_of_all(), 1)};
    }

    /// Everybody is there again and tells those who listen what another took in.
    std::vector<std::string> look_whether_all_hear(const Visitors& visitors) {
        std::vector<std::string> deaf;
        for (std::size_t i = 0; i < house_.size(); ++i) {
            EXPECT_TRUE(eventually(
                [&] { return Stage::get("/readyz", house_.port(i), nullptr) == 200; }, 60s
            )) << house_.log(i);
        }
        std::vector<std::int64_t> before;
        for (std::size_t i = 0; i < house_.size(); ++i) {
            before.push_back(visitors.heard_at(i));
        }
        const auto webhook = stage_.opened_pull();
        EXPECT_TRUE(eventually([&] { return Stage::post(webhook, house_.port(0)) / 100 == 2; }, 60s)
        );
        for (std::size_t i = 0; i < house_.size(); ++i) {
            if (!eventually([&] { return visitors.heard_at(i) > before[i]; }, 60s)) {
                deaf.push_back(fmt::format("replica {} told nobody of what another took in", i));
            }
        }
        return deaf;
    }

    /// The simulator tells one of them to wait, and the others hear of it from that one, in a
    /// second and a half, or later when the database is away too. Until then each may have as much
    /// under way as it ever has: the first of its own answers stops it.
    static std::size_t limited_asks_excused(const Hands& hands, std::size_t downstreams) {
        return hands.done().at(Trouble::github_limit) * (replicas() - 1) * downstreams *
               limits::kInFlightPerDownstreamMax;
    }

    static void tell(const std::string& line) { std::cout << "chaos: " << line << std::endl; }

    Stage stage_{{
        .allowlist = kCast,
        .callbacks = true,
        .more_config = cast_config(),
        .seed = chaos_options().seed,
    }};
    House house_{stage_, replicas()};
    FaultProxy door_{{.socket = {}, .houses = replicas(), .port_of = [this](std::size_t which) {
                          return house_.port(which);
                      }}};
};

TEST_F(Chaos, IsSurvivedWithEveryRuleKept) {
    const auto& options = chaos_options();
    tell(fmt::format(
        "seed {}, {} s, {} on {}",
        options.seed,
        options.seconds,
        replicas() == 1 ? "one relay" : "three replicas",
        PostgresPlace::is_there() ? "PostgreSQL" : "SQLite"
    ));
    Visitors visitors(house_);
    Traffic traffic(
        stage_,
        house_,
        {.seed = options.seed,
         .pause = options.is_long ? 200ms : 150ms,
         .through_github = options.is_long}
    );
    Hands hands(stage_, house_);
    hands.play(schedules());
    tell("done: " + counted(hands.done()));

    auto told = traffic.stop();
    const auto deaf = look_whether_all_hear(visitors);
    const bool rests = eventually([&] { return is_at_rest(stage_, told); }, kRestsWithin);
    const auto seen = visitors.stop();
    auto history = gather(stage_, told, seen);
    history.limited_asks_excused = limited_asks_excused(hands, history.downstreams.size());
    auto broken = broken_rules(history);
    broken.insert(broken.end(), deaf.begin(), deaf.end());
    if (!rests) {
        broken.push_back("it did not come to rest");
    }

    const auto repeats = repeats_in(history);
    tell(fmt::format(
        "deliveries {} (answers {}), dispatches {}, sent again {}, outcomes nobody can know {}",
        history.ledger.size(),
        counted(history.answers),
        repeats.dispatches,
        repeats.again,
        repeats.unknown
    ));
    tell(fmt::format(
        "callbacks {}, checks {}, pages {} ({}), events {}, lives {}, asked while limited {}",
        history.reports.size(),
        history.checks.size(),
        history.page_answers.size(),
        counted(history.page_answers),
        seen.events,
        hands.lives(),
        history.limits.while_limited
    ));
    for (std::size_t i = 0; i < std::min(broken.size(), kTold); ++i) {
        tell("BROKEN: " + broken[i]);
    }
    tell(
        broken.empty()
            ? fmt::format("seed {}: every rule held", options.seed)
            : fmt::format(
                  "seed {}: {} broken, the first: {}", options.seed, broken.size(), broken[0]
              )
    );
    EXPECT_TRUE(broken.empty()) << house_.logs();
}

} // namespace
} // namespace baton::test
