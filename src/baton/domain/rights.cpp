#include "baton/base/ids.hpp"
#include "baton/domain/plan.hpp"

#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace baton::domain {

Permission permission_named(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, Permission>, 6> kNames{{
        {"admin", Permission::admin},
        {"maintain", Permission::maintain},
        {"write", Permission::write},
        {"push", Permission::write}, // older answers name the git right
        {"triage", Permission::triage},
        {"read", Permission::read},
    }};
    for (const auto& [known, permission] : kNames) {
        if (known == name) {
            return permission;
        }
    }
    return Permission::none;
}

std::optional<Permission> Rights::of(const Login& login) const {
    const auto found = known.find(login);
    return found == known.end() ? std::nullopt : std::optional(found->second);
}

} // namespace baton::domain
