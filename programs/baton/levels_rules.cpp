#include "levels_rules.hpp"

#include "baton/app/files.hpp"
#include "baton/app/from_config.hpp"
#include "baton/app/surroundings.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/config/config.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/profile.hpp"
#include "baton/wire/profile.hpp"

#include <CLI/App.hpp>
#include <fmt/core.h>
#include <fmt/format.h>

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "command.hpp"
#include "store_access.hpp"

namespace baton::program {

void add_profile_option(CLI::App& command, std::string& profile) {
    command
        .add_option(
            "--profile",
            profile,
            "The rules: a label or a file; default: the configuration's, else baton/1"
        )
        ->option_text("NAME|FILE");
}

void add_day_option(CLI::App& command, std::string& day) {
    command.add_option("--day", day, "How long a day is; default: the configuration's, else 24h")
        ->option_text("LENGTH");
}

namespace {

/// One that is built in, or a file; nullopt after saying what is wrong.
std::optional<domain::Profile> profile_or_complain(const std::string& name) {
    if (const auto* known = wire::builtin_profile(name)) {
        return *known;
    }
    const auto text = app::read_file(name, limits::kAllowlistBytesMax);
    if (!text) {
        std::vector<std::string> labels;
        std::vector<std::string_view> names;
        for (const auto& one : wire::builtin_profiles()) {
            labels.push_back(label_of(one));
        }
        for (const auto& label : labels) {
            names.emplace_back(label);
        }
        const auto near = nearest(name, names);
        complain(fmt::format(
            "--profile: {} is neither built in nor a file that can be read{}",
            inert(name),
            near ? fmt::format("; did you mean {}?", *near) : ""
        ));
        return std::nullopt;
    }
    auto reading = wire::read_profile(*text);
    for (const auto& finding : reading.findings) {
        fmt::print(stderr, "{}\n", domain::to_text(finding, name));
    }
    return std::move(reading.profile);
}

std::optional<Millis> length_or_complain(const std::string& day) {
    const auto length = parse_duration(day);
    if (!length || *length <= Millis{}) {
        complain(fmt::format("--day: \"{}\" is no length: write 24h", inert(day)));
        return std::nullopt;
    }
    return *length;
}

} // namespace

std::optional<LadderRules> rules_or_complain(const RulesChoice& choice, const StoreChoice& store) {
    LadderRules rules;
    auto named = choice.profile;
    if (!store.config.empty()) {
        auto reading = config::load_levels(store.config, app::real_surroundings());
        for (const auto& finding : reading.findings) {
            fmt::print(stderr, "{}\n", domain::to_text(finding, store.config));
        }
        if (!reading.levels) {
            return std::nullopt;
        }
        rules.day = reading.levels->day;
        rules.probes = app::probes_of(reading.upstreams);
        named = named.empty() ? reading.levels->profile : named;
    }
    if (!choice.day.empty()) {
        const auto day = length_or_complain(choice.day);
        if (!day) {
            return std::nullopt;
        }
        rules.day = *day;
    }
    auto read = profile_or_complain(named.empty() ? std::string(wire::kDefaultProfile) : named);
    if (!read) {
        return std::nullopt;
    }
    rules.profile = *std::move(read);
    return rules;
}

Result<void> check_day(Millis day, TimePoint judged_as_of) {
    if (domain::day_of(judged_as_of, day) == judged_as_of) {
        return {};
    }
    return fail(
        Errc::invalid,
        fmt::format(
            "the store was judged as of {}, when no day of {} begins: say with --day how long its "
            "days "
            "are, as levels.day of the relay that judged",
            to_rfc3339(judged_as_of),
            to_text(day)
        )
    );
}

} // namespace baton::program
