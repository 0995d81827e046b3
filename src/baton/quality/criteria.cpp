#include "baton/quality/criteria.hpp"

#include "baton/base/text.hpp"
#include "baton/domain/profile.hpp"
#include "baton/quality/readings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::quality {

namespace {

constexpr std::int64_t kThousand = 1000;
constexpr std::int64_t kAmountMax = 1'000'000;

} // namespace

std::string_view name_of(Kind kind) {
    switch (kind) {
    case Kind::bin:
        return "bin";
    case Kind::add:
        return "add";
    case Kind::step:
        return "step";
    case Kind::metric:
        return "metric";
    }
    return "";
}

std::string_view name_of(Priority priority) {
    switch (priority) {
    case Priority::p0:
        return "P0";
    case Priority::p1:
        return "P1";
    case Priority::p2:
        return "P2";
    }
    return "";
}

std::string to_text(Amount amount) {
    auto text = fmt::format("{}", amount.thousandths / kThousand);
    if (const auto rest = amount.thousandths % kThousand; rest != 0) {
        text += fmt::format(".{:03}", rest);
        text.erase(text.find_last_not_of('0') + 1);
    }
    return text;
}

std::optional<Amount> parse_amount(std::string_view text) {
    constexpr std::size_t kDecimals = 3;
    const auto dot = text.find('.');
    const auto whole = whole_number(text.substr(0, dot));
    if (!whole || *whole > kAmountMax) {
        return std::nullopt;
    }
    Amount amount{.thousandths = *whole * kThousand};
    if (dot != std::string_view::npos) {
        std::string decimals(text.substr(dot + 1));
        if (decimals.empty() || decimals.size() > kDecimals) {
            return std::nullopt;
        }
        decimals.resize(kDecimals, '0');
        const auto rest = whole_number(decimals);
        if (!rest) {
            return std::nullopt;
        }
        amount.thousandths += *rest;
    }
    return amount;
}

bool holds(Amount left, Comparison comparison, Amount right) {
    switch (comparison) {
    case Comparison::below:
        return left < right;
    case Comparison::at_most:
        return left <= right;
    case Comparison::above:
        return left > right;
    case Comparison::at_least:
        return left >= right;
    }
    return false;
}

const Item* CriteriaSet::find(std::string_view id) const {
    const auto found = std::ranges::find(items, id, &Item::id);
    return found == items.end() ? nullptr : &*found;
}

const Level* CriteriaSet::level(int rank) const {
    const auto found = std::ranges::find(levels, rank, &Level::rank);
    return found == levels.end() ? nullptr : &*found;
}

const Level* CriteriaSet::level_named(std::string_view name) const {
    const auto found = std::ranges::find(levels, name, &Level::name);
    return found == levels.end() ? nullptr : &*found;
}

int CriteriaSet::rows_total() const {
    int sum = 0;
    for (const auto& item : items) {
        sum += item.max;
    }
    return sum;
}

int CriteriaSet::total(Base base) const {
    return base == Base::printed ? printed_total.value_or(rows_total()) : rows_total();
}

int CriteriaSet::rows_of(std::string_view section) const {
    int sum = 0;
    for (const auto& item : items) {
        sum += item.section == section ? item.max : 0;
    }
    return sum;
}

std::string label_of(const CriteriaSet& set) {
    return fmt::format("{}/{}", set.set, set.version);
}

} // namespace baton::quality
