// baton deliveries redeliver [ID] [--downstream REPO] [--state S]... [--all] [--yes] [--dry-run]
//
// Sends dispatches once more, each as a new generation: one delivery by its id or its number, or
// all that match. The store is changed directly; a running relay sees it within a second.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/ports/store.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "actor.hpp"
#include "command.hpp"
#include "deliveries.hpp"
#include "lookup.hpp"
#include "print.hpp"
#include "redelivery.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

struct RedeliverOptions {
    StoreChoice store;
    std::string id;
    std::string downstream;
    std::vector<std::string> states;
    bool all{false};
    bool yes{false};
    bool dry_run{false};
    bool json{false};
};

/// nullopt after saying what is wrong with the choice.
std::optional<Redelivery> redelivery_of(const RedeliverOptions& options) {
    const bool filtered = !options.downstream.empty() || !options.states.empty();
    if (options.id.empty() && !filtered && !options.all) {
        complain("say what to send again: a delivery ID, --downstream, --state, or --all");
        return std::nullopt;
    }
    if (!options.id.empty() && options.all) {
        complain("one delivery ID or --all, not both");
        return std::nullopt;
    }
    Redelivery wanted;
    wanted.delivery = DeliveryId(options.id);
    if (!options.downstream.empty()) {
        wanted.downstream = repo_or_complain("--downstream", options.downstream);
        if (!wanted.downstream) {
            return std::nullopt;
        }
    }
    for (const auto& state : options.states) {
        wanted.states.push_back(domain::dispatch_state_named(state).value()); // the parser checked
    }
    return wanted;
}

/// Many at once are asked about, unless --yes said so already.
bool agreed(const RedeliverOptions& options, std::size_t count) {
    if (!options.id.empty() || options.yes) {
        return true;
    }
    if (::isatty(STDIN_FILENO) == 0) {
        complain(fmt::format("this would send {} again: say --yes", counted(count, "dispatch")));
        return false;
    }
    fmt::print(stderr, "Send {} again? [y/N] ", counted(count, "dispatch"));
    std::string answer;
    std::getline(std::cin, answer);
    return answer == "y" || answer == "Y" || answer == "yes";
}

void print_matches(const std::vector<domain::Dispatch>& matches) {
    Table table({"DELIVERY", "DOWNSTREAM", "GENERATION", "STATE", "REASON"});
    for (const auto& dispatch : matches) {
        table.add(
            {dispatch.key.delivery.text(),
             dispatch.key.downstream.text(),
             std::to_string(dispatch.key.generation),
             std::string(name_of(dispatch.state)),
             dispatch.reason}
        );
    }
    fmt::print("{}", table.text());
}

void report(
    const RedeliverOptions& options, const std::vector<domain::Dispatch>& matches, std::size_t sent
) {
    if (options.json) {
        boost::json::array all;
        for (const auto& dispatch : matches) {
            all.emplace_back(to_json(dispatch));
        }
        print_json(boost::json::object{
            {"dry_run", options.dry_run},
            {"matched", matches.size()},
            {"redelivered", sent},
            {"dispatches", std::move(all)},
        });
    } else if (options.dry_run) {
        print_matches(matches);
        fmt::print("\n{} would be queued\n", counted(matches.size(), "dispatch"));
    } else {
        fmt::print(
            "{} queued to be sent again: a running relay takes {} within a second\n",
            counted(sent, "dispatch"),
            sent == 1 ? "it" : "them"
        );
    }
}

/// Of one delivery: where its dispatches are, and what would reach those.
std::string why_none_matches(const ports::DeliveryHistory& history, const Redelivery& wanted) {
    std::map<domain::DispatchState, std::size_t> states;
    for (const auto& dispatch : newest_of(history, wanted)) {
        ++states[dispatch.state];
    }
    std::string counts;
    std::string words;
    std::size_t all = 0;
    std::size_t at_rest = 0;
    for (const auto& [state, count] : states) {
        counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", count, name_of(state));
        all += count;
        if (domain::is_at_rest(state) && history.body_kept) {
            words += fmt::format("--state {} ", name_of(state));
            at_rest += count;
        }
    }
    auto sentence = fmt::format(
        "no dispatch matches: delivery {} has {}{}",
        inert(history.delivery.id.text()),
        all == 0 ? "none" : fmt::format("{} ({})", counted(all, "dispatch"), counts),
        wanted.downstream ? " to " + wanted.downstream->text() : ""
    );
    if (at_rest > 0) {
        sentence += fmt::format("; {}would send {} again", words, at_rest == 1 ? "it" : "them");
    }
    return sentence;
}

int redeliver(const RedeliverOptions& options) {
    auto wanted = redelivery_of(options);
    if (!wanted) {
        return Exit::unusable;
    }
    const auto store = open_store(options.store);
    if (!store) {
        return Exit::unusable;
    }
    std::optional<ports::DeliveryHistory> named;
    if (!options.id.empty()) {
        auto found = run(Lookup(*store).delivery(options.id));
        if (!found) {
            complain(inert(found.error().detail));
            return Exit::failure;
        }
        wanted->delivery = found->delivery.id;
        named = *std::move(found);
    }
    Redeliverer redeliverer(*store);
    const auto matches = run(redeliverer.matches(*wanted));
    if (!matches) {
        complain(inert(matches.error().detail));
        return Exit::failure;
    }
    if (matches->empty()) {
        if (options.json) {
            report(options, *matches, 0);
        }
        complain(named ? why_none_matches(*named, *wanted) : "no dispatch matches");
        return Exit::failure;
    }
    if (!options.dry_run && !agreed(options, matches->size())) {
        return Exit::unusable;
    }
    std::size_t sent = 0;
    if (!options.dry_run) {
        const auto done = run(redeliverer.redeliver(*wanted, *matches, actor(), present()));
        if (!done) {
            complain(inert(done.error().detail));
            return Exit::failure;
        }
        sent = *done;
    }
    report(options, *matches, sent);
    return Exit::ok;
}

} // namespace

void add_deliveries_redeliver(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<RedeliverOptions>();
    auto* command = group.add_subcommand("redeliver", "Send dispatches again, one or many");
    command
        ->add_option(
            "ID", options->id, "One delivery, by its X-GitHub-Delivery or its number in the list"
        )
        ->option_text(" ");
    add_store_options(*command, options->store);
    command->add_option("--downstream", options->downstream, "Only to this downstream")
        ->option_text("OWNER/REPO");
    command->add_option("--state", options->states, "Only in this state; may be repeated")
        ->check(CLI::IsMember(resting_state_names()))
        ->allow_extra_args(false)
        ->option_text("STATE");
    command->add_flag("--all", options->all, "Everything that failed or is dead");
    command->add_flag("--yes", options->yes, "Do not ask before sending many");
    command->add_flag("--dry-run", options->dry_run, "Show what would be sent and send nothing");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(Without --state, dispatches that failed or are dead are sent; any state but pending can be named, and
--state sent repeats what went well.
Only the newest generation of a delivery and downstream counts, and each one sent again is a new
generation, noted in the ledger with your name. Without an ID it asks first, or needs --yes.

Examples:
  baton deliveries redeliver --config baton.yml 72d3162e-cc78-11e3-81ab-4c9367dc0958
  baton deliveries redeliver --config baton.yml --downstream org/backend --state dead --dry-run
  baton deliveries redeliver --store baton.db --all --yes

Exit codes: 0 queued (or shown), 1 nothing matched, 2 the store cannot be opened, or not agreed.)"
    );
    command->callback([options, &exit_code] { exit_code = redeliver(*options); });
}

} // namespace baton::program
