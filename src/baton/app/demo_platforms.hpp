#pragma once

#include "baton/base/result.hpp"

#include <span>
#include <string>
#include <string_view>

namespace baton::app::demo {

/// A file of examples/quality, carried inside the binary.
struct ExampleFile {
    std::string_view name; // "2.14.yml"
    std::string_view text;
};

std::span<const ExampleFile> tessera_example(); // complete, of an invented platform
std::span<const ExampleFile> xpu_example();     // with gaps, put together from public pages

/// Below the demo's own folder.
std::string assessments_folder(const std::string& folder);

/// The examples as a folder of assessments, so that there is something to see under /quality.
Result<void> write_assessments(const std::string& folder);

} // namespace baton::app::demo
