// baton allowlist lint FILE... [--strict] [--format text|json|github]
//
// Reads allowlists as the relay does and prints everything that is wrong or doubtful, for people,
// for programs, or as annotations on a pull request.

#include "baton/app/files.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/level.hpp"
#include "baton/wire/allowlist.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "allowlist.hpp"
#include "checkup.hpp"
#include "command.hpp"
#include "print.hpp"

namespace baton::program {

namespace {

struct LintOptions {
    std::vector<std::string> files;
    std::string format{"text"};
    bool json{false};
    bool strict{false};
};

std::vector<Found> findings_of(const LintedFile& file) {
    std::vector<Found> found;
    for (const auto& finding : file.reading.findings) {
        found.push_back({.file = file.path, .finding = finding});
    }
    return found;
}

/// `4 downstreams (L1 2, L3 2)`
std::string members_of(const domain::Allowlist& allowlist) {
    std::string levels;
    for (const auto level : domain::kLevels) {
        const auto count =
            std::ranges::count(allowlist.downstreams(), level, &domain::Downstream::level);
        if (count > 0) {
            levels += fmt::format("{}{} {}", levels.empty() ? "" : ", ", name_of(level), count);
        }
    }
    const auto total = counted(allowlist.downstreams().size(), "downstream");
    return levels.empty() ? total : fmt::format("{} ({})", total, levels);
}

/// The words fit the exit code: `good` stands only where the file passes.
std::string verdict_of(const LintedFile& file, bool strict) {
    const auto tally = tally_of(findings_of(file));
    if (!file.reading.allowlist) {
        return to_text(tally);
    }
    const auto members = members_of(*file.reading.allowlist);
    if (tally.warnings == 0) {
        return "good: " + members;
    }
    const auto warnings = counted(tally.warnings, "warning");
    return strict ? fmt::format("{}, which --strict does not pass: {}", warnings, members)
                  : fmt::format("good, {}: {}", warnings, members);
}

void print_file(const LintedFile& file, FindingFormat format, bool strict) {
    for (const auto& one : findings_of(file)) {
        fmt::print("{}\n", line_of(one, format));
    }
    if (format == FindingFormat::text && file.readable) {
        fmt::print("{}: {}\n", file.path, verdict_of(file, strict));
    }
}

boost::json::object json_of(const LintedFile& file) {
    const auto found = findings_of(file);
    const auto tally = tally_of(found);
    boost::json::object out{
        {"file", json_text(file.path)},
        {"ok", tally.errors == 0},
        {"readable", file.readable},
        {"errors", tally.errors},
        {"warnings", tally.warnings},
        {"findings", to_json(found)},
    };
    if (file.reading.allowlist) {
        out["downstreams"] = file.reading.allowlist->downstreams().size();
    }
    return out;
}

int exit_code_for(const LintedFile& file, bool strict) {
    if (!file.readable) {
        return Exit::unusable;
    }
    const auto tally = tally_of(findings_of(file));
    return tally.errors > 0 || (strict && tally.warnings > 0) ? Exit::failure : Exit::ok;
}

FindingFormat format_of(const LintOptions& options) {
    if (options.json || options.format == "json") {
        return FindingFormat::json;
    }
    return options.format == "github" ? FindingFormat::github : FindingFormat::text;
}

int lint(const LintOptions& options) {
    const auto format = format_of(options);
    int worst = Exit::ok;
    boost::json::array all;
    for (const auto& path : options.files) {
        const auto file = lint_file(path);
        worst = std::max(worst, exit_code_for(file, options.strict));
        if (format == FindingFormat::json) {
            all.emplace_back(json_of(file));
        } else {
            print_file(file, format, options.strict);
        }
    }
    if (format == FindingFormat::json) {
        print_json(boost::json::object{{"ok", worst == Exit::ok}, {"files", std::move(all)}});
    }
    return worst;
}

/// What the runner reads as the end of a value or of the command has to be written in percent.
std::string escaped(std::string_view text, std::string_view special) {
    std::string out;
    for (const char c : text) {
        if (special.find(c) == std::string_view::npos) {
            out += c;
        } else {
            out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return out;
}

std::string annotation(const Found& found) {
    constexpr std::string_view kOfMessages = "%\r\n";
    constexpr std::string_view kOfProperties = "%\r\n:,";
    const auto& finding = found.finding;
    const bool error = finding.severity == domain::Severity::error;
    std::string place;
    if (finding.line > 0) {
        place = fmt::format(",line={},col={}", finding.line, finding.column);
    }
    return fmt::format(
        "::{} file={}{}::{}",
        error ? "error" : "warning",
        escaped(found.file, kOfProperties),
        place,
        escaped(finding.message, kOfMessages)
    );
}

} // namespace

LintedFile lint_file(const std::string& path) {
    LintedFile file{.path = path, .reading = {}};
    const auto text = app::read_file(path, limits::kAllowlistBytesMax);
    if (!text) {
        file.readable = false;
        const auto detail = fmt::format("cannot be read: {}", inert(text.error().detail));
        file.reading.findings.push_back({.message = detail});
        return file;
    }
    file.reading = wire::read_allowlist(*text);
    return file;
}

std::string line_of(const Found& found, FindingFormat format) {
    return format == FindingFormat::github ? annotation(found)
                                           : domain::to_text(found.finding, found.file);
}

void add_allowlist_lint(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<LintOptions>();
    auto* command = group.add_subcommand("lint", "Print everything wrong with allowlist files");
    command->add_option("FILE", options->files, "The files")->required()->option_text(" ");
    command->add_flag("--strict", options->strict, "Let warnings fail too");
    command->add_option("--format", options->format, "How to print findings; default text")
        ->check(CLI::IsMember({"text", "json", "github"}))
        ->option_text("text|json|github");
    command->add_flag("--json", options->json, "The same as --format json");
    command->footer(
        R"(Reads a file as the relay does. Errors keep it from coming into force; warnings are about what is
allowed and probably not meant. `github` prints annotations for a workflow, so that findings show on
the pull request.

Examples:
  baton allowlist lint allowlist.yml
  baton allowlist lint --strict --format github .github/allowlist.yml

Exit codes: 0 good (perhaps with warnings), 1 errors, or warnings with --strict,
2 a file cannot be read.)"
    );
    command->callback([options, &exit_code] { exit_code = lint(*options); });
}

} // namespace baton::program
