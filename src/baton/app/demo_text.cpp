#include "baton/app/demo_text.hpp"

#include "baton/base/time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace baton::app::demo {

namespace {

bool is_continuation(char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

} // namespace

std::string with_commas(std::size_t number) {
    auto digits = std::to_string(number);
    for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
        digits.insert(static_cast<std::size_t>(at), ",");
    }
    return digits;
}

std::string clock_text(Millis since_start) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(since_start).count();
    if (seconds >= 3600) {
        return fmt::format("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    }
    return fmt::format("{}:{:02}", seconds / 60, seconds % 60);
}

std::string seconds_text(Millis duration) {
    const auto ms = duration.count();
    return fmt::format("{}.{} s", ms / 1000, ms % 1000 / 100);
}

std::string short_text(Millis duration) {
    const auto ms = duration.count();
    if (ms < 1000) {
        return fmt::format("{} ms", ms);
    }
    return ms < 60'000 ? seconds_text(duration) : fmt::format("{} min", ms / 60'000);
}

std::string plain_text(const Line& line) {
    std::string out;
    for (const auto& span : line) {
        out += span.text;
    }
    return out;
}

std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char byte) {
        return !is_continuation(byte);
    }));
}

std::string cut(std::string text, std::size_t columns) {
    if (width_of(text) <= columns) {
        return text;
    }
    std::size_t kept = 0;
    std::size_t end = 0;
    for (; end < text.size(); ++end) {
        if (!is_continuation(text[end]) && ++kept >= columns) {
            break; // its place is taken by the mark
        }
    }
    const bool inside_word = end > 0 && text[end] != ' ' && text[end - 1] != ' ';
    const auto blank = inside_word ? text.rfind(' ', end - 1) : std::string::npos;
    text.resize(blank == std::string::npos ? end : blank + 1);
    return columns == 0 ? std::string{} : text + "…";
}

std::string padded(std::string text, std::size_t columns) {
    auto out = cut(std::move(text), columns);
    out.append(columns - width_of(out), ' ');
    return out;
}

} // namespace baton::app::demo
