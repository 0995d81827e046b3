#include "baton/base/markup.hpp"
#include "baton/domain/markdown.hpp"
#include "baton/quality/page.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

// One file that needs nothing: no script, no font, no network.

namespace baton::quality {

namespace {

constexpr std::string_view kHead =
    R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>)";

constexpr std::string_view kStyle = R"(</title>
<style>
:root{--ink:#1f2328;--dim:#59636e;--paper:#fff;--line:#d1d9e0;--band:#f6f8fa;--link:#0969da;
--proven:#1a7f37;--unknown:#bf8700;--missing:#d1d9e0;--exempt:#8250df}
@media (prefers-color-scheme:dark){:root{--ink:#f0f6fc;--dim:#9198a1;--paper:#0d1117;--line:#3d444d;
--band:#151b23;--link:#58a6ff;--proven:#3fb950;--unknown:#d29922;--missing:#3d444d;--exempt:#ab7df8}}
body{background:var(--paper);color:var(--ink);font:16px/1.5 system-ui,sans-serif;max-width:76rem;
margin:0 auto;padding:1rem}
h1{font-size:1.6rem;margin:.5rem 0}h2{font-size:1.2rem;margin:2rem 0 .5rem}
a{color:var(--link)}.dim{color:var(--dim)}
.wide{overflow-x:auto}table{border-collapse:collapse;margin:.5rem 0}
th,td{border:1px solid var(--line);padding:.25rem .6rem;text-align:left;vertical-align:top;
overflow-wrap:anywhere}
thead th{background:var(--band)}tbody th{font-weight:600;white-space:nowrap}
nav ol{columns:2;padding-left:1.4rem}svg{display:block}
.proven{fill:var(--proven)}.unknown{fill:var(--unknown)}.missing{fill:var(--missing)}
.exempt{fill:var(--exempt)}
@media print{nav{display:none}}
</style>
</head>
<body>
<main>
)";

/// The link and its words; the words alone where a link would lead nobody knows where.
std::string cell_text(const Cell& cell) {
    const auto words = inert_markup(cell.text);
    if (!domain::link_to("x", cell.link)) {
        return words;
    }
    return fmt::format(
        R"(<a href="{}" rel="nofollow noopener noreferrer">{}</a>)", inert_markup(cell.link), words
    );
}

std::string row_text(const Row& row) {
    std::string out = "<tr>";
    for (const auto& cell : row) {
        const bool names = &cell == &row.front();
        out += fmt::format(
            "{}{}{}",
            names ? R"(<th scope="row">)" : "<td>",
            cell_text(cell),
            names ? "</th>" : "</td>"
        );
    }
    return out + "</tr>\n";
}

std::string head_text(const Row& head) {
    std::string out = "<thead><tr>";
    for (const auto& cell : head) {
        out += fmt::format(R"(<th scope="col">{}</th>)", cell_text(cell));
    }
    return out + "</tr></thead>\n";
}

std::string grid_text(const Grid& grid) {
    std::string out = R"(<div class="wide"><table>)";
    out += "\n" + (grid.head.empty() ? "" : head_text(grid.head)) + "<tbody>\n";
    for (const auto& row : grid.rows) {
        out += row_text(row);
    }
    return out + "</tbody>\n</table></div>\n";
}

/// The same numbers stand beside it, so it says nothing to those who listen.
std::string bar_picture(const Bar& bar) {
    constexpr int kPoint = 8; // pixels
    const std::array<std::pair<int, std::string_view>, 4> parts{{
        {bar.proven, "proven"},
        {bar.unknown, "unknown"},
        {bar.missing, "missing"},
        {bar.exempt, "exempt"},
    }};
    std::string out;
    int from = 0;
    for (const auto& [points, name] : parts) {
        if (points > 0) {
            out += fmt::format(
                R"(<rect class="{}" x="{}" width="{}" height="14"/>)",
                name,
                from * kPoint,
                points * kPoint
            );
        }
        from += points;
    }
    return fmt::format(
        R"(<svg width="{}" height="14" aria-hidden="true">{}</svg>)", from * kPoint, out
    );
}

std::string bars_text(const Bars& bars) {
    std::string out = R"(<div class="wide"><table>)";
    out += "\n" +
           head_text({"section", "title", "points", "proven", "unknown", "missing", "exempt"}) +
           "<tbody>\n";
    for (const auto& bar : bars) {
        out += fmt::format(
            R"(<tr><th scope="row">{}</th><td>{}</td><td>{}</td>)"
            "<td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            inert_markup(bar.id),
            inert_markup(bar.title),
            bar_picture(bar),
            bar.proven,
            bar.unknown,
            bar.missing,
            bar.exempt
        );
    }
    return out + "</tbody>\n</table></div>\n";
}

struct Writer {
    std::string operator()(const std::string& text) const {
        return fmt::format("<p>{}</p>\n", inert_markup(text));
    }

    std::string operator()(const Grid& grid) const { return grid_text(grid); }

    std::string operator()(const Bars& bars) const { return bars_text(bars); }
};

} // namespace

std::string to_html(const Page& page) {
    std::string out(kHead);
    const auto title = inert_markup(page.title);
    out += title;
    out += kStyle;
    out += fmt::format("<h1>{}</h1>\n{}", title, grid_text(page.summary));
    out += "<nav aria-label=\"Chapters\"><ol>\n";
    std::size_t number = 0;
    for (const auto& chapter : page.chapters) {
        out += fmt::format(
            "<li><a href=\"#c{}\">{}</a></li>\n", ++number, inert_markup(chapter.title)
        );
    }
    out += "</ol></nav>\n";
    number = 0;
    for (const auto& chapter : page.chapters) {
        ++number;
        out += fmt::format(
            "<section aria-labelledby=\"c{0}\">\n<h2 id=\"c{0}\">{0}. {1}</h2>\n",
            number,
            inert_markup(chapter.title)
        );
        for (const auto& block : chapter.blocks) {
            out += std::visit(Writer{}, block);
        }
        out += "</section>\n";
    }
    return out + "</main>\n</body>\n</html>\n";
}

} // namespace baton::quality
