// baton levels evaluate [--upstream OWNER/REPO] [--as-of DATE] [--profile NAME|FILE] [--write]
//
// Judges everybody as of a midnight, as the relay does, and prints what would move. Nothing is
// written without --write.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/level.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/ladder_round.hpp"
#include "baton/wire/allowlist.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "actor.hpp"
#include "command.hpp"
#include "downstream.hpp"
#include "levels.hpp"
#include "levels_list.hpp"
#include "levels_print.hpp"
#include "levels_rules.hpp"
#include "print.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

namespace asio = boost::asio;
namespace json = boost::json;

struct EvaluateOptions {
    StoreChoice store;
    std::string upstream;
    std::string as_of;
    RulesChoice rules;
    std::string actor;
    bool write{false};
    bool json{false};
};

struct Wish {
    std::optional<RepoName> upstream;
    LadderRules rules;
    TimePoint as_of{};
    TimePoint now{};
    std::string actor;
    bool write{false};
};

/// A midnight that was judged already would be counted twice.
Result<void> check_new(const std::vector<ports::KeptLadder>& ladders, TimePoint as_of) {
    for (const auto& ladder : ladders) {
        if (ladder.standing && ladder.standing->as_of && *ladder.standing->as_of >= as_of) {
            return fail(
                Errc::conflict,
                fmt::format(
                    "{} was judged as of {} already: only a later midnight can be written",
                    ladder.downstream.text(),
                    date_text(*ladder.standing->as_of)
                )
            );
        }
    }
    return {};
}

asio::awaitable<Result<relay::LadderResult>>
judge(ports::Store* store, ports::Levels* levels, Wish wish) {
    BATON_CO_TRY(const auto list, co_await list_in_force(store, wish.upstream));
    const auto upstream = list.upstream;
    const auto day = wish.rules.day;
    const auto& probes = wish.rules.probes;
    ports::EvidenceQuery query{
        .upstream = upstream,
        .window = relay::evidence_window(wish.as_of, day),
        .day_length = day,
    };
    BATON_CO_TRY(auto evidence, co_await levels->evidence(std::move(query)));
    const auto window = relay::history_window(wish.rules.profile, wish.as_of, day);
    BATON_CO_TRY(auto ladders, co_await levels->ladders(upstream, window));
    for (const auto& ladder : ladders) {
        if (ladder.standing && ladder.standing->as_of) {
            BATON_CO_CHECK(check_day(day, *ladder.standing->as_of));
        }
    }
    if (wish.write) {
        BATON_CO_CHECK(check_new(ladders, wish.as_of));
    }
    const ports::ViewWindow yesterday{.from = wish.as_of - day, .until = wish.as_of};
    BATON_CO_TRY(const auto sending, co_await levels->sending(upstream, yesterday));
    auto result = relay::judge_round({
        .upstream = upstream,
        .probe = probes.contains(upstream) ? probes.at(upstream) : RepoName(),
        .allowlist = list.allowlist,
        .profile = wish.rules.profile,
        .day_length = day,
        .as_of = wish.as_of,
        .now = wish.now,
        .evidence = std::move(evidence),
        .ladders = std::move(ladders),
        .sending = sending,
        .actor = wish.actor,
    });
    if (wish.write) {
        BATON_CO_CHECK(co_await levels->commit(result.commit));
    }
    co_return result;
}

void print_text(const relay::LadderResult& result, bool written) {
    const auto& commit = result.commit;
    if (!result.frozen.empty()) {
        fmt::print("nobody moves: {}\n", inert(result.frozen));
    }
    Table table({"DOWNSTREAM", "LEVEL", "STATE", "MOVE", "WHY"});
    for (const auto& one : commit.outcomes) {
        std::string moves;
        std::string why;
        for (const auto& moved : one.transitions) {
            moves += (moves.empty() ? "" : ", ") + std::string(name_of(moved.transition.move));
            why += (why.empty() ? "" : "; ") + moved.transition.reason;
        }
        table.add(
            {one.downstream.text(),
             level_text(one.standing),
             std::string(name_of(one.standing.state)),
             moves.empty() ? "-" : moves,
             why.empty() ? "-" : why}
        );
    }
    fmt::print(
        "{}{} as of {}{}\n",
        table.text(),
        commit.upstream.text(),
        date_text(commit.as_of),
        written ? ": written" : ": nothing was written"
    );
}

