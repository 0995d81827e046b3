#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/readings.hpp"
#include "baton/quality/report.hpp"

#include <CLI/App.hpp>

#include <optional>
#include <string>
#include <vector>

#include "quality.hpp"

namespace baton::program {

/// An assessment with those of earlier releases of the same platform, by the same criteria, that
/// lie in its folder.
struct Dossier {
    AssessmentInput input;
    std::vector<AssessmentInput> before; // by release
    quality::Day as_of{};
    std::optional<quality::Reading> reading;
};

struct DossierOptions {
    AssessmentOptions input;
    std::string as_of; // empty: the day of the assessment
    std::string reading;
};

/// Adds FILE, --criteria, --as-of and --reading.
void add_dossier_options(CLI::App& command, DossierOptions& options);

/// nullopt after saying why, and `exit_code` says how. Files beside it that are no assessments are
/// passed over.
std::optional<Dossier> dossier_or_complain(const DossierOptions& options, int& exit_code);

/// The report; it refers to the dossier.
quality::Report report_of(const Dossier& dossier);

} // namespace baton::program
