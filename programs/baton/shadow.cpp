// baton shadow compare --other FILE [--since TIME] [--until TIME]
//
// What we decided against what another relay sent: where they agree, and our reason where they do
// not.

#include "baton/app/files.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/comparison.hpp"
#include "baton/ports/store.hpp"
#include "baton/wire/sent_log.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <cstddef>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command.hpp"
#include "lookup.hpp"
#include "own_decisions.hpp"
#include "print.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

namespace json = boost::json;

constexpr std::size_t kLogBytesMax = 256U * 1024 * 1024;
constexpr std::size_t kDeliveriesMax = 100'000; // the newest

struct CompareOptions {
    StoreChoice store;
    std::string other;
    std::string since;
    std::string until;
    bool json{false};
};

struct Window {
    std::optional<TimePoint> since;
    std::optional<TimePoint> until;

    bool holds(TimePoint when) const {
        return (!since || when >= *since) && (!until || when < *until);
    }
};

/// False after saying what is wrong.
bool read_time(std::string_view option, const std::string& text, std::optional<TimePoint>& into) {
    if (text.empty()) {
        return true;
    }
    const auto time = parse_rfc3339(text);
    if (!time) {
        complain(fmt::format("{}: {}", option, inert(time.error().detail)));
        return false;
    }
    into = *time;
    return true;
}

std::optional<std::vector<domain::OtherDispatch>> read_other(const std::string& path) {
    const auto text = app::read_file(path, kLogBytesMax);
    if (!text) {
        complain(inert(text.error().detail));
        return std::nullopt;
    }
    auto log = wire::read_sent_log(*text);
    for (const auto& finding : log.findings) {
        fmt::print(stderr, "{}\n", domain::to_text(finding, path));
    }
    if (!log.findings.empty()) {
        return std::nullopt;
    }
    return std::move(log.dispatches);
}

/// Both sides within the window. A line that tells no time belongs to when we got the delivery.
domain::RelayComparison compare_within(
    const Window& window,
    const std::vector<ports::DeliveryHistory>& histories,
    std::vector<domain::OtherDispatch> theirs
) {
    std::vector<domain::OwnDecision> ours;
    std::set<DeliveryId> outside;
    for (const auto& history : histories) {
        if (window.holds(history.delivery.received_at)) {
            for (auto& decision : own_decisions(history)) {
                ours.push_back(std::move(decision));
            }
        } else {
            outside.insert(history.delivery.id);
        }
    }
    std::erase_if(theirs, [&](const domain::OtherDispatch& one) {
        return outside.contains(one.delivery) || (one.at && !window.holds(*one.at));
    });
    return domain::compare(ours, theirs);
}

void print_differences(std::string_view title, const std::vector<domain::Difference>& differences) {
    if (differences.empty()) {
        return;
    }
    Table table({std::string(title), "DOWNSTREAM", "OUR REASON"});
    for (const auto& one : differences) {
        table.add({one.delivery.text(), one.downstream.text(), one.reason});
    }
    fmt::print("\n{}", table.text());
}

void print_text(const domain::RelayComparison& comparison) {
    fmt::print(
        "{} agreed, {} only we, {} only they, {} under another event\n",
        comparison.agreed,
        comparison.only_we.size(),
        comparison.only_they.size(),
        comparison.other_event.size()
    );
    const auto& apart = comparison.apart;
    if (!apart.empty()) {
        fmt::print(
            "they came after us by {} ms at least, {} ms in the middle, {} ms at most\n",
            apart.front().count(),
            apart[apart.size() / 2].count(),
            apart.back().count()
        );
    }
    print_differences("ONLY WE", comparison.only_we);
    print_differences("ONLY THEY", comparison.only_they);
    print_differences("ANOTHER EVENT", comparison.other_event);
}

json::array json_of(const std::vector<domain::Difference>& differences) {
    json::array all;
    for (const auto& one : differences) {
        all.emplace_back(json::object{
            {"delivery", json_text(one.delivery.text())},
            {"downstream", one.downstream.text()},
            {"reason", json_text(one.reason)},
        });
    }
    return all;
}

json::object json_of(const domain::RelayComparison& comparison) {
    json::object out{
        {"agreed", comparison.agreed},
        {"only_we", json_of(comparison.only_we)},
        {"only_they", json_of(comparison.only_they)},
        {"other_event", json_of(comparison.other_event)},
        {"apart_ms", nullptr},
    };
    if (const auto& apart = comparison.apart; !apart.empty()) {
        out["apart_ms"] = json::object{
            {"least", apart.front().count()},
            {"middle", apart[apart.size() / 2].count()},
            {"most", apart.back().count()},
        };
    }
    return out;
}

int compare(const CompareOptions& options) {
    Window window;
    if (!read_time("--since", options.since, window.since) ||
        !read_time("--until", options.until, window.until)) {
        return Exit::unusable;
    }
    auto theirs = read_other(options.other);
    if (!theirs) {
        return Exit::unusable;
    }
    const auto store = open_store(options.store);
    if (!store) {
        return Exit::unusable;
    }
    const auto histories = run(Lookup(*store).histories({}, kDeliveriesMax));
    if (!histories) {
        complain(inert(histories.error().detail));
        return Exit::failure;
    }
    if (histories->size() == kDeliveriesMax) {
        complain(fmt::format("only the newest {} deliveries are compared", kDeliveriesMax));
    }
    const auto comparison = compare_within(window, *histories, *std::move(theirs));
    if (options.json) {
        print_json(json_of(comparison));
    } else {
        print_text(comparison);
    }
    return comparison.is_alike() ? Exit::ok : Exit::failure;
}

void add_shadow_compare(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<CompareOptions>();
    auto* command =
        group.add_subcommand("compare", "Our decisions against what another relay sent");
    add_store_options(*command, options->store);
    command->add_option("--other", options->other, "What it sent: NDJSON or CSV")
        ->required()
        ->option_text("FILE REQUIRED");
    command->add_option("--since", options->since, "Only deliveries from then on, RFC 3339")
        ->option_text("TIME");
    command->add_option("--until", options->until, "Only deliveries before then")
        ->option_text("TIME");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(Each line of FILE is one dispatch of the other relay: delivery_id (X-GitHub-Delivery, the same for
every webhook of one event) and downstream; event_type and at (RFC 3339) where they are known. Our
side is what we sent or, as a shadow, would have sent. docs/operations/shadow.md says how to get such
a file.

Example:
  baton shadow compare --config shadow.yml --other sent.ndjson --since 2026-11-15T00:00:00Z

Exit codes: 0 alike, 1 differences, 2 unusable input.)"
    );
    command->callback([options, &exit_code] { exit_code = compare(*options); });
}

} // namespace

void add_shadow(CLI::App& app, int& exit_code) {
    auto* group = app.add_subcommand("shadow", "Compare with another relay on the same webhooks");
    group->require_subcommand(1);
    group->footer("`baton serve --shadow` makes the record that is compared.\n"
                  "`baton shadow COMMAND --help` says more.");
    add_shadow_compare(*group, exit_code);
}

} // namespace baton::program
