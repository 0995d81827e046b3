// What changed between two sets of criteria.

#include "baton/quality/criteria.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::quality {

namespace {

std::string parts_text(const Item& item) {
    std::vector<std::string> all;
    for (const auto& part : item.parts) {
        all.push_back(fmt::format("{} {}", part.id, part.points));
    }
    for (const auto& step : item.steps) {
        all.push_back(fmt::format("{} % {}", step.percent, step.points));
    }
    return fmt::format("{}", fmt::join(all, ", "));
}

std::vector<std::string> details_of(const Item& before, const Item& after) {
    std::vector<std::string> details;
    const auto compare = [&](std::string_view what, const auto& old_one, const auto& new_one) {
        if (old_one != new_one) {
            details.push_back(fmt::format("{} {} -> {}", what, old_one, new_one));
        }
    };
    compare("section", before.section, after.section);
    compare("document id", before.doc_id, after.doc_id);
    compare("title", before.title, after.title);
    compare("priority", name_of(before.priority), name_of(after.priority));
    compare("kind", name_of(before.kind), name_of(after.kind));
    compare("max", before.max, after.max);
    compare("parts", parts_text(before), parts_text(after));
    return details;
}

} // namespace

std::vector<ItemChange> diff(const CriteriaSet& before, const CriteriaSet& after) {
    using What = ItemChange::What;
    std::vector<ItemChange> changes;
    for (const auto& item : before.items) {
        const auto* const now = after.find(item.id);
        if (now == nullptr) {
            changes.push_back(
                {.id = item.id, .what = What::removed, .details = {}, .points = -item.max}
            );
        } else if (auto details = details_of(item, *now); !details.empty()) {
            changes.push_back(
                {.id = item.id,
                 .what = What::changed,
                 .details = std::move(details),
                 .points = now->max - item.max}
            );
        }
    }
    for (const auto& item : after.items) {
        if (before.find(item.id) == nullptr) {
            changes.push_back(
                {.id = item.id, .what = What::added, .details = {}, .points = item.max}
            );
        }
    }
    return changes;
}

} // namespace baton::quality
