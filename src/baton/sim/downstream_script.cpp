#include "baton/sim/downstream_script.hpp"

#include "baton/base/time.hpp"
#include "baton/sim/seeded_chance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::sim {

namespace {

constexpr int kSlowness = 10;
constexpr std::size_t kLegs = 20;

struct NamedScript {
    Script script;
    std::string_view name;
};

constexpr std::array kScripts{
    NamedScript{.script = Script::pass, .name = "pass"},
    NamedScript{.script = Script::fail, .name = "fail"},
    NamedScript{.script = Script::flaky, .name = "flaky"},
    NamedScript{.script = Script::slow, .name = "slow"},
    NamedScript{.script = Script::silent, .name = "silent"},
    NamedScript{.script = Script::duplicate, .name = "duplicate"},
    NamedScript{.script = Script::deaf, .name = "deaf"},
    NamedScript{.script = Script::out_of_order, .name = "out_of_order"},
    NamedScript{.script = Script::crash, .name = "crash"},
    NamedScript{.script = Script::forged, .name = "forged"},
    NamedScript{.script = Script::matrix, .name = "matrix"},
    NamedScript{.script = Script::rerun, .name = "rerun"},
    NamedScript{.script = Script::nightly, .name = "nightly"},
};

/// Writes the steps down by their time; those of one moment in the order in which they are told.
class Prompter {
public:
    Prompter(const Pace& pace, std::uint64_t seed)
        : pace_(pace)
        , chance_(seed_for(seed, "script")) {}

    Millis queue() { return stretched(pace_.queue); }

    Millis work() { return stretched(pace_.work); }

    Millis later() { return stretched(pace_.later); }

    std::size_t below(std::size_t n) { return chance_.draw().below(n); }

    void starts(Millis after, ScriptStep who = {}) {
        who.after = after;
        who.conclusion.clear();
        write_down(std::move(who));
    }

    void ends(Millis after, std::string conclusion, ScriptStep who = {}) {
        who.after = after;
        who.conclusion = std::move(conclusion);
        write_down(std::move(who));
    }

    /// From start to end; the time of the end.
    Millis lives(Millis from, const std::string& conclusion, const ScriptStep& who = {}) {
        const auto end = from + work();
        starts(from, who);
        ends(end, conclusion, who);
        return end;
    }

    std::vector<ScriptStep> in_order() && { return std::move(steps_); }

private:
    void write_down(ScriptStep step) {
        const auto place = std::ranges::upper_bound(steps_, step.after, {}, &ScriptStep::after);
        steps_.insert(place, std::move(step));
    }

    Millis stretched(Millis time) {
        return time + Millis(static_cast<Millis::rep>(
                          static_cast<double>(time.count()) * chance_.draw().unit() / 2
                      ));
    }

