#include "baton/config/read_retention.hpp"

#include "baton/base/time.hpp"
#include "baton/config/config.hpp"
#include "baton/config/section.hpp"
#include "baton/config/values.hpp"
#include "baton/wire/yaml.hpp"

#include <fmt/format.h>

#include <array>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace baton::config {

namespace {

// GitHub's log, by which recovery looks for what is missing, covers three days, and so does trying
// to send: what was taken in that time has to be whole.
constexpr Millis kBodiesLeast{std::chrono::days{7}};
// The pages' longest window is 90 days: what it shows has to be there.
constexpr Millis kResultsLeast{std::chrono::days{100}};
constexpr Millis kMost{std::chrono::days{3650}};

std::string in_days(Millis time) {
    return fmt::format("{}d", std::chrono::duration_cast<std::chrono::days>(time).count());
}

} // namespace

void read_retention(const Section& file, Retention& retention, Values& values) {
    constexpr std::array<std::string_view, 2> kKnown{"bodies", "results"};
    const auto* node = file.mapping_at("retention");
    if (node == nullptr) {
        return;
    }
    Section section(*node, {.name = "retention.", .known = kKnown}, values);
    const auto at_least = [&values](Millis least) {
        return
            [&values,
             least](const wire::yaml::Node& value, std::string_view what) -> std::optional<Millis> {
                const auto time = values.duration(value, what);
                if (time && (*time < least || *time > kMost)) {
                    values.note(
                        value,
                        fmt::format("{}: between {} and {}", what, in_days(least), in_days(kMost))
                    );
                    return std::nullopt;
                }
                return time;
            };
    };
    section.set("bodies", retention.bodies, at_least(kBodiesLeast));
    section.set("results", retention.results, at_least(kResultsLeast));
    if (retention.results < retention.bodies) {
        values.note(*node, "retention: results have to be kept as long as bodies at least");
    }
}

} // namespace baton::config
