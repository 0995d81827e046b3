// baton levels rule DISPATCH --workflow NAME [--job NAME] --fault theirs|not-theirs --reason TEXT
//
// A person's word about whose fault a red outcome is.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/ports/levels.hpp"

#include <boost/json/object.hpp>

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <fmt/core.h>

#include <cstdint>
#include <memory>
#include <string>

#include "actor.hpp"
#include "command.hpp"
#include "downstream.hpp"
#include "levels.hpp"
#include "print.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

namespace json = boost::json;

struct RuleOptions {
    StoreChoice store;
    std::int64_t dispatch{0};
    std::string workflow;
    std::string job;
    std::string fault;
    std::string reason;
    std::string actor;
    bool json{false};
};

int rule(const RuleOptions& options) {
    const auto open = open_ladder(options.store);
    if (!open) {
        return Exit::unusable;
    }
    const domain::LadderRuling ruling{
        .dispatch = DispatchId{options.dispatch},
        .workflow = options.workflow,
        .job = options.job,
        .excluded = options.fault == "not-theirs",
        .by = actor(options.actor),
        .reason = options.reason,
        .at = present(),
    };
    const auto ruled = run(open->levels->rule(ruling));
    if (!ruled) {
        complain(inert(ruled.error().detail));
        return Exit::failure;
    }
    if (options.json) {
        print_json(json::object{
            {"dispatch", options.dispatch},
            {"workflow", json_text(ruling.workflow)},
            {"job", json_text(ruling.job)},
            {"excluded", ruling.excluded},
            {"actor", json_text(ruling.by)},
            {"reason", json_text(ruling.reason)},
        });
        return Exit::ok;
    }
    fmt::print(
        "dispatch {}, {}/{}: {}, from the next evaluation on\n",
        options.dispatch,
        inert(ruling.workflow),
        inert(ruling.job),
        ruling.excluded ? "not held against the downstream" : "held against the downstream"
    );
    return Exit::ok;
}

} // namespace

void add_levels_rule(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<RuleOptions>();
    auto* command = group.add_subcommand("rule", "Say whose fault a red outcome is");
    add_store_options(*command, options->store);
    command
        ->add_option("DISPATCH", options->dispatch, "Its number, as events.csv and pages tell it")
        ->required()
        ->check(CLI::PositiveNumber);
    command->add_option("--workflow", options->workflow, "Of the job; empty: nobody started it")
        ->option_text("NAME");
    command->add_option("--job", options->job, "Empty: the workflow as a whole")
        ->option_text("NAME");
    command->add_option("--fault", options->fault, "theirs, or not-theirs: it does not count")
        ->required()
        ->check(CLI::IsMember({"theirs", "not-theirs"}))
        ->option_text("WHOSE");
    command->add_option("--reason", options->reason, "Why, for the ledger")
        ->required()
        ->check([](const std::string& text) {
            return text.empty() ? std::string("say why") : std::string();
        })
        ->option_text("TEXT");
    add_actor_option(*command, options->actor);
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(A ruling comes before every comparison (docs/design/ladder.md, overruled) and is written into the
ledger with who gave it and why. It holds from the next evaluation on; a later one replaces it.

Examples:
  baton levels rule 4711 --workflow ci --job test --fault not-theirs --reason "runner image of upstream"

Exit codes: 0 done, 1 there is no such dispatch, 2 unusable input.)"
    );
    command->callback([options, &exit_code] { exit_code = rule(*options); });
}

} // namespace baton::program
