// baton quality criteria show SET [ITEM...]

#include "baton/base/markup.hpp"
#include "baton/base/text.hpp"
#include "baton/quality/criteria.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command.hpp"
#include "print.hpp"
#include "quality_criteria.hpp"

namespace baton::program {

namespace {

namespace json = boost::json;

json::array texts_json(const std::vector<std::string>& all) {
    json::array out;
    for (const auto& text : all) {
        out.emplace_back(json_text(text));
    }
    return out;
}

json::object json_of(const quality::Item& item) {
    json::array parts;
    for (const auto& part : item.parts) {
        parts.emplace_back(json::object{{"id", json_text(part.id)}, {"points", part.points}});
    }
    json::array steps;
    for (const auto& step : item.steps) {
        steps.emplace_back(json::object{{"percent", step.percent}, {"points", step.points}});
    }
    json::array checks;
    for (const auto& check : item.checks) {
        checks.emplace_back(json_text(check.id));
    }
    return {
        {"id", json_text(item.id)},
        {"section", json_text(item.section)},
        {"doc_id", json_text(item.doc_id)},
        {"title", json_text(item.title)},
        {"text", json_text(item.text)},
        {"priority", name_of(item.priority)},
        {"kind", name_of(item.kind)},
        {"max", item.max},
        {"parts", std::move(parts)},
        {"steps", std::move(steps)},
        {"checks", std::move(checks)},
        {"evidence",
         json::object{
             {"types", texts_json(item.evidence.types)},
             {"max_age_days",
              item.evidence.max_age_days > 0 ? json::value(item.evidence.max_age_days) : nullptr},
             {"of_release", item.evidence.of_release},
             {"public", item.evidence.open},
         }},
        {"interpretations", texts_json(item.interpretations)},
        {"remedy", json_text(item.remedy)},
    };
}

std::string ways_text(const quality::Item& item) {
    std::vector<std::string> all;
    for (const auto& part : item.parts) {
        all.push_back(fmt::format("{} {}", part.id, part.points));
    }
    for (const auto& step : item.steps) {
        all.push_back(fmt::format("{} % {}", step.percent, step.points));
    }
    for (const auto& check : item.checks) {
        all.push_back(check.id);
    }
    return fmt::format("{}", fmt::join(all, ", "));
}

/// "junit, ci-metric or url; at most 30 days old; of the release itself; public"
std::string evidence_text(const quality::EvidenceRule& rule) {
    std::vector<std::string> all;
    if (!rule.types.empty()) {
        all.push_back(fmt::format("{}", fmt::join(rule.types, ", ")));
    }
    if (rule.max_age_days > 0) {
        all.push_back(fmt::format("at most {} days old", rule.max_age_days));
    }
    if (rule.of_release) {
        all.emplace_back("of the release itself");
    }
    if (rule.open) {
        all.emplace_back("public");
    }
    return all.empty() ? "of any kind" : fmt::format("{}", fmt::join(all, "; "));
}

/// All that is known of an item, for who has to answer it.
void print_item(const quality::Item& item) {
    const auto line = [](std::string_view name, const std::string& text) {
        if (!text.empty()) {
            fmt::print("  {:<9} {}\n", name, inert_whole(text));
        }
    };
    fmt::print(
        "{} {}: {}, {}, {}\n",
        inert(item.id),
        inert(item.title),
        name_of(item.priority),
        name_of(item.kind),
        counted(static_cast<std::size_t>(item.max), "point")
    );
    line("asks for", item.text);
    for (const auto& part : item.parts) {
        line("part", fmt::format("{} ({}) {}", part.id, part.points, part.text));
    }
    for (const auto& step : item.steps) {
        line("step", fmt::format("{} % ({})", step.percent, step.points));
    }
    for (const auto& check : item.checks) {
        line("check", fmt::format("{} {}", check.id, check.text));
    }
    line("evidence", evidence_text(item.evidence));
    line(
        "exempt",
        item.exempt_without.empty() ? "" : fmt::format("without target {}", item.exempt_without)
    );
    line("helps", item.remedy);
    line("read as", fmt::format("{}", fmt::join(item.interpretations, ", ")));
}

/// The items that were asked for by id; nullopt after saying which is none.
std::optional<std::vector<const quality::Item*>>
items_or_complain(const quality::CriteriaSet& set, const std::vector<std::string>& ids) {
    std::vector<const quality::Item*> items;
    for (const auto& id : ids) {
        items.push_back(set.find(id));
        if (items.back() == nullptr) {
            complain(fmt::format("{} has no item {}", inert(label_of(set)), inert(id)));
            return std::nullopt;
        }
    }
    return items;
}

} // namespace

int show_criteria(const CriteriaCommand& command) {
    int exit_code = Exit::ok;
    const auto set = set_or_complain(command.names.front(), exit_code);
    if (!set) {
        return exit_code;
    }
    const auto asked =
        items_or_complain(*set, {std::next(command.names.begin()), command.names.end()});
    if (!asked) {
        return Exit::unusable;
    }
    if (command.json) {
        auto out = json_of(*set);
        json::array levels;
        for (const auto& level : set->levels) {
            levels.emplace_back(json::object{{"rank", level.rank}, {"name", json_text(level.name)}}
            );
        }
        json::array items;
        for (const auto& item : set->items) {
            if (asked->empty() || std::ranges::find(*asked, &item) != asked->end()) {
                items.emplace_back(json_of(item));
            }
        }
        out["levels"] = std::move(levels);
        out["items"] = std::move(items);
        print_json(out);
        return Exit::ok;
    }
    if (!asked->empty()) {
        for (const auto* const item : *asked) {
            print_item(*item);
        }
        return Exit::ok;
    }
    fmt::print(
        "{}: {} items, {} points by rows{}\n",
        inert(label_of(*set)),
        set->items.size(),
        set->rows_total(),
        set->printed_total ? fmt::format(", {} printed", *set->printed_total) : ""
    );
    Table table({"ITEM", "PRIORITY", "KIND", "MAX", "TITLE", "PARTS, STEPS OR CHECKS"});
    for (const auto& item : set->items) {
        table.add(
            {item.id,
             std::string(name_of(item.priority)),
             std::string(name_of(item.kind)),
             fmt::format("{}", item.max),
             item.title,
             ways_text(item)}
        );
    }
    fmt::print("{}", table.text());
    return Exit::ok;
}

} // namespace baton::program
