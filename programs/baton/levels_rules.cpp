#include "levels_rules.hpp"

#include "baton/app/files.hpp"
#include "baton/app/from_config.hpp"
#include "baton/app/surroundings.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/text.hpp"
#include "baton/config/config.hpp"
#include "baton/domain/allowlist.hpp"
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

} // namespace

std::optional<LadderRules> rules_or_complain(const std::string& profile, const StoreChoice& store) {
    LadderRules rules;
    auto named = profile;
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
        named = profile.empty() ? reading.levels->profile : profile;
    }
    auto read = profile_or_complain(named.empty() ? std::string(wire::kDefaultProfile) : named);
    if (!read) {
        return std::nullopt;
    }
    rules.profile = *std::move(read);
    return rules;
}

} // namespace baton::program
