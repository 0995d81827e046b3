#include "baton/wire/profile_criterion.hpp"

#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/figure_text.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/profile.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace baton::wire {

namespace {

using domain::Comparison;
using domain::Criterion;
using domain::Figure;
using domain::FigureUnit;
using yaml::Findings;
using yaml::Kind;
using yaml::Node;

constexpr std::int64_t kWindowMax = 366;
constexpr std::int64_t kLeastMax = 1'000'000;

struct ComparisonKey {
    std::string_view name;
    Comparison comparison;
};

constexpr std::array<ComparisonKey, 4> kComparisons{{
    {.name = "below", .comparison = Comparison::below},
    {.name = "at_most", .comparison = Comparison::at_most},
    {.name = "above", .comparison = Comparison::above},
    {.name = "at_least", .comparison = Comparison::at_least},
}};

std::optional<Figure> figure_of(const Node& node, Findings& findings) {
    const auto name = yaml::text_of(node, "figure", findings);
    if (!name) {
        return std::nullopt;
    }
    const auto figure = domain::figure_named(*name);
    if (!figure) {
        std::vector<std::string_view> known;
        for (int i = 1; i <= static_cast<int>(Figure::oncall_p50); ++i) {
            known.push_back(name_of(static_cast<Figure>(i)));
        }
        findings.error(
            node.at,
            fmt::format(
                "figure: there is no \"{}\"{}", inert(*name), yaml::did_you_mean(*name, known)
            )
        );
    }
    return figure;
}

std::optional<double> target_of(const Node& node, Figure figure, Findings& findings) {
    const std::string what(node.key);
    switch (unit_of(figure)) {
    case FigureUnit::share:
        return share_of(node, what, findings);
    case FigureUnit::time:
    case FigureUnit::hours:
        if (const auto time = yaml::duration_of(node, what, findings)) {
            const auto ms = static_cast<double>(time->count());
            constexpr double kHourMs = 3'600'000;
            return unit_of(figure) == FigureUnit::time ? ms : ms / kHourMs;
        }
        return std::nullopt;
    case FigureUnit::days:
    case FigureUnit::count:
        if (const auto number =
                yaml::number_of(node, what, {.least = 0, .most = kLeastMax}, findings)) {
            return static_cast<double>(*number);
        }
        return std::nullopt;
    }
    return std::nullopt;
}

/// A target that nothing or everything meets is a mistake.
void lint_target(const Criterion& criterion, const Node& node, Findings& findings) {
    const bool share = is_share(criterion.figure);
    const auto target = criterion.target;
    const auto refuse = [&](std::string_view why) {
        findings.error(node.at, fmt::format("{}: {}", node.key, why));
    };
    if (criterion.comparison == Comparison::below && target == 0) {
        refuse("nothing is below 0: write at_most: 0");
    } else if (criterion.comparison == Comparison::above && share && target == 1) {
        refuse("nothing is above 100 %: write at_least: 100%");
    } else if (criterion.comparison == Comparison::at_least && target == 0) {
        refuse("everything is at least 0: leave it out");
    } else if (criterion.comparison == Comparison::at_most && share && target == 1) {
        refuse("everything is at most 100 %: leave it out");
    } else if (criterion.bound == domain::Bound::lower && target == 1 && share) {
        refuse("no sample is large enough for a lower bound of 100 %");
    }
    const bool window_days = criterion.figure == Figure::days_with_data;
    if (window_days && criterion.comparison == Comparison::at_least && target > criterion.window) {
        refuse(fmt::format("there are only {} days in its window", criterion.window));
    }
}

void read_comparison(const Node& node, Criterion& into, Findings& findings) {
    const Node* found = nullptr;
    for (const auto& key : kComparisons) {
        const auto* const target = node.find(key.name);
        if (target == nullptr) {
            continue;
        }
        if (found != nullptr) {
            findings.error(
                target->key_at, fmt::format("{} beside {}: one is enough", key.name, found->key)
            );
            return;
        }
        found = target;
        into.comparison = key.comparison;
    }
    if (found == nullptr) {
        findings.error(
            node.at, "a target is missing: add below, at_most, above or at_least with its value"
        );
        return;
    }
    if (const auto target = target_of(*found, into.figure, findings)) {
        into.target = *target;
        lint_target(into, *found, findings);
    }
}

void read_bound(const Node& node, Criterion& into, Findings& findings) {
    constexpr std::array<yaml::Choice<domain::Bound>, 2> kBounds{{
        {.name = "lower", .value = domain::Bound::lower},
        {.name = "upper", .value = domain::Bound::upper},
    }};
    const auto bound = yaml::choice_of<domain::Bound>(node, "bound", kBounds, findings);
    if (bound && !is_share(into.figure)) {
        findings.error(node.at, fmt::format("bound: {} has none", name_of(into.figure)));
    }
    into.bound = bound.value_or(into.bound);
}

} // namespace

std::optional<double> share_of(const Node& node, std::string_view what, Findings& findings) {
    const auto text = yaml::text_of(node, what, findings);
    if (!text) {
        return std::nullopt;
    }
    auto digits = std::string_view(*text);
    const bool percent = digits.ends_with('%');
    digits = trimmed(digits.substr(0, digits.size() - (percent ? 1 : 0)));
    double value = 0;
    const auto* const end = digits.data() + digits.size();
    const auto [stopped, error] =
        std::from_chars(digits.data(), end, value, std::chars_format::fixed);
    value /= percent ? 100 : 1;
    if (error != std::errc{} || stopped != end || !(value >= 0 && value <= 1)) {
        findings.error(
            node.at, fmt::format("{}: \"{}\" is not a share: write 90% or 0.9", what, inert(*text))
        );
        return std::nullopt;
    }
    return value;
}

std::optional<Criterion> read_criterion(const Node& node, Findings& findings) {
    constexpr std::array<std::string_view, 10> kKnown{
        "id", "figure", "window", "below", "at_most", "above", "at_least", "bound", "least", "text"
    };
    if (node.kind != Kind::mapping) {
        findings.error(
            node.at,
            fmt::format(
                "expected a criterion like {{id: l3.pass, figure: pass_raw, window: 14, at_least: "
                "90%}}, found {}",
                name_of(node.kind)
            )
        );
        return std::nullopt;
    }
    yaml::refuse_unknown_keys(node, kKnown, findings);
    Criterion criterion;
    const auto* const id = node.find("id");
    const auto* const figure = node.find("figure");
    if (id == nullptr || figure == nullptr) {
        findings.error(node.at, fmt::format("{} is missing", id == nullptr ? "id" : "figure"));
        return std::nullopt;
    }
    const auto name = yaml::text_of(*id, "id", findings);
    const auto known = figure_of(*figure, findings);
    if (!name || !known) {
        return std::nullopt;
    }
    criterion.id = *name;
    criterion.figure = *known;
    if (const auto* window = node.find("window")) {
        const yaml::Range range{.least = 1, .most = kWindowMax};
        criterion.window = static_cast<int>(
            yaml::number_of(*window, "window", range, findings).value_or(criterion.window)
        );
    }
    if (const auto* least = node.find("least")) {
        const yaml::Range range{.least = 0, .most = kLeastMax};
        criterion.least =
            static_cast<std::size_t>(yaml::number_of(*least, "least", range, findings).value_or(0));
    }
    if (const auto* bound = node.find("bound")) {
        read_bound(*bound, criterion, findings);
    }
    if (const auto* text = node.find("text")) {
        criterion.text = yaml::text_of(*text, "text", findings).value_or("");
    }
    read_comparison(node, criterion, findings);
    return criterion;
}

} // namespace baton::wire
