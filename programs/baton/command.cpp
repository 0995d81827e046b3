#include "command.hpp"

#include "baton/app/surroundings.hpp"
#include "baton/config/config.hpp"
#include "baton/domain/allowlist.hpp"

#include <fmt/core.h>

#include <cstdio>
#include <optional>
#include <string>

namespace baton::program {

void complain(const std::string& sentence) {
    fmt::print(stderr, "baton: {}\n", sentence);
}

std::optional<config::Config> load_or_complain(const std::string& path) {
    auto reading = config::load_config(path, app::real_surroundings());
    for (const auto& finding : reading.findings) {
        fmt::print(stderr, "{}\n", domain::to_text(finding, path));
    }
    return std::move(reading.config);
}

} // namespace baton::program
