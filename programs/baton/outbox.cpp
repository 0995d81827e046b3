// baton outbox list [--limit N] [--json]
// baton outbox retry [--sink NAME] [--json]
//
// Letters to sinks that were given up: what they were, why, and another try for them.

#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/store.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <fmt/core.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "actor.hpp"
#include "command.hpp"
#include "downstream.hpp"
#include "print.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

namespace json = boost::json;

struct ListOptions {
    StoreChoice store;
    std::size_t limit{50};
    bool json{false};
};

struct RetryOptions {
    StoreChoice store;
    std::string sink;
    std::string actor;
    bool json{false};
};

void print_text(const ports::ResultCounts& counts, const std::vector<ports::DeadLetter>& dead) {
    if (!dead.empty()) {
        Table table({"LETTER", "SINK", "RESULT (UTC)", "GIVEN UP (UTC)", "TRIES", "WHY"});
        for (const auto& letter : dead) {
            table.add(
                {std::to_string(letter.id),
                 letter.sink,
                 short_time(letter.created_at),
                 short_time(letter.died_at),
                 std::to_string(letter.attempts),
                 letter.detail}
            );
        }
        fmt::print("{}\n", table.text());
    }
    const auto oldest = counts.outbox_oldest
                            ? fmt::format(", the oldest of {}", short_time(*counts.outbox_oldest))
                            : std::string{};
    fmt::print(
        "{} waiting{}, {} given up\n",
        counted(counts.outbox_waiting, "letter"),
        oldest,
        counts.dead_letters
    );
}

json::object
json_of(const ports::ResultCounts& counts, const std::vector<ports::DeadLetter>& dead) {
    json::array letters;
    for (const auto& letter : dead) {
        letters.emplace_back(json::object{
            {"letter", letter.id},
            {"sink", json_text(letter.sink)},
            {"lane", json_text(letter.lane)},
            {"created_at", to_rfc3339(letter.created_at)},
            {"died_at", to_rfc3339(letter.died_at)},
            {"attempts", letter.attempts},
            {"detail", json_text(letter.detail)},
        });
    }
    return {
        {"waiting", counts.outbox_waiting},
        {"oldest_at",
         counts.outbox_oldest ? json::value(to_rfc3339(*counts.outbox_oldest))
                              : json::value(nullptr)},
        {"dead", counts.dead_letters},
        {"dead_letters", std::move(letters)},
    };
}

int list(const ListOptions& options) {
    const auto store = open_store(options.store);
    if (!store) {
        return Exit::unusable;
    }
    const auto counts = run(store->result_counts());
    const auto dead = run(store->dead_letters(options.limit));
    if (!counts || !dead) {
        complain(inert(counts ? dead.error().detail : counts.error().detail));
        return Exit::failure;
    }
    if (options.json) {
        print_json(json_of(*counts, *dead));
    } else {
        print_text(*counts, *dead);
    }
    return dead->empty() ? Exit::ok : Exit::failure;
}

int retry(const RetryOptions& options) {
    const auto store = open_store(options.store);
    if (!store) {
        return Exit::unusable;
    }
    const auto revived = run(store->revive_letters(options.sink, actor(options.actor), present()));
    if (!revived) {
        complain(inert(revived.error().detail));
        return Exit::failure;
    }
    if (options.json) {
        print_json(json::object{{"retried", *revived}});
    } else {
        fmt::print("{} on the way again\n", counted(*revived, "letter"));
    }
    return *revived > 0 ? Exit::ok : Exit::failure;
}

void add_list(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<ListOptions>();
    auto* command = group.add_subcommand("list", "What waits, and what was given up");
    add_store_options(*command, options->store);
    command->add_option("--limit", options->limit, "How many to show; default 50")
        ->check(CLI::Range(1, 1000))
        ->option_text("N");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(A letter is given up when its sink says that it will never take it (400, 413, 422), or when 72 hours
of tries are spent. Its result is kept all the same: only the sink does not have it.

Example:
  baton outbox list --config baton.yml

Exit codes: 0 nothing was given up, 1 something was, 2 the store cannot be opened.)"
    );
    command->callback([options, &exit_code] { exit_code = list(*options); });
}

void add_retry(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<RetryOptions>();
    auto* command = group.add_subcommand("retry", "Try again what was given up");
    add_store_options(*command, options->store);
    command->add_option("--sink", options->sink, "Only letters to this one; default: every sink")
        ->option_text("NAME");
    add_actor_option(*command, options->actor);
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(The running relay sends them, those of one job in their order, and gives up those older than 72 hours after
one try.

Example:
  baton outbox retry --config baton.yml --sink pytorch-hud

Exit codes: 0 some are on the way again, 1 there was none, 2 the store cannot be opened.)"
    );
    command->callback([options, &exit_code] { exit_code = retry(*options); });
}

} // namespace

void add_outbox(CLI::App& app, int& exit_code) {
    auto* group = app.add_subcommand("outbox", "Results that a sink did not take");
    group->require_subcommand(1);
    group->footer(
        "These open the store itself, beside a running relay or without one.\n`baton outbox "
        "COMMAND --help` says more."
    );
    add_list(*group, exit_code);
    add_retry(*group, exit_code);
}

} // namespace baton::program
