#include "baton/config/read_levels.hpp"

#include "baton/base/time.hpp"
#include "baton/config/config.hpp"
#include "baton/config/read_store.hpp"
#include "baton/config/read_upstreams.hpp"
#include "baton/config/section.hpp"
#include "baton/config/values.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

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

LevelsReading load_levels(const std::string& path, const Surroundings& surroundings) {
    constexpr std::array<std::string_view, 2> kLookedAt{"levels", "upstreams"};
    LevelsReading reading;
    const auto text = surroundings.read_file(path);
    if (!text) {
        reading.findings.push_back(cannot_be_read(text.error()));
        return reading;
    }
    yaml::Findings findings;
    auto root = yaml::read(*text, findings);
    if (root && root->kind == yaml::Kind::mapping) {
        std::erase_if(root->children, [&](const Node& child) {
            return std::ranges::find(kLookedAt, child.key) == kLookedAt.end();
        });
        Values values(std::filesystem::path(path).parent_path(), surroundings, findings);
        Section file(*root, {.name = "", .known = kLookedAt}, values);
        reading.levels.emplace();
        read_levels(file, *reading.levels, values);
        if (file.find("upstreams") != nullptr) {
            reading.upstreams = read_upstreams(file, values);
        }
    }
    reading.findings = std::move(findings).take();
    if (domain::has_errors(reading.findings)) {
        reading.levels.reset();
    }
    return reading;
}

} // namespace baton::config
