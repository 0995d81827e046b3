// baton deliveries recover: what GitHub sent and never arrived, asked for again.

#include "baton/app/recover.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/recovery.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "command.hpp"
#include "deliveries.hpp"
#include "print.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

struct RecoverOptions {
    std::string config;
    std::string since;
    bool dry_run{false};
    bool json{false};
};

std::string_view word_for(const domain::SentHook& hook, TimePoint now) {
    switch (domain::whereabouts_of(hook, now)) {
    case domain::Whereabouts::in_ledger:
        return "here";
    case domain::Whereabouts::ignored:
        return "of no concern";
    case domain::Whereabouts::to_ask:
        return "to ask";
    case domain::Whereabouts::asked:
        return "asked";
    case domain::Whereabouts::given_up:
        return "given up";
    }
    return "";
}

void print_text(const app::Recovered& recovered, const RecoverOptions& options) {
    const auto& report = recovered.report;
    const auto now = present();
    if (!report.astray.empty()) {
        Table table({"DELIVERY", "EVENT", "FIRST SENT", "GITHUB HEARD", "ASKED", "WHERE"});
        for (const auto& hook : report.astray) {
            const auto& line = hook.newest;
            table.add(
                {line.delivery.text(),
                 line.action.empty() ? line.event : fmt::format("{}.{}", line.event, line.action),
                 short_time(hook.first_at),
                 std::to_string(line.status),
                 std::to_string(hook.asked),
                 std::string(word_for(hook, now))}
            );
        }
        fmt::print("{}\n", table.text());
    }
    fmt::print(
        "{} of GitHub's log read; {} not here; {} asked for{}{}\n",
        counted(report.walked.tries, "line"),
        counted(report.astray.size(), "webhook"),
        report.walked.asked,
        options.dry_run ? " (dry run)" : "",
        report.walked.given_up > 0 ? fmt::format("; {} given up", report.walked.given_up) : ""
    );
}

void print_as_json(const app::Recovered& recovered, const RecoverOptions& options) {
    const auto now = present();
    boost::json::array astray;
    for (const auto& hook : recovered.report.astray) {
        astray.emplace_back(boost::json::object{
            {"delivery", json_text(hook.newest.delivery.text())},
            {"event", json_text(hook.newest.event)},
            {"action", json_text(hook.newest.action)},
            {"first_sent_at", to_rfc3339(hook.first_at)},
            {"status", hook.newest.status},
            {"asked", hook.asked},
            {"where", word_for(hook, now)},
        });
    }
    const auto& walked = recovered.report.walked;
    print_json(boost::json::object{
        {"dry_run", options.dry_run},
        {"lines", walked.tries},
        {"asked", walked.asked},
        {"given_up", walked.given_up},
        {"astray", std::move(astray)},
    });
}

int recover(const RecoverOptions& options) {
    app::RecoverPlan plan{.since = std::nullopt, .ask = !options.dry_run};
    if (!options.since.empty()) {
        const auto back = parse_duration(options.since);
        if (!back) {
            complain(fmt::format("--since: {}", inert(back.error().detail)));
            return Exit::unusable;
        }
        plan.since = present() - *back;
    }
    const auto config = load_or_complain(options.config);
    if (!config) {
        return Exit::unusable;
    }
    const auto store = open_store({.config = options.config, .store = ""});
    if (!store) {
        return Exit::unusable;
    }
    const auto recovered = app::recover(*config, *store, plan);
    if (!recovered) {
        complain(inert(recovered.error().detail));
        return Exit::failure;
    }
    for (const auto& trouble : recovered->troubles) {
        complain(inert(trouble));
    }
    if (options.json) {
        print_as_json(*recovered, options);
    } else {
        print_text(*recovered, options);
    }
    const bool good = recovered->troubles.empty() && recovered->report.walked.given_up == 0;
    return good ? Exit::ok : Exit::failure;
}

} // namespace

void add_deliveries_recover(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<RecoverOptions>();
    auto* command =
        group.add_subcommand("recover", "Ask GitHub again for webhooks that never arrived");
    command->add_option("--config", options->config, "The configuration file")
        ->required()
        ->option_text("FILE");
    command
        ->add_option("--since", options->since, "Look this far back, whatever was looked at before")
        ->option_text("DURATION");
    command->add_flag("--dry-run", options->dry_run, "Show what is missing and ask for nothing");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(Reads GitHub's log of the webhooks it sent to the App (three days), compares it with the store and asks
GitHub to send what is missing once more. A serving relay does the same every few minutes; this is
for looking, and for going further back. Each webhook is asked for three times at most.

Examples:
  baton deliveries recover --config baton.yml --dry-run
  baton deliveries recover --config baton.yml --since 3d

Exit codes: 0 nothing is missing or it was asked for, 1 something is given up or could not be asked for,
2 the configuration or the store cannot be used.)"
    );
    command->callback([options, &exit_code] { exit_code = recover(*options); });
}

} // namespace baton::program
