// baton levels explain OWNER/REPO [--upstream OWNER/REPO] [--json]
//
// Every criterion of one downstream as of its last evaluation: what is asked, what was measured,
// what would change it; and its last moves.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/level.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/store.hpp"
#include "baton/wire/ladder_json.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "downstream.hpp"
#include "levels.hpp"
#include "levels_print.hpp"
#include "print.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

namespace asio = boost::asio;
namespace json = boost::json;

constexpr std::size_t kMovesShown = 10;

struct ExplainOptions {
    StoreChoice store;
    std::string downstream;
    std::string upstream;
    bool json{false};
};

struct Story {
    ports::KeptEvaluation kept;
    domain::LadderVerdict verdict;
    std::vector<ports::KeptTransition> moves; // newest first
};

asio::awaitable<Result<Story>> look(
    ports::Store* store,
    ports::Levels* levels,
    RepoName downstream,
    std::optional<RepoName> upstream
) {
    BATON_CO_TRY(const auto candidate, co_await find_candidate(store, downstream, upstream));
    const auto of = candidate.list.upstream;
    BATON_CO_TRY(auto newest, co_await levels->evaluations(of, downstream, 1));
    if (newest.empty()) {
        co_return fail(
            Errc::not_found,
            fmt::format(
                "{} was not judged yet: a relay does so every midnight (UTC), `baton levels "
                "evaluate` shows what it would say",
                downstream.text()
            )
        );
    }
    Story story{.kept = std::move(newest.front()), .verdict = {}, .moves = {}};
    BATON_CO_TRY(story.verdict, wire::read_verdict(story.kept.verdict));
    ports::TransitionQuery query{.upstream = of, .downstream = downstream, .limit = kMovesShown};
    BATON_CO_TRY(story.moves, co_await levels->transitions(std::move(query)));
    co_return story;
}

void print_text(const Story& story) {
    const auto& verdict = story.verdict;
    const auto& standing = verdict.standing;
    fmt::print(
        "{} at {}: {}, {} since {}, as of {} by {}\n",
        story.kept.downstream.text(),
        story.kept.upstream.text(),
        level_text(standing),
        name_of(standing.state),
        date_text(standing.since),
        date_text(verdict.as_of),
        inert(story.kept.profile)
    );
    if (standing.proposal) {
        fmt::print(
            "proposed since {}: {} to {}: {}\n",
            date_text(standing.proposal->since),
            name_of(standing.proposal->from),
            name_of(standing.proposal->to),
            inert(standing.proposal->reason)
        );
    }
    if (verdict.insufficient) {
        fmt::print("too little is known to judge whether its runs pass\n");
    }
    if (!verdict.demotion.empty()) {
        fmt::print("\nTo stay:\n{}", criteria_table(verdict.demotion));
    }
    if (!verdict.next.empty()) {
        fmt::print("\nFor the next level:\n{}", criteria_table(verdict.next));
    }
    if (verdict.earliest) {
        fmt::print("\nearliest {}: {}\n", date_text(*verdict.earliest), inert(verdict.forecast));
    } else if (!verdict.forecast.empty()) {
        fmt::print("\n{}\n", inert(verdict.forecast));
    }
    if (!story.moves.empty()) {
        Table table({"AS OF", "MOVE", "FROM", "TO", "BY", "WHY"});
        for (const auto& one : story.moves) {
            table.add(
                {date_text(one.as_of),
                 std::string(name_of(one.transition.move)),
                 std::string(name_of(one.transition.from)),
                 std::string(name_of(one.transition.to)),
                 one.actor,
                 one.transition.reason}
            );
        }
        fmt::print("\n{}", table.text());
    }
}

json::object json_of_story(const Story& story) {
    json::array moves;
    for (const auto& one : story.moves) {
        moves.emplace_back(json_of(one));
    }
    return {
        {"upstream", story.kept.upstream.text()},
        {"downstream", story.kept.downstream.text()},
        {"profile", json_text(story.kept.profile)},
        {"revision", story.kept.revision},
        {"digest", story.kept.digest},
        {"verdict", json::parse(story.kept.verdict)},
        {"transitions", std::move(moves)},
    };
}

int explain(const ExplainOptions& options) {
    const auto downstream = repo_or_complain("DOWNSTREAM", options.downstream);
    std::optional<RepoName> upstream;
    if (!options.upstream.empty()) {
        upstream = repo_or_complain("--upstream", options.upstream);
    }
    if (!downstream || (!options.upstream.empty() && !upstream)) {
        return Exit::unusable;
    }
    const auto open = open_ladder(options.store);
    if (!open) {
        return Exit::unusable;
    }
    const auto story = run(look(open->store.get(), open->levels, *downstream, upstream));
    if (!story) {
        complain(inert(story.error().detail));
        return Exit::failure;
    }
    if (options.json) {
        print_json(json_of_story(*story));
    } else {
        print_text(*story);
    }
    return Exit::ok;
}

} // namespace

void add_levels_explain(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<ExplainOptions>();
    auto* command =
        group.add_subcommand("explain", "Every criterion of one downstream, and its last moves");
    add_downstream_name(*command, options->downstream);
    add_store_options(*command, options->store);
    command->add_option("--upstream", options->upstream, "Whose list, where several name it")
        ->option_text("OWNER/REPO");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(What is asked, what was measured with its sample and its 95 % bounds, whether it is met, and what
would change it, as of the last evaluation.

Example:
  baton levels explain --config baton.yml org/backend

Exit codes: 0 printed, 1 it is not listed or was not judged yet, 2 unusable input.)"
    );
    command->callback([options, &exit_code] { exit_code = explain(*options); });
}

} // namespace baton::program
