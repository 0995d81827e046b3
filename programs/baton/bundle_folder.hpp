#pragma once

#include "baton/base/result.hpp"
#include "baton/wire/bundle_files.hpp"

#include <string>

namespace baton::program {

/// Everything in a folder and below it; what is no file counts as an empty one. `not_found` when
/// there is no such folder, `invalid` when it holds more than a bundle could.
Result<wire::BundleFiles> read_bundle_folder(const std::string& folder);

/// Makes the folder if it is not there. What an earlier bundle says it left there is replaced;
/// `conflict`, and nothing is written, when it holds anything else.
Result<void> write_bundle_folder(const std::string& folder, const wire::BundleFiles& files);

} // namespace baton::program
