#include "actor.hpp"

#include <fmt/core.h>
#include <pwd.h>
#include <unistd.h>

#include <string>

namespace baton::program {

std::string actor(const std::string& named) {
    if (!named.empty()) {
        return named;
    }
    const auto* user = ::getpwuid(::getuid());
    return user == nullptr ? fmt::format("user {} on the command line", ::getuid())
                           : fmt::format("{} on the command line", user->pw_name);
}

} // namespace baton::program
