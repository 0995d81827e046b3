#include "baton/domain/level.hpp"

#include <optional>
#include <string_view>

namespace baton::domain {

Policy policy_of(Level level) {
    Policy policy{.forward_event = true};
    switch (level) {
    case Level::l1:
        break;
    case Level::l2:
        policy.display_on_hud = true;
        break;
    case Level::l3:
        policy.display_on_hud = true;
        policy.display_on_pr = DisplayOnPr::label_only;
        break;
    case Level::l4:
        policy.display_on_hud = true;
        policy.display_on_pr = DisplayOnPr::always;
        policy.block_pr = true;
        break;
    }
    return policy;
}

std::string_view name_of(Level level) {
    switch (level) {
    case Level::l1:
        return "L1";
    case Level::l2:
        return "L2";
    case Level::l3:
        return "L3";
    case Level::l4:
        return "L4";
    }
    return "unknown";
}

std::optional<Level> level_named(std::string_view name) {
    for (const auto level : kLevels) {
        if (name_of(level) == name) {
            return level;
        }
    }
    return std::nullopt;
}

} // namespace baton::domain
