#include "baton/app/demo_downstreams.hpp"

#include "baton/app/demo_cast.hpp"
#include "baton/app/demo_notes.hpp"
#include "baton/app/demo_view.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/downstream_script.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/sim_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::app::demo {

using namespace std::chrono_literals;
using sim::Script;

namespace {

// Hours of CI in seconds, so that a short play shows every ending.
constexpr sim::Pace kPace{.queue = 400ms, .work = 1500ms, .later = 5s};

struct Role {
    std::string_view repo;
    Script script;
};

constexpr std::array kRoles{
    Role{.repo = "northwind-ml/forecasts", .script = Script::pass}, // level 1: ignored
    Role{.repo = "papertrail/paper-bench", .script = Script::silent},
    Role{.repo = kNightly, .script = Script::nightly},
    Role{.repo = kForgetful, .script = Script::slow},
    Role{.repo = "aster-labs/aster-kernels", .script = Script::flaky},
    Role{.repo = kSleeper, .script = Script::fail},
    Role{.repo = "halcyon/halcyon-runtime", .script = Script::pass},
    Role{.repo = "tidewater/tide-compiler", .script = Script::out_of_order},
    Role{.repo = "lumen/torch-lumen", .script = Script::duplicate},
    Role{.repo = kLimited, .script = Script::pass},
    Role{.repo = kLimitedToo, .script = Script::deaf},
    Role{.repo = "polaris/polaris-tpu", .script = Script::crash},
    Role{.repo = "bluefin/bluefin-xpu", .script = Script::forged},
    Role{.repo = "cobalt/cobalt-dsp", .script = Script::matrix},
    Role{.repo = kQuiet, .script = Script::rerun}, // until its scene begins
    Role{.repo = kStrict, .script = Script::pass}, // these two: until their scene begins
    Role{.repo = kMortal, .script = Script::pass},
    Role{.repo = kSlow, .script = Script::pass},
};

std::string sentence_for(Script script, const sim::ReportCount& count) {
    switch (script) {
    case Script::pass:
        return fmt::format("passes: {} reports in", count.accepted);
    case Script::fail:
        return fmt::format("fails: {} reports in", count.accepted);
    case Script::flaky:
        return fmt::format("passes on re-run: {} reports", count.accepted);
    case Script::slow:
        return fmt::format("slow: {} reports so far", count.accepted);
    case Script::silent:
        return "never reports";
    case Script::duplicate:
        return fmt::format("says all twice: {} dropped", count.duplicates);
    case Script::deaf:
        return fmt::format("ignores {} orders to stop", count.stopped);
    case Script::out_of_order:
        return fmt::format("end before start: {} late", count.stale);
    case Script::crash:
        return fmt::format("starts {}, ends none", count.accepted);
    case Script::forged:
        return fmt::format("forges: {} refused", count.refused);
    case Script::matrix:
        return fmt::format("20 legs: {} reports in", count.accepted);
    case Script::rerun:
        return fmt::format("re-runs later: {} reports", count.accepted);
    case Script::nightly:
        return fmt::format("{} nightlies by itself", count.accepted);
    }
    return {};
}

} // namespace

std::optional<Script> script_of(const RepoName& repo) {
    const auto* const role = std::ranges::find(kRoles, std::string_view(repo.text()), &Role::repo);
    return role == kRoles.end() ? std::nullopt : std::optional(role->script);
}

void cast_scripts(
    sim::SimWorld& world,
    const std::vector<domain::Downstream>& all,
    const std::string& callback_url
) {
    for (const auto& downstream : all) {
        if (const auto script = script_of(downstream.repo)) {
            world.downstreams.play(
                downstream.repo,
                {.script = *script,
                 .pace = kPace,
                 .workflow = "ci",
                 .callback_url = callback_url,
                 .audience = std::string(kAudience)}
            );
        }
    }
}

void change_script(sim::SimWorld& world, const RepoName& repo, Script script) {
    auto part = world.downstreams.parts().at(repo);
    part.script = script;
    world.downstreams.play(repo, std::move(part));
}

void report_nightly(sim::SimWorld& world, TimePoint now) {
    const auto* const upstream = world.model.repo(repo_named(kUpstream));
    const auto* const downstream = world.model.repo(repo_named(kNightly));
    const auto* const head = sim::GithubModel::branch(*upstream, {});
    world.downstreams.nightly(*downstream, {.upstream = upstream->name, .head = head->head}, now);
}

std::optional<Note> report_note(Script script, const sim::ReportCount& count) {
    if (count.sent == 0 && script != Script::silent) {
        return std::nullopt;
    }
    const bool odd = script == Script::forged || script == Script::silent ||
                     script == Script::crash || script == Script::deaf;
    return Note{.text = sentence_for(script, count), .tone = odd ? Tone::warning : Tone::plain};
}

} // namespace baton::app::demo
