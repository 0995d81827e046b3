#include "baton/config/read_retention.hpp"

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

namespace {

// GitHub's log, by which recovery looks for what is missing, covers three days, and so does trying
// to send: what was taken in that time has to be whole.
constexpr Millis kLeast{std::chrono::days{7}};
constexpr Millis kMost{std::chrono::days{3650}};

} // namespace

void read_retention(const Section& file, Retention& retention, Values& values) {
    constexpr std::array<std::string_view, 1> kKnown{"bodies"};
    const auto* node = file.mapping_at("retention");
    if (node == nullptr) {
        return;
    }
    Section section(*node, {.name = "retention.", .known = kKnown}, values);
    section.set(
        "bodies",
        retention.bodies,
        [&](const wire::yaml::Node& value, std::string_view what) -> std::optional<Millis> {
            const auto time = values.duration(value, what);
            if (time && (*time < kLeast || *time > kMost)) {
                values.note(value, std::string(what) + ": between 7d and 3650d");
                return std::nullopt;
            }
            return time;
        }
    );
}

} // namespace baton::config
