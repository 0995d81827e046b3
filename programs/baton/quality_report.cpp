// baton quality report FILE [--format text,md,html,json] [--out DIR] [--as-of DATE]
//
// All that is said about an assessment, for people and for programs.

#include "baton/base/text.hpp"
#include "baton/quality/page.hpp"
#include "baton/quality/report.hpp"
#include "baton/wire/report_json.hpp"

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <fmt/core.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <ios>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "command.hpp"
#include "quality.hpp"
#include "quality_dossier.hpp"

namespace baton::program {

namespace {

namespace fs = std::filesystem;

struct ReportCommand {
    DossierOptions input;
    std::vector<std::string> formats{"text"};
    std::string out;
    bool json{false};
};

std::string rendered(const quality::Report& report, std::string_view format) {
    if (format == "json") {
        return wire::report_json(report);
    }
    const auto page = quality::lay_out(report);
    return format == "md"     ? quality::to_markdown(page)
           : format == "html" ? quality::to_html(page)
                              : quality::to_text(page);
}

std::string_view file_of(std::string_view format) {
    return format == "json"   ? "result.json"
           : format == "md"   ? "report.md"
           : format == "html" ? "report.html"
                              : "report.txt";
}

int write_files(const quality::Report& report, const ReportCommand& command) {
    std::error_code failed;
    fs::create_directories(command.out, failed);
    for (const auto& format : command.formats) {
        const auto path = fs::path(command.out) / file_of(format);
        const auto bytes = rendered(report, format);
        std::ofstream file(path, std::ios::binary | std::ios::trunc);
        file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        file.close();
        if (!file) {
            complain(fmt::format("{} cannot be written", inert(path.string())));
            return Exit::unusable;
        }
        fmt::print("{}  {} bytes\n", inert(path.string()), bytes.size());
    }
    return Exit::ok;
}

int run(ReportCommand command) {
    if (command.json) {
        command.formats = {"json"};
    }
    if (command.formats.size() > 1 && command.out.empty()) {
        complain("several formats need a folder to be written to: --out DIR");
        return Exit::unusable;
    }
    int exit_code = Exit::ok;
    const auto dossier = dossier_or_complain(command.input, exit_code);
    if (!dossier) {
        return exit_code;
    }
    const auto report = report_of(*dossier);
    if (!command.out.empty()) {
        return write_files(report, command);
    }
    fmt::print("{}", rendered(report, command.formats.front()));
    return Exit::ok;
}

} // namespace

void add_quality_report(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<ReportCommand>();
    auto* command = group.add_subcommand("report", "Print or write the report of an assessment");
    add_dossier_options(*command, options->input);
    command->add_option("--format", options->formats, "How; several need --out; default: text")
        ->delimiter(',')
        ->option_text("text,md,html,json")
        ->check(CLI::IsMember({"text", "md", "html", "json"}));
    command->add_option("--out", options->out, "A folder to write to instead of printing")
        ->option_text("DIR");
    command->add_flag("--json", options->json, "The same as --format json");
    command->footer(
        R"(Verdict, P0, sections, items with evidence and its age, the way to the next level, what may fall,
changes since the release before, measured values, exemptions, interpretations, digests, process.
Assessments of earlier releases are found in the same folder. Ages are counted to the day of the
assessment unless --as-of names another, so the same files give the same bytes.
With --out: report.txt, report.md, report.html, result.json.

Example:
  baton quality report examples/quality/tessera-tx1-linux/2.14.yml --format md > report.md

Exit codes: 0 written, 1 the file has errors, 2 it cannot be read or is no YAML, or nothing can be written.)"
    );
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace baton::program