json::object json_of_result(const relay::LadderResult& result, bool written) {
    json::array all;
    for (const auto& one : result.commit.outcomes) {
        json::array moves;
        for (const auto& moved : one.transitions) {
            moves.emplace_back(transition_json(moved.transition));
        }
        auto out = json_of(one.standing);
        out["downstream"] = one.downstream.text();
        out["transitions"] = std::move(moves);
        all.emplace_back(std::move(out));
    }
    return {
        {"upstream", result.commit.upstream.text()},
        {"as_of", to_rfc3339(result.commit.as_of)},
        {"frozen", json_text(result.frozen)},
        {"judged", result.judged},
        {"violated", result.violated},
        {"written", written},
        {"levels", std::move(all)},
    };
}

int evaluate(const EvaluateOptions& options) {
    auto rules = rules_or_complain(options.rules, options.store);
    if (!rules) {
        return Exit::unusable;
    }
    Wish wish{
        .rules = *std::move(rules),
        .now = present(),
        .actor = actor(options.actor),
        .write = options.write,
    };
    wish.as_of = domain::day_of(wish.now, wish.rules.day);
    if (!options.upstream.empty()) {
        wish.upstream = repo_or_complain("--upstream", options.upstream);
        if (!wish.upstream) {
            return Exit::unusable;
        }
    }
    if (!options.as_of.empty()) {
        const auto day = day_or_complain(options.as_of);
        if (!day) {
            return Exit::unusable;
        }
        if (*day != domain::day_of(*day, wish.rules.day) || *day > wish.as_of) {
            complain("--as-of: is no midnight (UTC) that has been");
            return Exit::unusable;
        }
        wish.as_of = *day;
    }
    const auto open = open_ladder(options.store);
    if (!open) {
        return Exit::unusable;
    }
    const auto result = run(judge(open->store.get(), open->levels, std::move(wish)));
    if (!result) {
        complain(inert(result.error().detail));
        return result.error().code == Errc::invalid ? Exit::unusable : Exit::failure;
    }
    if (options.json) {
        print_json(json_of_result(*result, options.write));
    } else {
        print_text(*result, options.write);
    }
    return Exit::ok;
}

} // namespace

void add_levels_evaluate(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<EvaluateOptions>();
    auto* command = group.add_subcommand("evaluate", "Judge everybody now, and say who would move");
    add_store_options(*command, options->store);
    command->add_option("--upstream", options->upstream, "Whose list, where there are several")
        ->option_text("OWNER/REPO");
    command->add_option("--as-of", options->as_of, "A midnight (UTC); default: the last one")
        ->option_text("DATE");
    add_profile_option(*command, options->rules.profile);
    add_day_option(*command, options->rules.day);
    add_actor_option(*command, options->actor);
    command->add_flag("--write", options->write, "Keep the verdicts, as the relay would");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(Everything the relay looks at every midnight is looked at now. Without --write nothing changes. With
it, verdicts, moves and notices are kept in one transaction; a running relay follows at its next
evaluation or start. A midnight that was judged already cannot be written again.

Examples:
  baton levels evaluate --config baton.yml
  baton levels evaluate --config baton.yml --as-of 2026-11-16 --profile crcr-l3/2026.09

Exit codes: 0 judged, 1 it was judged already or no list is in force, 2 unusable input.)"
    );
    command->callback([options, &exit_code] { exit_code = evaluate(*options); });
}

} // namespace baton::program
