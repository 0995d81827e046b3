#include "baton/sim/control_args.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"

#include <boost/json/array.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace baton::sim {

namespace {

auto wrong(std::string_view name, std::string_view want) {
    return fail(Errc::invalid, fmt::format("\"{}\" must be {}", name, want));
}

} // namespace

Result<std::string> ControlArgs::text(std::string_view name, std::string otherwise) const {
    const auto* const value = find(name);
    if (value == nullptr) {
        return otherwise;
    }
    if (!value->is_string()) {
        return wrong(name, "a text");
    }
    return std::string(value->as_string());
}

Result<std::int64_t> ControlArgs::number(std::string_view name, std::int64_t otherwise) const {
    const auto* const value = find(name);
    if (value == nullptr) {
        return otherwise;
    }
    if (!value->is_int64()) {
        return wrong(name, "a whole number");
    }
    return value->as_int64();
}

Result<double> ControlArgs::ratio(std::string_view name, double otherwise) const {
    const auto* const value = find(name);
    if (value == nullptr) {
        return otherwise;
    }
    const auto number = value->is_number() ? value->to_number<double>() : -1.0;
    if (number < 0.0 || number > 1.0) {
        return wrong(name, "a number from 0 to 1");
    }
    return number;
}

Result<bool> ControlArgs::flag(std::string_view name, bool otherwise) const {
    const auto* const value = find(name);
    if (value == nullptr) {
        return otherwise;
    }
    if (!value->is_bool()) {
        return wrong(name, "true or false");
    }
    return value->as_bool();
}

Result<std::vector<std::string>> ControlArgs::texts(std::string_view name) const {
    std::vector<std::string> out;
    const auto* const value = find(name);
    if (value == nullptr) {
        return out;
    }
    if (!value->is_array()) {
        return wrong(name, "a list of texts");
    }
    for (const auto& each : value->as_array()) {
        if (!each.is_string()) {
            return wrong(name, "a list of texts");
        }
        out.emplace_back(each.as_string());
    }
    return out;
}

Result<RepoName> ControlArgs::repo(std::string_view name) const {
    BATON_TRY(const auto full_name, text(name));
    return RepoName::parse(full_name);
}

} // namespace baton::sim