    Pace pace_;
    SeededChance chance_;
    std::vector<ScriptStep> steps_;
};

void tell_flaky(Prompter& prompter) {
    const auto failed = prompter.lives(prompter.queue(), "failure");
    prompter.lives(failed + prompter.queue(), "success", {.attempt = 2});
}

void tell_slow(Prompter& prompter) {
    const auto start = prompter.queue();
    prompter.starts(start);
    prompter.ends(start + kSlowness * prompter.work(), "success");
}

void tell_duplicate(Prompter& prompter) {
    const auto start = prompter.queue();
    const auto end = prompter.lives(start, "success");
    prompter.starts(start);
    prompter.ends(end, "success");
    prompter.lives(start + prompter.queue(), "success", {.run = 1});
}

void tell_deaf(Prompter& prompter) {
    const auto start = prompter.queue();
    prompter.lives(start, "success");
    prompter.lives(start + prompter.queue(), "failure", {.run = 1, .obeys = false});
}

void tell_out_of_order(Prompter& prompter) {
    const auto end = prompter.queue() + prompter.work();
    prompter.ends(end, "success");
    prompter.starts(end + Millis{1});
}

void tell_forged(Prompter& prompter) {
    const auto start = prompter.queue();
    const auto end = prompter.lives(start, "success");
    for (const auto forgery : forgeries()) {
        const ScriptStep who{
            .job = fmt::format("forged-{}", name_of(forgery)), .forgery = forgery, .obeys = false
        };
        prompter.ends(start + prompter.work(), "success", who);
    }
    // And once more under the name of the honest job, when its verdict is in.
    const auto forgery = forgeries()[prompter.below(forgeries().size())];
    prompter.ends(end + prompter.queue(), "failure", {.forgery = forgery, .obeys = false});
}

void tell_matrix(Prompter& prompter) {
    const auto bad_leg = prompter.below(kLegs);
    for (std::size_t leg = 0; leg < kLegs; ++leg) {
        const ScriptStep who{.job = fmt::format("test ({}, {})", leg + 1, kLegs)};
        prompter.lives(prompter.queue(), leg == bad_leg ? "failure" : "success", who);
    }
}

void tell_rerun(Prompter& prompter) {
    const auto end = prompter.lives(prompter.queue(), "success");
    prompter.lives(end + prompter.later(), "success", {.attempt = 2});
}

void tell(Script script, Prompter& prompter) {
    switch (script) {
    case Script::pass:
        prompter.lives(prompter.queue(), "success");
        return;
    case Script::fail:
        prompter.lives(prompter.queue(), "failure");
        return;
    case Script::flaky:
        return tell_flaky(prompter);
    case Script::slow:
        return tell_slow(prompter);
    case Script::silent:
        return;
    case Script::duplicate:
        return tell_duplicate(prompter);
    case Script::deaf:
        return tell_deaf(prompter);
    case Script::out_of_order:
        return tell_out_of_order(prompter);
    case Script::crash:
        return prompter.starts(prompter.queue());
    case Script::forged:
        return tell_forged(prompter);
    case Script::matrix:
        return tell_matrix(prompter);
    case Script::rerun:
        return tell_rerun(prompter);
    case Script::nightly:
        return prompter.ends(prompter.work(), "success");
    }
}

} // namespace

std::string_view name_of(Script script) {
    const auto* const found = std::ranges::find(kScripts, script, &NamedScript::script);
    return found == kScripts.end() ? "unknown" : found->name;
}

std::optional<Script> script_named(std::string_view name) {
    const auto* const found = std::ranges::find(kScripts, name, &NamedScript::name);
    return found == kScripts.end() ? std::nullopt : std::optional(found->script);
}

std::vector<std::string_view> script_names() {
    std::vector<std::string_view> out;
    for (const auto& each : kScripts) {
        out.push_back(each.name);
    }
    return out;
}

std::string_view name_of(Forgery forgery) {
    switch (forgery) {
    case Forgery::none:
        return "none";
    case Forgery::wrong_audience:
        return "wrong_audience";
    case Forgery::other_repo:
        return "other_repo";
    case Forgery::other_run:
        return "other_run";
    case Forgery::other_delivery:
        return "other_delivery";
    case Forgery::other_pull:
        return "other_pull";
    case Forgery::other_dispatch:
        return "other_dispatch";
    case Forgery::no_callback_token:
        return "no_callback_token";
    }
    return "none";
}

std::vector<Forgery> forgeries() {
    return {
        Forgery::wrong_audience,
        Forgery::other_repo,
        Forgery::other_run,
        Forgery::other_delivery,
        Forgery::other_pull,
        Forgery::other_dispatch,
        Forgery::no_callback_token,
    };
}

std::vector<ScriptStep>
steps_of(Script script, const Cue& cue, const Pace& pace, std::uint64_t seed) {
    const bool by_itself = cue.event_type == "nightly" || cue.event_type == "periodic";
    if (cue.action == "closed" || (script == Script::nightly && !by_itself)) {
        return {};
    }
    Prompter prompter(pace, seed);
    tell(script, prompter);
    return std::move(prompter).in_order();
}

} // namespace baton::sim
