// baton quality lint FILE... [--previous FILE] [--links NOTES] [--strict] [--format NAME]
//
// Everything that is wrong or doubtful about assessments, their evidence files included.

#include "baton/app/files.hpp"
#include "baton/base/text.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/link_notes.hpp"
#include "baton/quality/lint.hpp"
#include "baton/wire/calendar.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "allowlist.hpp"
#include "command.hpp"
#include "print.hpp"
#include "quality.hpp"
#include "quality_links.hpp"
#include "quality_sarif.hpp"

namespace baton::program {

namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

constexpr std::size_t kEvidenceBytesMax = 256U * 1024 * 1024;

struct LintCommand {
    std::vector<std::string> files;
    std::string criteria;
    std::string previous;
    std::string format{"text"};
    LinkChoice links;
    bool json{false};
    bool strict{false};
};

/// What all files are compared with.
struct LintFacts {
    const quality::Assessment* previous{nullptr};
    const quality::LinkNotes* links{nullptr};
};

struct Linted {
    std::string path;
    int exit_code{0};
    std::vector<quality::Finding> findings;
};

/// Digests of the evidence files beside the assessment.
quality::LintInput look_at_files(const AssessmentInput& input) {
    quality::LintInput out;
    const auto folder = fs::path(input.path).parent_path();
    for (const auto& evidence : input.assessment->evidence) {
        if (evidence.file.empty()) {
            continue;
        }
        const auto bytes = app::read_file((folder / evidence.file).string(), kEvidenceBytesMax);
        out.files[evidence.file] = bytes ? std::optional(crypto::sha256_hex(*bytes)) : std::nullopt;
    }
    return out;
}

Linted lint_one(AssessmentInput input, const LintFacts& facts, bool strict) {
    Linted linted{
        .path = input.path, .exit_code = input.exit_code, .findings = std::move(input.findings)
    };
    if (!input.assessment) {
        return linted;
    }
    auto seen = look_at_files(input);
    seen.previous = facts.previous;
    seen.calendar = &wire::pytorch_calendar();
    seen.links = facts.links;
    for (auto& finding : quality::lint(*input.set, *input.assessment, seen)) {
        linted.findings.push_back(std::move(finding));
    }
    const bool fails = quality::has_errors(linted.findings) || (strict && !linted.findings.empty());
    linted.exit_code = fails ? Exit::failure : Exit::ok;
    return linted;
}

std::vector<const quality::Assessment*> assessments_in(const std::vector<AssessmentInput>& inputs) {
    std::vector<const quality::Assessment*> all;
    for (const auto& input : inputs) {
        if (input.assessment) {
            all.push_back(&*input.assessment);
        }
    }
    return all;
}

void print_text(const Linted& linted, FindingFormat format) {
    std::vector<Found> found;
    for (const auto& finding : linted.findings) {
        found.push_back(
            {.file = linted.path,
             .finding =
                 {.severity = finding.severity,
                  .line = finding.at.line,
                  .column = finding.at.column,
                  .message = fmt::format(
                      "{}: {}{}{}",
                      finding.code,
                      finding.message,
                      finding.hint.empty() ? "" : "; ",
                      finding.hint
                  )}}
        );
    }
    for (const auto& one : found) {
        fmt::print("{}\n", line_of(one, format));
    }
    if (format == FindingFormat::text && linted.exit_code != Exit::unusable) {
        fmt::print(
            "{}: {}\n",
            inert(linted.path),
            linted.findings.empty() ? std::string("good") : to_text(tally_of(found))
        );
    }
}

int print_all(const std::vector<Linted>& all, const LintCommand& command) {
    int worst = Exit::ok;
    json::array files;
    std::vector<SarifFile> sarif;
    for (const auto& linted : all) {
        worst = std::max(worst, linted.exit_code);
        files.emplace_back(json::object{
            {"file", json_text(linted.path)},
            {"ok", linted.exit_code == Exit::ok},
            {"readable", linted.exit_code != Exit::unusable},
            {"findings", findings_json(linted.findings, linted.path)},
        });
        sarif.push_back({.path = linted.path, .findings = linted.findings});
    }
    if (command.json || command.format == "json") {
        print_json(json::object{{"ok", worst == Exit::ok}, {"files", std::move(files)}});
    } else if (command.format == "sarif") {
        print_json(to_sarif(sarif));
    } else {
        for (const auto& linted : all) {
            print_text(
                linted, command.format == "github" ? FindingFormat::github : FindingFormat::text
            );
        }
    }
    return worst;
}

int run(const LintCommand& command) {
    if (command.links.offline && command.links.notes.empty()) {
        complain("--offline goes with --links NOTES: there is nothing else to look at");
        return Exit::unusable;
    }
    LintFacts facts;
    std::optional<AssessmentInput> previous;
    if (!command.previous.empty()) {
        int exit_code = Exit::ok;
        previous = assessment_or_complain(command.previous, command.criteria, exit_code);
        if (!previous) {
            return exit_code;
        }
        facts.previous = &*previous->assessment;
    }
    std::vector<AssessmentInput> inputs;
    for (const auto& path : command.files) {
        inputs.push_back(read_assessment_input(path, command.criteria));
    }
    std::optional<quality::LinkNotes> links;
    if (!command.links.notes.empty()) {
        links = links_or_complain(command.links, assessments_in(inputs));
        if (!links) {
            return Exit::unusable;
        }
        facts.links = &*links;
    }
    std::vector<Linted> all;
    for (auto& input : inputs) {
        all.push_back(lint_one(std::move(input), facts, command.strict));
    }
    return print_all(all, command);
}

} // namespace

void add_quality_lint(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<LintCommand>();
    auto* command = group.add_subcommand("lint", "Print everything wrong with assessments");
    command->add_option("FILE", options->files, "The assessments")->required()->option_text(" ");
    command->add_option("--criteria", options->criteria, "Criteria other than those the files name")
        ->option_text("LABEL|FILE");
    command->add_option("--previous", options->previous, "The assessment before (Q031)")
        ->option_text("FILE");
    command->add_option("--links", options->links.notes, "Try links too; keep notes in this file")
        ->option_text("NOTES");
    command->add_flag("--offline", options->links.offline, "Links by the notes alone");
    command->add_option("--format", options->format, "How findings are printed")
        ->option_text("text|json|sarif|github")
        ->check(CLI::IsMember({"text", "json", "sarif", "github"}));
    command->add_flag("--json", options->json, "The same as --format json");
    command->add_flag("--strict", options->strict, "Warnings fail too");
    command->footer(
        R"(Evidence files beside the assessment are read and their digests compared. Links are tried with --links
alone, over https and at public addresses only; one is dead (Q012) when it fails twice, a day apart at
least, so NOTES remembers what was found. docs/reference/quality-lint.md explains every code.

Example:
  baton quality lint examples/quality/tessera-tx1-linux/2.14.yml
  baton quality lint --links links.json quality/*/*.yml

Exit codes: 0 good, 1 errors, 2 a file cannot be read or is no YAML, or NOTES cannot be used.)"
    );
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace baton::program
