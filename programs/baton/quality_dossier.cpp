#include "quality_dossier.hpp"

#include "baton/app/find_files.hpp"
#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/report.hpp"
#include "baton/wire/calendar.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "quality.hpp"

namespace baton::program {

namespace {

namespace fs = std::filesystem;

std::vector<AssessmentInput>
read_before(const AssessmentInput& input, const std::string& criteria) {
    std::map<quality::Release, AssessmentInput> found;
    const auto folder = fs::path(input.path).parent_path();
    for (const auto& path : app::find_files((folder / "*.yml").string())) {
        auto other = read_assessment_input(path, criteria);
        if (!other.assessment || other.assessment->platform.id != input.assessment->platform.id ||
            other.set->set != input.set->set ||
            other.assessment->release >= input.assessment->release) {
            continue;
        }
        const auto release = other.assessment->release;
        if (!found.emplace(release, std::move(other)).second) {
            complain(fmt::format(
                "{}: there is another assessment of {}; it is passed over",
                inert(path),
                to_text(release)
            ));
        }
    }
    std::vector<AssessmentInput> before;
    for (auto& [release, earlier] : found) {
        before.push_back(std::move(earlier));
    }
    return before;
}

} // namespace

void add_dossier_options(CLI::App& command, DossierOptions& options) {
    add_assessment_options(command, options.input);
    command.add_option("--as-of", options.as_of, "The day to which ages are counted")
        ->option_text("DATE");
    command.add_option("--reading", options.reading, "How thresholds are read")
        ->option_text("NAME");
}

std::optional<Dossier> dossier_or_complain(const DossierOptions& options, int& exit_code) {
    exit_code = Exit::unusable;
    Dossier dossier;
    if (!reading_or_complain(options.reading, dossier.reading)) {
        return std::nullopt;
    }
    std::optional<quality::Day> as_of;
    if (!options.as_of.empty()) {
        as_of = quality::parse_day(options.as_of);
        if (!as_of) {
            complain(
                fmt::format("--as-of: \"{}\" is no day: write 2026-10-20", inert(options.as_of))
            );
            return std::nullopt;
        }
    }
    auto input = assessment_or_complain(options.input.file, options.input.criteria, exit_code);
    if (!input) {
        return std::nullopt;
    }
    dossier.as_of = as_of.value_or(input->assessment->assessed.on.value_or(quality::Day{}));
    dossier.before = read_before(*input, options.input.criteria);
    dossier.input = *std::move(input);
    return dossier;
}

quality::Report report_of(const Dossier& dossier) {
    quality::ReportInput input{
        .set = *dossier.input.set,
        .assessment = *dossier.input.assessment,
        .as_of = dossier.as_of,
        .before = {},
        .reading = dossier.reading,
        .calendar = &wire::pytorch_calendar(),
    };
    for (const auto& earlier : dossier.before) {
        input.before.push_back({.set = earlier.set.get(), .assessment = &*earlier.assessment});
    }
    return quality::make_report(input);
}

} // namespace baton::program
