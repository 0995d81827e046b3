#pragma once

#include "baton/config/config.hpp"
#include "baton/hud/quality_shelf.hpp"

#include <cstddef>

namespace baton::app {

inline constexpr std::size_t kQualityFilesMax = 2'000;             // of each folder
inline constexpr std::size_t kQualityBytesMax = 64U * 1024 * 1024; // of each folder, together

/// The files of the folders: PLATFORM/RELEASE.yml and *.yml. Whatever cannot be read, and what is
/// beyond the bounds, is among the faulty ones; nothing here fails.
hud::QualityTexts read_quality_texts(const config::Quality& folders);

} // namespace baton::app
