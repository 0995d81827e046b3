// What a document of criteria has wrong.

#include "baton/base/text.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/readings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::quality {

namespace {

void note(
    std::vector<Finding>& findings,
    std::string_view code,
    Severity severity,
    Position at,
    std::string message
) {
    findings.push_back(
        {.code = std::string(code),
         .severity = severity,
         .at = at,
         .message = std::move(message),
         .hint = {}}
    );
}

void check_sums(const CriteriaSet& set, std::vector<Finding>& findings) {
    for (const auto& section : set.sections) {
        const int rows = set.rows_of(section.id);
        if (section.printed && *section.printed != rows) {
            note(
                findings,
                "C001",
                Severity::warning,
                section.at,
                fmt::format(
                    "section {} prints {}, its rows sum to {}",
                    inert(section.id),
                    *section.printed,
                    rows
                )
            );
        }
    }
    if (set.printed_total && *set.printed_total != set.rows_total()) {
        note(
            findings,
            "C002",
            Severity::warning,
            set.printed_at,
            fmt::format(
                "the printed total is {}, all rows sum to {}", *set.printed_total, set.rows_total()
            )
        );
    }
}

void check_doc_ids(const CriteriaSet& set, std::vector<Finding>& findings) {
    for (const auto& section : set.sections) {
        std::map<std::int64_t, const Item*> numbers;
        std::map<std::string, const Item*> seen;
        for (const auto& item : set.items) {
            if (item.section != section.id || item.doc_id.empty()) {
                continue;
            }
            const auto [first, is_new] = seen.emplace(item.doc_id, &item);
            if (!is_new) {
                note(
                    findings,
                    "C003",
                    Severity::warning,
                    item.at,
                    fmt::format(
                        "section {}: document id {} of {} is also that of {}",
                        inert(section.id),
                        inert(item.doc_id),
                        inert(item.id),
                        inert(first->second->id)
                    )
                );
            }
            if (const auto number = whole_number(item.doc_id)) {
                numbers.emplace(*number, &item);
            }
        }
        std::int64_t expected = 1;
        for (const auto& [number, item] : numbers) {
            if (number > expected) {
                note(
                    findings,
                    "C004",
                    Severity::warning,
                    item->at,
                    number == expected + 1
                        ? fmt::format("section {}: no document id {}", inert(section.id), expected)
                        : fmt::format(
                              "section {}: no document ids {} to {}",
                              inert(section.id),
                              expected,
                              number - 1
                          )
                );
            }
            expected = number + 1;
        }
    }
}

void check_item(const Item& item, std::vector<Finding>& findings) {
    const auto refuse = [&](Position at, std::string message) {
        note(findings, "C007", Severity::error, at, fmt::format("{}: {}", inert(item.id), message));
    };
    if (item.kind == Kind::add) {
        int sum = 0;
        for (const auto& part : item.parts) {
            sum += part.points;
        }
        if (sum != item.max) {
            refuse(item.at, fmt::format("its parts sum to {}, its max is {}", sum, item.max));
        }
    }
    if (item.kind != Kind::step) {
        return;
    }
    int percent = 0;
    int points = 0;
    for (const auto& step : item.steps) {
        if (step.percent <= percent || step.points <= points) {
            refuse(step.at, "its steps have to rise, in percent and in points");
        }
        percent = step.percent;
        points = step.points;
    }
    if (points != item.max) {
        refuse(item.at, fmt::format("its last step gives {}, its max is {}", points, item.max));
    }
}

void check_levels(const CriteriaSet& set, std::vector<Finding>& findings) {
    const int rows = set.rows_total();
    const Level* better = nullptr;
    for (const auto& level : set.levels) {
        const auto& require = level.require;
        int asked = require.points.value_or(0);
        if (require.percent) {
            asked = std::max(
                asked,
                least_points(
                    *require.percent, set.total(base_of(set.reading)), rounding_of(set.reading)
                )
            );
        }
        if (asked > rows) {
            note(
                findings,
                "C006",
                Severity::error,
                level.at,
                fmt::format(
                    "level {} asks for {} points, all rows sum to {}",
                    inert(level.name),
                    asked,
                    rows
                )
            );
        }
        const bool asks_no_less =
            better != nullptr && better->require.items.empty() && !better->require.all_priority &&
            better->require.percent.value_or(0) <= require.percent.value_or(0) &&
            better->require.points.value_or(0) <= require.points.value_or(0);
        if (asks_no_less) {
            note(
                findings,
                "C005",
                Severity::error,
                level.at,
                fmt::format(
                    "level {} is never reached: whatever reaches it reaches {}",
                    inert(level.name),
                    inert(better->name)
                )
            );
        }
        better = &level;
    }
}

} // namespace

std::vector<Finding> check(const CriteriaSet& set) {
    std::vector<Finding> findings;
    check_sums(set, findings);
    check_doc_ids(set, findings);
    for (const auto& item : set.items) {
        check_item(item, findings);
    }
    check_levels(set, findings);
    return findings;
}

} // namespace baton::quality
