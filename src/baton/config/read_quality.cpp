#include "baton/config/read_quality.hpp"

#include "baton/config/config.hpp"
#include "baton/config/section.hpp"
#include "baton/config/values.hpp"
#include "baton/wire/yaml.hpp"

#include <array>
#include <optional>
#include <string_view>

namespace baton::config {

void read_quality(const Section& file, Quality& quality, Values& values) {
    constexpr std::array<std::string_view, 2> kKnown{"assessments", "criteria"};
    const auto* node = file.mapping_at("quality");
    if (node == nullptr) {
        return;
    }
    Section section(*node, {.name = "quality.", .known = kKnown}, values);
    const auto folder = [&values](const wire::yaml::Node& value, std::string_view what) {
        const auto text = values.text(value, what);
        return text ? std::optional(values.path(*text)) : std::nullopt;
    };
    section.need(
        "assessments", "the folder with PLATFORM/RELEASE.yml", quality.assessments, folder
    );
    section.set("criteria", quality.criteria, folder);
}

} // namespace baton::config
