#include "baton/hud/window.hpp"

#include "baton/base/time.hpp"

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::hud {

std::optional<Window> window_named(std::string_view name, TimePoint now) {
    using Days = std::chrono::days;
    constexpr std::array<std::pair<std::string_view, int>, 5> kWindows{
        {{"1d", 1}, {"7d", 7}, {"14d", 14}, {"30d", 30}, {"90d", 90}}
    };
    for (const auto& [known, days] : kWindows) {
        if (known == name) {
            const TimePoint tomorrow = std::chrono::floor<Days>(now) + Days(1);
            return Window{
                .name = std::string(name),
                .days = {.from = tomorrow - Days(days), .until = tomorrow},
            };
        }
    }
    return std::nullopt;
}

} // namespace baton::hud
