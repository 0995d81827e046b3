#include "baton/config/read_levels.hpp"

#include "baton/base/time.hpp"
#include "baton/config/config.hpp"
#include "baton/config/section.hpp"
#include "baton/config/values.hpp"
#include "baton/wire/yaml.hpp"

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace baton::config {

namespace yaml = wire::yaml;
using yaml::Node;

namespace {

constexpr std::string_view kNobody = "none";
constexpr Millis kDayLeast{500};

/// What ends like a file is one; anything else is the name of a profile that is built in.
std::string profile_named(const std::string& text, const Values& values) {
    if (text == kNobody) {
        return {};
    }
    const bool file = text.ends_with(".yml") || text.ends_with(".yaml");
    return file ? values.path(text) : text;
}

std::optional<Millis> day_in(const Node& node, std::string_view what, Values& values) {
    auto day = values.duration(node, what);
    if (day && (*day < kDayLeast || *day > std::chrono::hours{24})) {
        values.note(node, std::string(what) + ": between 500ms and 24h");
        day.reset();
    }
    return day;
}

} // namespace

void read_levels(const Section& file, Levels& levels, Values& values) {
    constexpr std::array<std::string_view, 2> kKnown{"profile", "day"};
    const auto* node = file.mapping_at("levels");
    if (node == nullptr) {
        return;
    }
    Section section(*node, {.name = "levels.", .known = kKnown}, values);
    section.set("profile", levels.profile, [&](const Node& value, std::string_view what) {
        const auto text = values.text(value, what);
        return text ? std::optional(profile_named(*text, values)) : std::nullopt;
    });
    section.set("day", levels.day, [&](const Node& value, std::string_view what) {
        return day_in(value, what, values);
    });
}

} // namespace baton::config
