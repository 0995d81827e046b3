// baton deliveries list [--event E] [--pr N] [--state S] [--limit N] [--before SEQ]
//
// A table of what arrived, newest first, with what became of it: one page at a time.

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "deliveries.hpp"
#include "print.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

namespace asio = boost::asio;

constexpr std::size_t kLimitByDefault = 20;

struct ListOptions {
    StoreChoice store;
    std::size_t limit{kLimitByDefault};
    std::string event;
    std::optional<std::int64_t> pr;
    std::string state;
    std::optional<std::int64_t> before;
    bool json{false};
};

struct Line {
    ports::Delivery delivery;
    std::map<domain::DispatchState, std::size_t> dispatches;
};

ports::DeliveryPageQuery query_of(const ListOptions& options) {
    ports::DeliveryPageQuery query;
    query.before = options.before;
    query.limit = options.limit;
    query.event = options.event;
    if (options.pr) {
        query.pr = PrNumber{*options.pr};
    }
    query.with_state = domain::dispatch_state_named(options.state);
    return query;
}

class Listing {
public:
    explicit Listing(ports::Store& store)
        : store_(store) {}

    asio::awaitable<Result<std::vector<Line>>> page(ports::DeliveryPageQuery query) {
        BATON_CO_TRY(auto deliveries, co_await store_.list_deliveries(std::move(query)));
        std::vector<Line> lines;
        for (auto& delivery : deliveries) {
            auto id = delivery.id;
            BATON_CO_TRY(const auto history, co_await store_.delivery_history(std::move(id)));
            Line line{.delivery = std::move(delivery), .dispatches = {}};
            for (const auto& one : history.dispatches) {
                ++line.dispatches[one.dispatch.state];
            }
            lines.push_back(std::move(line));
        }
        co_return lines;
    }

private:
    ports::Store& store_;
};

std::string fate_of(const Line& line) {
    if (line.delivery.state == ports::DeliveryState::to_plan) {
        return "to plan";
    }
    std::string out;
    for (const auto& [state, count] : line.dispatches) {
        out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, name_of(state));
    }
    return out.empty() ? "none" : out;
}

void print_text(const std::vector<Line>& lines, const ListOptions& options) {
    Table table({"SEQ", "RECEIVED (UTC)", "EVENT", "ACTION", "REPOSITORY", "DELIVERY", "DISPATCHES"}
    );
    for (const auto& line : lines) {
        const auto& delivery = line.delivery;
        table.add(
            {std::to_string(delivery.sequence),
             short_time(delivery.received_at),
             delivery.event,
             delivery.action.empty() ? "-" : delivery.action,
             place_of(delivery),
             delivery.id.text(),
             fate_of(line)}
        );
    }
    fmt::print("{}", table.text());
    if (lines.size() == options.limit) {
        fmt::print("\nolder ones: --before {}\n", lines.back().delivery.sequence);
    }
}

void print_as_json(const std::vector<Line>& lines, const ListOptions& options) {
    boost::json::array all;
    for (const auto& line : lines) {
        auto one = to_json(line.delivery);
        boost::json::object states;
        for (const auto& [state, count] : line.dispatches) {
            states[name_of(state)] = count;
        }
        one["dispatches"] = std::move(states);
        all.emplace_back(std::move(one));
    }
    boost::json::object page{{"deliveries", std::move(all)}, {"before", nullptr}};
    if (!lines.empty() && lines.size() == options.limit) {
        page["before"] = lines.back().delivery.sequence;
    }
    print_json(page);
}

int list(const ListOptions& options) {
    const auto store = open_store(options.store);
    if (!store) {
        return Exit::unusable;
    }
    Listing listing(*store);
    const auto lines = run(listing.page(query_of(options)));
    if (!lines) {
        complain(inert(lines.error().detail));
        return Exit::failure;
    }
    if (options.json) {
        print_as_json(*lines, options);
    } else if (!lines->empty()) {
        print_text(*lines, options);
    }
    if (lines->empty()) {
        complain("no delivery matches");
        return Exit::failure;
    }
    return Exit::ok;
}

} // namespace

void add_deliveries_list(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<ListOptions>();
    auto* command = group.add_subcommand("list", "A table of what arrived, newest first");
    add_store_options(*command, options->store);
    command->add_option("--limit", options->limit, "Rows of a page, 1 to 1000; default 20")
        ->check(CLI::Range(std::size_t{1}, limits::kPageRowsMax))
        ->option_text("N");
    command->add_option("--event", options->event, "Only this event, such as push")
        ->option_text("EVENT");
    command->add_option("--pr", options->pr, "Only about this pull request")->option_text("N");
    command
        ->add_option("--state", options->state, "Only with a dispatch in this state, such as dead")
        ->check(CLI::IsMember(state_names()))
        ->option_text("STATE");
    command->add_option("--before", options->before, "The page after the row with this SEQ")
        ->option_text("SEQ");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(States: pending, sent, started, finished, superseded, cancelled, failed, dead; docs/design/dispatch.md
tells their story. A delivery that is still "to plan" waits for its allowlist or for a person's rights.

Examples:
  baton deliveries list --config baton.yml
  baton deliveries list --store baton.db --state dead --limit 100

Exit codes: 0 found some, 1 found none, 2 the store cannot be opened.)"
    );
    command->callback([options, &exit_code] { exit_code = list(*options); });
}

} // namespace baton::program
