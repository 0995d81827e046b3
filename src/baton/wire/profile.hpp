#pragma once

#include "baton/domain/allowlist.hpp"
#include "baton/domain/profile.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// Profiles of the ladder as YAML: docs/design/ladder.md describes the format.
namespace baton::wire {

struct ProfileReading {
    /// Absent as soon as one finding is an error.
    std::optional<domain::Profile> profile;
    std::vector<domain::Finding> findings; // in file order, warnings too
};

/// Reads and lints in one pass; any bytes get an answer.
ProfileReading read_profile(std::string_view text);

/// A file of profiles/, carried inside the binary.
struct ProfileFile {
    std::string_view name; // "baton-1.yml"
    std::string_view text;
};

std::span<const ProfileFile> profile_files();

/// By label.
const std::vector<domain::Profile>& builtin_profiles();
/// "baton/1"; nullptr when there is none of that label.
const domain::Profile* builtin_profile(std::string_view label);

inline constexpr std::string_view kDefaultProfile = "baton/1";

} // namespace baton::wire
