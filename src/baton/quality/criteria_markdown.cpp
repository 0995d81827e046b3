// The document's tables, made from the data.

#include "baton/quality/criteria.hpp"
#include "baton/quality/readings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <vector>

namespace baton::quality {

namespace {

/// A cell cannot end its row or its column.
std::string cell(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '|' || c == '\\' || c == '<' || c == '`') {
            out += '\\';
        }
        out += c == '\n' ? ' ' : c;
    }
    return out;
}

std::string points_text(const Item& item) {
    std::vector<std::string> all;
    for (const auto& part : item.parts) {
        all.push_back(fmt::format("{} {}", cell(part.id), part.points));
    }
    for (const auto& step : item.steps) {
        all.push_back(fmt::format("{} % gives {}", step.percent, step.points));
    }
    for (const auto& check : item.checks) {
        all.push_back(cell(check.text.empty() ? check.id : check.text));
    }
    return fmt::format("{}", fmt::join(all, "; "));
}

std::string requirement_text(const CriteriaSet& set, const Requirement& require) {
    std::vector<std::string> all;
    if (require.percent) {
        all.push_back(fmt::format(
            "{} points ({} %)",
            least_points(
                *require.percent, set.total(base_of(set.reading)), rounding_of(set.reading)
            ),
            *require.percent
        ));
    }
    if (require.points) {
        all.push_back(fmt::format("{} points", *require.points));
    }
    if (require.all_priority) {
        all.push_back(fmt::format("every item of priority {}", name_of(*require.all_priority)));
    }
    for (const auto& item : require.items) {
        all.push_back(cell(item));
    }
    return all.empty() ? "nothing" : fmt::format("{}", fmt::join(all, ", "));
}

void append_section(const CriteriaSet& set, const Section& section, std::string& out) {
    const int rows = set.rows_of(section.id);
    out += fmt::format("\n## {} ({})\n\n", cell(section.title), section.printed.value_or(rows));
    if (section.printed && *section.printed != rows) {
        out += fmt::format(
            "The document prints {}; the rows below sum to {}.\n\n", *section.printed, rows
        );
    }
    out += "| id | document id | item | priority | points | how |\n|---|---|---|---|---|---|\n";
    for (const auto& item : set.items) {
        if (item.section == section.id) {
            out += fmt::format(
                "| {} | {} | {} | {} | {} | {} |\n",
                cell(item.id),
                cell(item.doc_id),
                cell(item.text.empty() ? item.title : item.title + ": " + item.text),
                name_of(item.priority),
                item.max,
                points_text(item)
            );
        }
    }
}

} // namespace

std::string to_markdown(const CriteriaSet& set) {
    auto out = fmt::format(
        "# {}\n\nSet `{}`, digest `{}`.\n",
        cell(set.title.empty() ? set.set : set.title),
        label_of(set),
        set.digest
    );
    out += "\n| level | asks for | promise |\n|---|---|---|\n";
    for (const auto& level : set.levels) {
        out += fmt::format(
            "| {} | {} | {} |\n",
            cell(level.name),
            requirement_text(set, level.require),
            cell(level.promise)
        );
    }
    for (const auto& section : set.sections) {
        append_section(set, section, out);
    }
    out += fmt::format("\nAll rows sum to {}", set.rows_total());
    if (set.printed_total) {
        out += fmt::format("; the document prints {}", *set.printed_total);
    }
    return out + ".\n";
}

} // namespace baton::quality
