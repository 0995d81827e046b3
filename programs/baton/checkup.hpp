#pragma once

#include "baton/config/config.hpp"
#include "baton/domain/allowlist.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace baton::program {

/// A finding and the file that it is about.
struct Found {
    std::string file;
    domain::Finding finding;
};

struct Tally {
    std::size_t errors{0};
    std::size_t warnings{0};
};

Tally tally_of(const std::vector<Found>& found);

/// `2 errors, 1 warning`
std::string to_text(const Tally& tally);

/// How far to look: at the configuration and the keys in it, which is what `serve` cannot start
/// without, or also at what it names: allowlist and pipelines files, and the store.
enum class CheckupDepth : std::uint8_t { configuration = 1, everything };

struct Checkup {
    bool usable{true};                    // false: the file cannot be read, or is no YAML
    std::optional<config::Config> config; // absent as soon as the configuration has an error
    std::vector<Found> found;
};

/// Reads a configuration and tries what `serve` would need of it. Changes nothing and tells no
/// secret. An allowlist that lies on GitHub is not fetched.
Checkup check_config(const std::string& path, CheckupDepth depth);

} // namespace baton::program
