#include "baton/app/demo_screen.hpp"

#include "baton/app/demo_view.hpp"
#include "baton/base/text.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::app::demo {

namespace {

constexpr std::string_view kSecondPage = "\x1b[?1049h\x1b[?25l\x1b[2J";
constexpr std::string_view kFirstPage = "\x1b[?25h\x1b[?1049l";
constexpr std::string_view kHome = "\x1b[?2026h\x1b[H"; // terminals that know how show it in one go
constexpr std::string_view kEndOfLine = "\x1b[K";
constexpr std::string_view kEndOfFrame = "\x1b[J\x1b[?2026l";
constexpr std::string_view kNoTone = "\x1b[0m";

std::string environment(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? std::string{} : std::string(value);
}

/// The first of these that is set decides, as for every other program.
bool speaks_utf8() {
    for (const auto* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const auto value = lower(environment(name));
        if (!value.empty()) {
            return value.find("utf-8") != std::string::npos ||
                   value.find("utf8") != std::string::npos;
        }
    }
    return false;
}

std::string_view sequence_of(Tone tone) {
    switch (tone) {
    case Tone::plain:
        return "";
    case Tone::quiet:
        return "\x1b[2m";
    case Tone::strong:
        return "\x1b[1m";
    case Tone::good:
        return "\x1b[32m";
    case Tone::warning:
        return "\x1b[33m";
    case Tone::bad:
        return "\x1b[31m";
    }
    return "";
}

std::string in_ascii(std::string text) {
    constexpr std::array<std::pair<std::string_view, char>, 3> kSubstitutes{
        {{"·", '-'}, {"─", '-'}, {"…", '~'}}
    };
    for (const auto& [from, to] : kSubstitutes) {
        for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
            text.replace(at, from.size(), 1, to);
        }
    }
    return text;
}

bool write_all(std::string_view text) {
    while (!text.empty()) {
        const auto written = ::write(STDOUT_FILENO, text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            return false;
        }
        text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
    return true;
}

} // namespace

Screen::Screen()
    : terminal_(::isatty(STDOUT_FILENO) == 1 && environment("TERM") != "dumb")
    , colour_(terminal_ && environment("NO_COLOR").empty())
    , utf8_(speaks_utf8()) {}

Size Screen::size() const {
    struct winsize window{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) != 0 || window.ws_col == 0) {
        return {};
    }
    return {.columns = window.ws_col, .rows = window.ws_row};
}

std::string Screen::rendered(const Line& line) const {
    std::string out;
    for (const auto& span : line) {
        const auto sequence = colour_ ? sequence_of(span.tone) : std::string_view{};
        out += sequence;
        out += utf8_ ? span.text : in_ascii(span.text);
        out += sequence.empty() ? std::string_view{} : kNoTone;
    }
    return out;
}

void Screen::draw(const std::vector<Line>& lines, Size size) {
    std::string frame;
    if (!drawn_.exchange(true)) {
        frame += kSecondPage;
    }
    frame += kHome;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        frame += rendered(lines[i]);
        // After a full line the cursor still stands on its last character, which this would erase.
        frame += width_of(plain_text(lines[i])) < size.columns ? kEndOfLine : "";
        frame += i + 1 < lines.size() ? "\r\n" : "";
    }
    frame += kEndOfFrame;
    static_cast<void>(write_all(frame)); // a terminal that is gone sends SIGHUP
}

void Screen::leave() {
    if (drawn_.exchange(false)) {
        static_cast<void>(write_all(kFirstPage));
    }
}

bool Screen::print(std::string_view text) const {
    return write_all(utf8_ ? std::string(text) : in_ascii(std::string(text)));
}

} // namespace baton::app::demo
