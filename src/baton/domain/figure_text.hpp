#pragma once

#include "baton/domain/ladder_day.hpp"

#include <cstdint>
#include <string>
#include <string_view>

/// Figures in words, the same for commands, reasons and notices.
namespace baton::domain {

enum class FigureUnit : std::uint8_t { share = 1, time, hours, days, count };

FigureUnit unit_of(Figure figure);
std::string_view name_of(FigureUnit unit); // "share"
bool is_share(Figure figure);

/// "pass rate after exclusions"
std::string_view phrase_of(Figure figure);

/// "94.2 %", "2 h 5 min", "30 days", "72 h", "17"
std::string figure_text(Figure figure, double value);

} // namespace baton::domain
