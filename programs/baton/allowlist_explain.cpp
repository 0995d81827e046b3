// baton allowlist explain FILE --event pull_request|push [...]
//
// Makes up an event and asks the relay's own rules who would get it and why: before a list comes
// into force, or when an owner wonders.

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/pull_request.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "allowlist.hpp"
#include "command.hpp"
#include "made_up_event.hpp"
#include "print.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

struct ExplainOptions {
    std::string file;
    MadeUp event;
    std::vector<std::string> repos;
    bool json{false};
};

/// What one downstream would get.
struct Row {
    std::string repo;
    const domain::Downstream* listed{nullptr}; // nullptr: it is not
    bool sent{false};
    std::string why;
};

std::string_view words_for(domain::DisplayOnPr display) {
    switch (display) {
    case domain::DisplayOnPr::never:
        return "false";
    case domain::DisplayOnPr::label_only:
        return "label_only";
    case domain::DisplayOnPr::always:
        return "always";
    }
    return "unknown";
}

std::string why_sent(const domain::Downstream& downstream, const ExplainOptions& options) {
    if (options.event.event == "push" && options.event.files.empty() && !downstream.paths.empty()) {
        return "if a changed file is among its paths; say which with --file";
    }
    return "";
}

std::string why_not_at_all(const ExplainOptions& options) {
    if (options.event.action == "labeled") {
        return "had it already: it neither waits for a label nor for trust";
    }
    return fmt::format("{} is not forwarded", title_of(options.event));
}

Row row_for(
    const domain::Downstream& downstream, const domain::Plan& plan, const ExplainOptions& options
) {
    const auto decided =
        std::ranges::find(plan.decisions, downstream.repo, &domain::Decision::downstream);
    Row row{.repo = downstream.repo.text(), .listed = &downstream, .sent = false, .why = {}};
    if (decided == plan.decisions.end()) {
        row.why = why_not_at_all(options);
        return row;
    }
    row.sent = decided->dispatch;
    row.why = row.sent ? why_sent(downstream, options) : decided->reason;
    return row;
}

/// The rows that were asked for, in list order; then those that nobody lists.
std::vector<Row> rows_for(
    const domain::Allowlist& allowlist, const domain::Plan& plan, const ExplainOptions& options
) {
    std::vector<Row> rows;
    std::set<RepoName> asked;
    for (const auto& text : options.repos) {
        asked.insert(RepoName::parse(text).value()); // checked when the command line was read
    }
    for (const auto& downstream : allowlist.downstreams()) {
        if (asked.empty() || asked.contains(downstream.repo)) {
            rows.push_back(row_for(downstream, plan, options));
        }
    }
    for (const auto& repo : asked) {
        if (allowlist.find(repo) == nullptr) {
            rows.push_back({.repo = repo.text(), .why = "is not listed"});
        }
    }
    return rows;
}

std::string policy_sentence(domain::Level level) {
    const auto policy = domain::policy_of(level);
    return fmt::format(
        "{}: forward_event {}, display_on_hud {}, display_on_pr {}, block_pr {}",
        name_of(level),
        policy.forward_event,
        policy.display_on_hud,
        words_for(policy.display_on_pr),
        policy.block_pr
    );
}

void print_text(const std::vector<Row>& rows, const ExplainOptions& options) {
    const auto sent = std::ranges::count_if(rows, &Row::sent);
    fmt::print(
        "{}: sent to {} of {}\n\n",
        title_of(options.event),
        sent,
        counted(rows.size(), "downstream")
    );
    Table table({"DOWNSTREAM", "LEVEL", "DEVICE", "RESULT", "WHY"});
    std::set<domain::Level> levels;
    for (const auto& row : rows) {
        const auto level = row.listed != nullptr ? std::string(name_of(row.listed->level)) : "-";
        const bool device = row.listed != nullptr && !row.listed->device.empty();
        table.add(
            {row.repo,
             level,
             device ? row.listed->device : "-",
             row.sent ? "sent" : "not sent",
             row.why}
        );
        if (row.listed != nullptr) {
            levels.insert(row.listed->level);
        }
    }
    fmt::print("{}", table.text());
    for (const auto level : levels) {
        fmt::print("{}{}\n", level == *levels.begin() ? "\n" : "", policy_sentence(level));
    }
}

boost::json::object json_of(const Row& row) {
    boost::json::object out{
        {"downstream", row.repo},
        {"listed", row.listed != nullptr},
        {"sent", row.sent},
        {"reason", json_text(row.why)},
    };
    if (row.listed != nullptr) {
        const auto policy = domain::policy_of(row.listed->level);
        out["level"] = name_of(row.listed->level);
        out["device"] = json_text(row.listed->device);
        out["policy"] = boost::json::object{
            {"forward_event", policy.forward_event},
            {"display_on_hud", policy.display_on_hud},
            {"display_on_pr", words_for(policy.display_on_pr)},
            {"block_pr", policy.block_pr},
        };
    }
    return out;
}

int explain(ExplainOptions options) {
    if (const auto objection = complete(options.event)) {
        complain(*objection);
        return Exit::unusable;
    }
    const auto file = lint_file(options.file);
    for (const auto& finding : file.reading.findings) {
        fmt::print(stderr, "{}\n", domain::to_text(finding, options.file));
    }
    if (!file.readable) {
        return Exit::unusable;
    }
    if (!file.reading.allowlist) {
        complain(options.file + " has errors: it would not come into force");
        return Exit::failure;
    }
    const auto now = present();
    const auto plan = plan_of(options.event, *file.reading.allowlist, now);
    const auto rows = rows_for(*file.reading.allowlist, plan, options);
    if (options.json) {
        boost::json::array all;
        for (const auto& row : rows) {
            all.emplace_back(json_of(row));
        }
        print_json(boost::json::object{
            {"event", options.event.event},
            {"action", options.event.action},
            {"downstreams", std::move(all)},
        });
    } else {
        print_text(rows, options);
    }
    return Exit::ok;
}

std::string check_repo(const std::string& text) {
    const auto repo = RepoName::parse(text);
    return repo ? "" : fmt::format("{} is not OWNER/REPO", inert(text));
}

} // namespace

void add_allowlist_explain(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<ExplainOptions>();
    auto* command = group.add_subcommand("explain", "Say who would get an event, and why");
    command->add_option("FILE", options->file, "The allowlist")->required()->option_text(" ");
    add_event_options(*command, options->event);
    command->add_option("--repo", options->repos, "Only about this downstream; may be repeated")
        ->check(check_repo)
        ->allow_extra_args(false)
        ->option_text("OWNER/REPO");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(The event is made up and goes through the relay's own rules, as if it happened now. Labels count as
set by somebody with triage rights. `--action labeled` is about the last --label, put on a pull
request that was open already.
--author-association: OWNER, MEMBER, COLLABORATOR, CONTRIBUTOR, FIRST_TIME_CONTRIBUTOR, FIRST_TIMER, NONE
--permission: none, read, triage, write, maintain, admin

Examples:
  baton allowlist explain allowlist.yml --event pull_request --label ciflow/crcr/npu
  baton allowlist explain allowlist.yml --event push --ref refs/heads/main --repo org/backend

Exit codes: 0 answered, 1 the allowlist has errors, 2 it cannot be read.)"
    );
    command->callback([options, &exit_code] { exit_code = explain(*options); });
}

} // namespace baton::program
