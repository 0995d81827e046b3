#pragma once

#include "baton/base/time.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// Text with a meaning but without a terminal: what `baton demo` builds its screen from.
namespace baton::app::demo {

/// What a piece of text means; the screen may give it a colour. The words say the same without it.
enum class Tone : std::uint8_t { plain = 1, quiet, strong, good, warning, bad };

struct Span {
    Tone tone{Tone::plain};
    std::string text; // UTF-8, each character one column wide
};

using Line = std::vector<Span>;

std::string with_commas(std::size_t number); // 12,345
std::string clock_text(Millis since_start);  // 1:05, 1:02:03
std::string seconds_text(Millis duration);   // 0.8 s, 3.1 s
std::string short_text(Millis duration);     // 24 ms, 3.1 s, 2 min
std::string plain_text(const Line& line);    // without tones
std::size_t width_of(std::string_view text); // in characters
/// What does not fit is left out from the last whole word on, and … stands there. A single word is
/// cut where it must be.
std::string cut(std::string text, std::size_t columns);
std::string padded(std::string text, std::size_t columns); // cut or filled up on the right

} // namespace baton::app::demo
