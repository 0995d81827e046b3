#include "baton/base/markup.hpp"
#include "baton/quality/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// Plain text for terminals and logs.

namespace baton::quality {

namespace {

constexpr int kBarMost = 40;
constexpr std::size_t kBetween = 2; // blanks between two columns
constexpr std::size_t kNarrow = 6;  // no column is made narrower

using Lines = std::vector<std::string>;

std::size_t width_of(std::string_view text) { // characters, not bytes
    return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

/// The first `width` characters.
std::string_view head_of(std::string_view text, std::size_t width) {
    std::size_t bytes = 0;
    while (bytes < text.size() && width > 0) {
        ++bytes;
        while (bytes < text.size() && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) {
            ++bytes;
        }
        --width;
    }
    return text.substr(0, bytes);
}

/// Broken at blanks; a word that does not fit is broken where it has to be.
Lines wrapped(std::string_view text, std::size_t width) {
    Lines lines(1);
    while (!text.empty()) {
        auto word = text.substr(0, text.find(' '));
        const auto used = width_of(lines.back());
        const auto gap = used == 0 ? 0U : 1U;
        if (used + gap + width_of(word) <= width) {
            lines.back().append(gap, ' ').append(word);
            text.remove_prefix(std::min(word.size() + 1, text.size()));
        } else if (used == 0) {
            word = head_of(word, width);
            lines.back() = word;
            text.remove_prefix(word.size());
            lines.emplace_back();
        } else {
            lines.emplace_back();
        }
    }
    if (lines.size() > 1 && lines.back().empty()) {
        lines.pop_back();
    }
    return lines;
}

using Texts = std::vector<std::vector<std::string>>;

Texts texts_of(const Grid& grid) {
    Texts rows;
    const auto add = [&](const Row& row) {
        auto& texts = rows.emplace_back();
        for (const auto& cell : row) {
            texts.push_back(inert_whole(cell.text));
        }
    };
    if (!grid.head.empty()) {
        add(grid.head);
    }
    for (const auto& row : grid.rows) {
        add(row);
    }
    return rows;
}

std::size_t longest_word(std::string_view text) {
    std::size_t longest = 0;
    while (!text.empty()) {
        const auto word = text.substr(0, text.find(' '));
        longest = std::max(longest, width_of(word));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
    }
    return longest;
}

/// As wide as the widest cell. The widest columns give way until all fit, first without breaking
/// words.
std::vector<std::size_t> widths_of(const Texts& rows) {
    std::vector<std::size_t> widths(rows.empty() ? 0 : rows.front().size());
    std::vector<std::size_t> words(widths.size());
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size() && i < widths.size(); ++i) {
            widths[i] = std::max(widths[i], width_of(row[i]));
            words[i] = std::max(words[i], longest_word(row[i]));
        }
    }
    const auto room = kTextColumns - std::min(kTextColumns, kBetween * widths.size());
    while (std::accumulate(widths.begin(), widths.end(), std::size_t{0}) > room) {
        std::size_t widest = widths.size();
        for (std::size_t i = 0; i < widths.size(); ++i) {
            if (widths[i] > words[i] && (widest == widths.size() || widths[i] > widths[widest])) {
                widest = i;
            }
        }
        if (widest == widths.size()) {
            const auto most = std::ranges::max_element(widths);
            if (*most <= kNarrow) {
                break;
            }
            widest = static_cast<std::size_t>(most - widths.begin());
            words[widest] = 0;
        }
        --widths[widest];
    }
    return widths;
}

std::string grid_text(const Grid& grid) {
    const auto rows = texts_of(grid);
    const auto widths = widths_of(rows);
    std::string out;
    for (const auto& row : rows) {
        std::vector<Lines> cells;
        std::size_t height = 1;
        for (std::size_t i = 0; i < row.size(); ++i) {
            cells.push_back(wrapped(row[i], widths[i]));
            height = std::max(height, cells.back().size());
        }
        for (std::size_t line = 0; line < height; ++line) {
            std::string text;
            for (std::size_t i = 0; i < cells.size(); ++i) {
                const auto piece = line < cells[i].size() ? cells[i][line] : "";
                text += piece + std::string(widths[i] - width_of(piece) + kBetween, ' ');
            }
            text.erase(text.find_last_not_of(' ') + 1);
            out += text + "\n";
        }
    }
    return out;
}

std::string bars_text(const Bars& bars) {
    Grid grid;
    for (const auto& bar : bars) {
        grid.rows.push_back(
            {bar.id,
             bar_text(bar, kBarMost),
             fmt::format("{}/{}", bar.proven, bar.proven + bar.unknown + bar.missing),
             bar.title}
        );
    }
    return grid_text(grid) + "(# proven  ? unknown  . missing  x exempt)\n";
}

std::string paragraph(const std::string& text) {
    std::string out;
    for (const auto& line : wrapped(inert_whole(text), kTextColumns)) {
        out += line + "\n";
    }
    return out;
}

struct Writer {
    std::string operator()(const std::string& text) const { return paragraph(text); }

    std::string operator()(const Grid& grid) const { return grid_text(grid); }

    std::string operator()(const Bars& bars) const { return bars_text(bars); }
};

std::string heading(const std::string& title, char line) {
    const auto text = paragraph(title);
    return text + std::string(std::min(width_of(text) - 1, kTextColumns), line) + "\n";
}

} // namespace

std::string bar_text(const Bar& bar, int most) {
    const int all = bar.proven + bar.unknown + bar.missing + bar.exempt;
    const auto upto = [&](int points) { return all > most ? points * most / all : points; };
    const std::pair<int, char> parts[]{
        {bar.proven, '#'}, {bar.unknown, '?'}, {bar.missing, '.'}, {bar.exempt, 'x'}
    };
    std::string out;
    int points = 0;
    for (const auto& [count, sign] : parts) {
        points += count;
        out.resize(static_cast<std::size_t>(upto(points)), sign);
    }
    return out;
}

std::string to_text(const Page& page) {
    auto out = heading(page.title, '=') + grid_text(page.summary);
    int number = 0;
    for (const auto& chapter : page.chapters) {
        out += "\n" + heading(fmt::format("{} {}", ++number, chapter.title), '-');
        for (const auto& block : chapter.blocks) {
            out += (&block == &chapter.blocks.front() ? "" : "\n") + std::visit(Writer{}, block);
        }
    }
    return out;
}

} // namespace baton::quality
