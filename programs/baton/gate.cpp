// baton gate list [--json]
// baton gate suspend OWNER/REPO --upstream OWNER/REPO --reason TEXT
// baton gate resume OWNER/REPO --upstream OWNER/REPO
//
// Whose part of the gate does not count for now: by the circuit breaker, or by hand.

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actor.hpp"
#include "command.hpp"
#include "downstream.hpp"
#include "lookup.hpp"
#include "pairing.hpp"
#include "print.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

namespace asio = boost::asio;
namespace json = boost::json;

struct ListOptions {
    StoreChoice store;
    bool json{false};
};

struct SuspendOptions : PairingOptions {
    std::string reason;
};

void print_text(const std::vector<domain::GateSuspension>& all) {
    if (all.empty()) {
        fmt::print("every level 4 downstream counts in its gate\n");
        return;
    }
    Table table({"DOWNSTREAM", "UPSTREAM", "SINCE (UTC)", "BY", "WHY"});
    for (const auto& one : all) {
        table.add(
            {one.downstream.text(),
             one.upstream.text(),
             short_time(one.since),
             one.by_hand ? one.actor : "circuit breaker",
             one.reason}
        );
    }
    fmt::print("{}", table.text());
}

json::array json_of(const std::vector<domain::GateSuspension>& all) {
    json::array suspensions;
    for (const auto& one : all) {
        suspensions.emplace_back(json::object{
            {"downstream", one.downstream.text()},
            {"upstream", one.upstream.text()},
            {"since", to_rfc3339(one.since)},
            {"by_hand", one.by_hand},
            {"actor", json_text(one.actor)},
            {"reason", json_text(one.reason)},
            {"evidence", json_text(one.evidence)},
        });
    }
    return suspensions;
}

int list(const ListOptions& options) {
    const auto store = open_store(options.store);
    if (!store) {
        return Exit::unusable;
    }
    const auto all = run(store->gate_suspensions());
    if (!all) {
        complain(inert(all.error().detail));
        return Exit::failure;
    }
    if (options.json) {
        print_json(json::object{{"suspensions", json_of(*all)}});
    } else {
        print_text(*all);
    }
    return Exit::ok;
}

/// `not_found` for a pairing that no list in force has.
asio::awaitable<Result<bool>>
suspend_listed(ports::Store* store, domain::GateSuspension suspension) {
    Lookup lookup(*store);
    BATON_CO_TRY(const auto listed, co_await lookup.listed());
    const bool known = std::ranges::any_of(listed, [&](const Listed& one) {
        return one.entry.repo == suspension.downstream && one.upstream == suspension.upstream;
    });
    if (!known) {
        co_return fail(Errc::not_found, not_listed(suspension.downstream, listed));
    }
    co_return co_await store->suspend_gate(std::move(suspension));
}

int suspend(const SuspendOptions& options) {
    const auto open = open_pairing(options);
    if (!open) {
        return Exit::unusable;
    }
    domain::GateSuspension suspension{
        .upstream = open->pairing.upstream,
        .downstream = open->pairing.downstream,
        .since = present(),
        .reason = options.reason,
        .evidence = {},
        .by_hand = true,
        .actor = actor(options.actor),
    };
    const auto suspended = run(suspend_listed(open->store.get(), suspension));
    if (!suspended) {
        complain(inert(suspended.error().detail));
        return Exit::failure;
    }
    if (options.json) {
        print_json(json::object{{"suspensions", json_of({suspension})}});
    } else {
        fmt::print(
            "{} is dispatched to as ever, and its part of the gate of {} is neutral until somebody "
            "resumes it\n",
            suspension.downstream.text(),
            suspension.upstream.text()
        );
    }
    return Exit::ok;
}

int resume(const PairingOptions& options) {
    const auto open = open_pairing(options);
    if (!open) {
        return Exit::unusable;
    }
    const auto& pairing = open->pairing;
    ports::GateResumption resumption{
        .upstream = pairing.upstream,
        .downstream = pairing.downstream,
        .reason = "by hand",
        .by_hand = true,
        .actor = actor(options.actor),
        .now = present(),
    };
    const auto resumed = run(open->store->resume_gate(std::move(resumption)));
    if (!resumed) {
        complain(inert(resumed.error().detail));
        return Exit::failure;
    }
    if (options.json) {
        print_json(json::object{{"resumed", *resumed}});
    } else if (*resumed) {
        fmt::print("{} counts in the gate again\n", pairing.downstream.text());
    } else {
        complain(fmt::format(
            "{} is not suspended from the gate of {}",
            pairing.downstream.text(),
            pairing.upstream.text()
        ));
    }
    return *resumed ? Exit::ok : Exit::failure;
}

void add_common(CLI::App& command, PairingOptions& options) {
    options.needs_upstream = true;
    add_pairing_options(command, options, "Whose gate")
        ->required()
        ->option_text("OWNER/REPO REQUIRED");
}

void add_list(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<ListOptions>();
    auto* command = group.add_subcommand("list", "Whose part does not count now, and why");
    add_store_options(*command, options->store);
    command->add_flag("--json", options->json, "Print one JSON object, with the evidence");
    command->footer(R"(Example:
  baton gate list --config baton.yml

Exit codes: 0 printed, 2 the store cannot be opened.)");
    command->callback([options, &exit_code] { exit_code = list(*options); });
}

void add_suspend(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<SuspendOptions>();
    auto* command = group.add_subcommand("suspend", "Let a downstream hold up no merge for now");
    add_common(*command, *options);
    command->add_option("--reason", options->reason, "Why; shown on every pull request it concerns")
        ->required()
        ->option_text("TEXT REQUIRED");
    command->footer(
        R"(It is dispatched to as ever and its results are shown; only its part of the gate is neutral, on open
pull requests too. `baton downstream suspend` is for sending nothing at all.

Example:
  baton gate suspend --config baton.yml org/backend --upstream up/stream --reason "lab move"

Exit codes: 0 suspended, 1 it is not listed there, 2 unusable input.)"
    );
    command->callback([options, &exit_code] { exit_code = suspend(*options); });
}

void add_resume(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<PairingOptions>();
    auto* command = group.add_subcommand("resume", "Let it count again");
    add_common(*command, *options);
    command->footer(
        R"(Also ends a suspension by the circuit breaker, which suspends again when it finds reason to.

Example:
  baton gate resume --config baton.yml org/backend --upstream up/stream

Exit codes: 0 it counts again, 1 it was not suspended, 2 unusable input.)"
    );
    command->callback([options, &exit_code] { exit_code = resume(*options); });
}

} // namespace

void add_gate(CLI::App& app, int& exit_code) {
    auto* group = app.add_subcommand("gate", "Who holds up merges, and who does not for now");
    group->require_subcommand(1);
    group->footer(
        "These open the store itself, beside a running relay or without one.\n`baton gate "
        "COMMAND --help` says more."
    );
    add_list(*group, exit_code);
    add_suspend(*group, exit_code);
    add_resume(*group, exit_code);
}

} // namespace baton::program
