#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// A report laid out for people, and the three ways to write it down. What stands in it may come
/// from anybody: each renderer makes it harmless, once.
namespace baton::quality {

struct Cell {
    std::string text;
    std::string link; // http or https, else it is not made a link

    Cell(std::string words, std::string to = {}) // NOLINT(google-explicit-constructor): rows read
        : text(std::move(words))                 // as rows
        , link(std::move(to)) {}

    Cell(const char* words) // NOLINT(google-explicit-constructor)
        : text(words) {}

    Cell(std::integral auto number) // NOLINT(google-explicit-constructor)
        : text(std::to_string(number)) {}
};

using Row = std::vector<Cell>;

struct Grid {
    Row head; // none: the first column names what stands in the second
    std::vector<Row> rows;
};

/// Points of a section: what is proven, unknown, missing and left out.
struct Bar {
    std::string id;
    std::string title;
    int proven{0};
    int unknown{0};
    int missing{0};
    int exempt{0};
};

using Bars = std::vector<Bar>;
using Block = std::variant<std::string, Grid, Bars>; // a text: one paragraph

struct Chapter {
    std::string title;
    std::vector<Block> blocks; // never empty
};

struct Page {
    std::string title;
    Grid summary;
    std::vector<Chapter> chapters; // numbered from 1
};

inline constexpr std::size_t kTextColumns = 100;

std::string to_text(const Page& page); // fits kTextColumns
std::string to_markdown(const Page& page);
/// One file: no script, nothing loaded, light and dark as the reader likes it.
std::string to_html(const Page& page);

/// `##########??..x`: one sign for each point, less when there are more than `most`.
std::string bar_text(const Bar& bar, int most);

} // namespace baton::quality
