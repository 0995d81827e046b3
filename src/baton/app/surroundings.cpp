#include "baton/app/surroundings.hpp"

#include "baton/app/files.hpp"
#include "baton/base/limits.hpp"
#include "baton/config/config.hpp"

#include <cstdlib>
#include <optional>
#include <string>

namespace baton::app {

config::Surroundings real_surroundings() {
    return {
        .environment = [](const std::string& name) -> std::optional<std::string> {
            const char* value = std::getenv(name.c_str());
            return value == nullptr ? std::nullopt : std::optional<std::string>(value);
        },
        .read_file = [](const std::string& path
                     ) { return read_file(path, limits::kConfigBytesMax); },
    };
}

} // namespace baton::app
