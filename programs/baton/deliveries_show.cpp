// baton deliveries show ID
//
// The whole history of one delivery: what it was, every dispatch with its attempts, and what the
// ledger says about it.

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/level.hpp"
#include "baton/ports/store.hpp"

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <cstdint>
#include <memory>
#include <string>

#include "command.hpp"
#include "deliveries.hpp"
#include "job_text.hpp"
#include "ledger_detail.hpp"
#include "lookup.hpp"
#include "print.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

struct ShowOptions {
    StoreChoice store;
    std::string id;
    bool json{false};
};

void print_delivery(const ports::Delivery& delivery) {
    fmt::print("delivery    {}\n", inert(delivery.id.text()));
    fmt::print(
        "event       {}{}{}\n",
        inert(delivery.event),
        delivery.action.empty() ? "" : " ",
        inert(delivery.action)
    );
    fmt::print("repository  {}\n", inert(place_of(delivery)));
    fmt::print("head        {}\n", inert(delivery.head.text()));
    fmt::print("received    {}\n", to_rfc3339(delivery.received_at));
    fmt::print(
        "state       {}, {} bytes, number {}\n",
        delivery.state == ports::DeliveryState::planned ? "planned" : "to plan",
        delivery.body_bytes,
        delivery.sequence
    );
}

void print_dispatch(const ports::DispatchHistory& history) {
    const auto& dispatch = history.dispatch;
    fmt::print(
        "\n{} ({}{}{}), dispatch {}{}: {}\n",
        dispatch.key.downstream.text(),
        name_of(dispatch.level),
        dispatch.device.empty() ? "" : " ",
        inert(dispatch.device),
        static_cast<std::int64_t>(dispatch.id),
        dispatch.key.generation > 0 ? fmt::format(", generation {}", dispatch.key.generation) : "",
        name_of(dispatch.state)
    );
    if (!dispatch.reason.empty()) {
        fmt::print("  reason   {}\n", inert(dispatch.reason));
    }
    if (dispatch.state == domain::DispatchState::pending) {
        fmt::print("  due      {}\n", to_rfc3339(dispatch.due_at));
    }
    for (const auto& attempt : history.attempts) {
        fmt::print(
            "  attempt {}  {}  {}{}{}{}\n",
            attempt.number,
            to_rfc3339(attempt.started_at),
            outcome_of(attempt),
            attempt.status == 0 ? "" : fmt::format(" {}", attempt.status),
            attempt.detail.empty() ? "" : ": ",
            inert(attempt.detail)
        );
    }
    for (const auto& job : history.jobs) {
        fmt::print("  job      {}: {}\n", name_of_job(job), words_about(job));
    }
}

void print_text(const ports::DeliveryHistory& history) {
    print_delivery(history.delivery);
    for (const auto& dispatch : history.dispatches) {
        print_dispatch(dispatch);
    }
    if (!history.ledger.empty()) {
        fmt::print("\nledger\n");
    }
    for (const auto& line : history.ledger) {
        for (const auto& words : sentences_of(line)) {
            fmt::print("  {}  {}\n", to_rfc3339(line.at), words);
        }
    }
}

int show(const ShowOptions& options) {
    const auto store = open_store(options.store);
    if (!store) {
        return Exit::unusable;
    }
    const auto history = run(Lookup(*store).delivery(options.id));
    if (!history) {
        complain(inert(history.error().detail));
        return Exit::failure;
    }
    if (options.json) {
        print_json(to_json(*history));
    } else {
        print_text(*history);
    }
    return Exit::ok;
}

} // namespace

void add_deliveries_show(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<ShowOptions>();
    auto* command = group.add_subcommand("show", "The whole history of one delivery");
    command->add_option("ID", options->id, "Its X-GitHub-Delivery, or its number in the list")
        ->required()
        ->option_text(" ");
    add_store_options(*command, options->store);
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(Every dispatch with its state and reason, each attempt with what GitHub said, each job that reported back, and the ledger: who got nothing and why, and who asked for what. An attempt "never written down" began, and the relay stopped
before it noted the answer: perhaps it arrived.

Example:
  baton deliveries show --config baton.yml 72d3162e-cc78-11e3-81ab-4c9367dc0958

Exit codes: 0 shown, 1 there is no such delivery, 2 the store cannot be opened.)"
    );
    command->callback([options, &exit_code] { exit_code = show(*options); });
}

} // namespace baton::program
