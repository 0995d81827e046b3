#include "baton/domain/markdown.hpp"
#include "baton/quality/page.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <variant>

// Markdown that can be pasted into an issue: what strangers wrote stands in code, where nothing is
// looked for.

namespace baton::quality {

namespace {

constexpr std::size_t kMost = 500; // characters of a text
constexpr int kBarMost = 40;

std::string sentence(const std::string& text) {
    return domain::inert_sentence(text, kMost);
}

std::string cell_text(const Cell& cell) {
    const auto words = sentence(cell.text);
    return domain::link_to(words, cell.link).value_or(words);
}

std::string row_text(const Row& row) {
    std::string out = "|";
    for (const auto& cell : row) {
        out += fmt::format(" {} |", cell_text(cell));
    }
    return out + "\n";
}

std::string grid_text(const Grid& grid) {
    const auto columns = grid.head.empty() ? 2 : grid.head.size();
    auto out = row_text(grid.head.empty() ? Row{"", ""} : grid.head) + "|";
    for (std::size_t i = 0; i < columns; ++i) {
        out += "---|";
    }
    out += "\n";
    for (const auto& row : grid.rows) {
        out += row_text(row);
    }
    return out;
}

std::string bars_text(const Bars& bars) {
    std::string out = "| section | title | points | proven | unknown | missing | exempt |\n"
                      "|---|---|---|---|---|---|---|\n";
    for (const auto& bar : bars) {
        out += fmt::format(
            "| {} | {} | `{}` | {} | {} | {} | {} |\n",
            sentence(bar.id),
            sentence(bar.title),
            bar_text(bar, kBarMost),
            bar.proven,
            bar.unknown,
            bar.missing,
            bar.exempt
        );
    }
    return out + "\n`#` proven, `?` unknown, `.` missing, `x` exempt\n";
}

struct Writer {
    std::string operator()(const std::string& text) const { return sentence(text) + "\n"; }

    std::string operator()(const Grid& grid) const { return grid_text(grid); }

    std::string operator()(const Bars& bars) const { return bars_text(bars); }
};

} // namespace

std::string to_markdown(const Page& page) {
    auto out = fmt::format("# {}\n\n{}", sentence(page.title), grid_text(page.summary));
    int number = 0;
    for (const auto& chapter : page.chapters) {
        out += fmt::format("\n## {}. {}\n", ++number, sentence(chapter.title));
        for (const auto& block : chapter.blocks) {
            out += "\n" + std::visit(Writer{}, block);
        }
    }
    return out;
}

} // namespace baton::quality
