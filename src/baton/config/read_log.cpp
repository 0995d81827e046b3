#include "baton/config/read_log.hpp"

#include "baton/config/config.hpp"
#include "baton/config/section.hpp"
#include "baton/config/values.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <array>
#include <string_view>

namespace baton::config {

namespace yaml = wire::yaml;
using yaml::Findings;
using yaml::Node;

void read_log(const Section& file, Log& log, Values& values) {
    constexpr std::array<std::string_view, 2> kKnown{"format", "level"};
    constexpr std::array<yaml::Choice<LogFormat>, 2> kFormats{
        {{.name = "text", .value = LogFormat::text}, {.name = "json", .value = LogFormat::json}}
    };
    constexpr std::array<yaml::Choice<LogLevel>, 4> kLevels{
        {{.name = "debug", .value = LogLevel::debug},
         {.name = "info", .value = LogLevel::info},
         {.name = "warn", .value = LogLevel::warn},
         {.name = "error", .value = LogLevel::error}}
    };
    const auto* node = file.mapping_at("log");
    if (node == nullptr) {
        return;
    }
    Section section(*node, {.name = "log.", .known = kKnown}, values);
    section.set("format", log.format, [&](const Node& value, std::string_view what) {
        return values.through(value, what, [&](const Node& word, Findings& findings) {
            return yaml::choice_of<LogFormat>(word, what, kFormats, findings);
        });
    });
    section.set("level", log.level, [&](const Node& value, std::string_view what) {
        return values.through(value, what, [&](const Node& word, Findings& findings) {
            return yaml::choice_of<LogLevel>(word, what, kLevels, findings);
        });
    });
}

} // namespace baton::config
