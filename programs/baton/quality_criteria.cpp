// baton quality criteria list | show | check | diff | export-md
//
// What platforms are judged by.

#include "quality_criteria.hpp"

#include "baton/base/text.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/wire/criteria.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command.hpp"
#include "print.hpp"
#include "quality.hpp"

namespace baton::program {

namespace {

namespace json = boost::json;

int list(const CriteriaCommand& command) {
    json::array all;
    Table table({"LABEL", "ITEMS", "ROWS", "PRINTED", "TITLE"});
    for (const auto& set : wire::builtin_criteria()) {
        all.emplace_back(json_of(set));
        table.add(
            {label_of(set),
             fmt::format("{}", set.items.size()),
             fmt::format("{}", set.rows_total()),
             set.printed_total ? fmt::format("{}", *set.printed_total) : "",
             set.title}
        );
    }
    if (command.json) {
        print_json(json::object{{"criteria", std::move(all)}});
    } else {
        fmt::print("{}", table.text());
    }
    return Exit::ok;
}

int check(const CriteriaCommand& command) {
    int worst = Exit::ok;
    json::array all;
    for (const auto& name : command.names) {
        const auto input = read_criteria_input(name);
        worst = std::max(
            worst,
            input.findings.empty() ? input.exit_code : std::max<int>(input.exit_code, Exit::failure)
        );
        if (command.json) {
            all.emplace_back(json::object{
                {"name", json_text(name)},
                {"ok", input.findings.empty()},
                {"usable", input.set != nullptr},
                {"findings", findings_json(input.findings, name)},
            });
            continue;
        }
        print_findings(input.findings, name);
        if (input.findings.empty()) {
            fmt::print("{}: good\n", inert(name));
        }
    }
    if (command.json) {
        print_json(json::object{{"ok", worst == Exit::ok}, {"criteria", std::move(all)}});
    }
    return worst;
}

std::string_view name_of_change(quality::ItemChange::What what) {
    using What = quality::ItemChange::What;
    switch (what) {
    case What::added:
        return "added";
    case What::removed:
        return "removed";
    case What::changed:
        return "changed";
    }
    return "";
}

int diff(const CriteriaCommand& command) {
    int exit_code = Exit::ok;
    const auto before = set_or_complain(command.names.front(), exit_code);
    const auto after = before ? set_or_complain(command.names.back(), exit_code) : nullptr;
    if (!after) {
        return exit_code;
    }
    json::array all;
    Table table({"ITEM", "WHAT", "POINTS", "DETAILS"});
    for (const auto& change : quality::diff(*before, *after)) {
        const auto details = fmt::format("{}", fmt::join(change.details, "; "));
        all.emplace_back(json::object{
            {"id", json_text(change.id)},
            {"what", name_of_change(change.what)},
            {"points", change.points},
            {"details", json_text(details)},
        });
        table.add(
            {change.id,
             std::string(name_of_change(change.what)),
             fmt::format("{:+}", change.points),
             details}
        );
    }
    if (command.json) {
        print_json(json::object{
            {"before", json_of(*before)}, {"after", json_of(*after)}, {"items", std::move(all)}
        });
        return Exit::ok;
    }
    fmt::print(
        "{} ({}) to {} ({})\n{}",
        inert(label_of(*before)),
        before->rows_total(),
        inert(label_of(*after)),
        after->rows_total(),
        all.empty() ? "no item changed\n" : table.text()
    );
    return Exit::ok;
}

int export_md(const CriteriaCommand& command) {
    int exit_code = Exit::ok;
    const auto set = set_or_complain(command.names.front(), exit_code);
    if (set) {
        fmt::print("{}", quality::to_markdown(*set));
    }
    return exit_code;
}

struct Verb {
    const char* name;
    const char* text;
    const char* footer;
    int names; // how many it takes; -1: one or more
    int (*run)(const CriteriaCommand&);
};

constexpr Verb kVerbs[] = {
    {"list",
     "List the criteria that are built in",
     "Example:\n  baton quality criteria list\n\nExit codes: 0.",
     0,
     list},
    {"show",
     "Print the items of a set, or all about some of them",
     "Behind the set stand ids of items: of those all is printed, what they ask for, which "
     "evidence\n"
     "they take and what helps.\n\n"
     "Example:\n  baton quality criteria show pytorch-cpq/2025.11-124\n"
     "  baton quality criteria show pytorch-cpq/2025.11-124 PRE-1 CI-4\n\n"
     "Exit codes: 0 printed, 1 the file has errors, 2 it cannot be read or is no YAML, or has no "
     "such "
     "item.",
     -1,
     show_criteria},
    {"check",
     "Print where criteria contradict themselves",
     "Example:\n  baton quality criteria check pytorch-cpq/2025.11-124\n\n"
     "Exit codes: 0 good, 1 findings, 2 a file cannot be read or is no YAML.",
     -1,
     check},
    {"diff",
     "Print what changed between two sets",
     "Example:\n  baton quality criteria diff pytorch-cpq/2025.11-132-draft "
     "pytorch-cpq/2025.11-124\n\n"
     "Exit codes: 0 compared, 1 a file has errors, 2 it cannot be read or is no YAML.",
     2,
     diff},
    {"export-md",
     "Print the tables of a set as Markdown",
     "Example:\n  baton quality criteria export-md pytorch-cpq/2025.11-124 > criteria.md\n\n"
     "Exit codes: 0 printed, 1 the file has errors, 2 it cannot be read or is no YAML.",
     1,
     export_md},
};

} // namespace

json::object json_of(const quality::CriteriaSet& set) {
    return {
        {"label", json_text(label_of(set))},
        {"title", json_text(set.title)},
        {"digest", set.digest},
        {"items", set.items.size()},
        {"rows", set.rows_total()},
        {"printed", set.printed_total ? json::value(*set.printed_total) : nullptr},
    };
}

std::shared_ptr<const quality::CriteriaSet>
set_or_complain(const std::string& name, int& exit_code) {
    auto input = read_criteria_input(name);
    exit_code = input.exit_code;
    if (!input.set) {
        for (const auto& finding : input.findings) {
            fmt::print(stderr, "{}\n", quality::to_text(finding, inert(name)));
        }
    }
    return input.set;
}

void add_quality_criteria(CLI::App& group, int& exit_code) {
    auto* criteria = group.add_subcommand("criteria", "What platforms are judged by");
    criteria->require_subcommand(1);
    criteria->footer("`baton quality criteria COMMAND --help` says more.");
    for (const auto& verb : kVerbs) {
        auto options = std::make_shared<CriteriaCommand>();
        auto* command = criteria->add_subcommand(verb.name, verb.text);
        if (verb.names != 0) {
            auto* set =
                command->add_option("SET", options->names, "A label that is built in, or a file")
                    ->required()
                    ->option_text(" ");
            if (verb.names > 0) {
                set->expected(verb.names);
            }
        }
        if (verb.run != export_md) {
            command->add_flag("--json", options->json, "Print one JSON object");
        }
        command->footer(verb.footer);
        command->callback([options, &exit_code, run = verb.run] { exit_code = run(*options); });
    }
}

} // namespace baton::program
