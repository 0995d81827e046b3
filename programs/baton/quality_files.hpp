#pragma once

#include "baton/base/result.hpp"
#include "baton/wire/quality_bundle.hpp"

#include <string>

#include "quality_dossier.hpp"

namespace baton::program {

/// The bytes behind a dossier, `criteria` being what was named on the command line. Evidence files
/// that cannot be read are left out.
Result<wire::QualityBundleInput> files_of(const Dossier& dossier, const std::string& criteria);

/// Whole or not at all: a new file takes the old one's name.
Result<void> replace_file(const std::string& path, const std::string& text);

} // namespace baton::program
