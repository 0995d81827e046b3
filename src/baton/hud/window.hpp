#pragma once

#include "baton/base/time.hpp"
#include "baton/ports/views.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace baton::hud {

/// How far back figures go: whole UTC days, today included.
struct Window {
    std::string name; // "7d"
    ports::ViewWindow days;
};

/// 1d, 7d, 14d, 30d or 90d; nullopt for anything else.
std::optional<Window> window_named(std::string_view name, TimePoint now);

} // namespace baton::hud
