#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/level.hpp"
#include "baton/wire/allowlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

using domain::Downstream;

/// Quoted, so that no text can be taken for anything else.
std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            out += '\\';
        }
        out += c;
    }
    return out + '"';
}

std::string list_of(const std::vector<std::string>& texts) {
    std::string out;
    for (const auto& text : texts) {
        out += (out.empty() ? "" : ", ") + quoted(text);
    }
    return "[" + out + "]";
}

/// Collects the keys of one entry that are not at their default.
class Keys {
public:
    void add(std::string name, std::string value) {
        keys_.push_back({.name = std::move(name), .value = std::move(value)});
    }

    void add_if(bool differs, std::string name, std::string value) {
        if (differs) {
            add(std::move(name), std::move(value));
        }
    }

    std::vector<EntryKey> take() && { return std::move(keys_); }

private:
    std::vector<EntryKey> keys_;
};

std::string events_of(const domain::Participation& events) {
    std::vector<std::string> names;
    if (events.pull_request) {
        names.emplace_back("pull_request");
    }
    if (events.nightly) {
        names.emplace_back("nightly");
    }
    if (events.periodic) {
        names.emplace_back("periodic");
    }
    return list_of(names);
}

std::string_view name_of(domain::Trust trust) {
    switch (trust) {
    case domain::Trust::any:
        return "any";
    case domain::Trust::approved:
        return "approved";
    case domain::Trust::write:
        return "write";
    }
    return "unknown";
}

std::string pause_of(const domain::Pause& pause) {
    const auto reason = pause.reason.empty() ? std::string{} : ", reason: " + quoted(pause.reason);
    return fmt::format("{{until: {}{}}}", quoted(to_rfc3339(pause.until)), reason);
}

} // namespace

std::vector<EntryKey> keys_of(const Downstream& entry) {
    Keys keys;
    std::vector<std::string> oncalls;
    std::ranges::transform(entry.oncalls, std::back_inserter(oncalls), &Login::text);
    keys.add_if(!entry.device.empty(), "device", quoted(entry.device));
    keys.add_if(!oncalls.empty(), "oncalls", list_of(oncalls));
    keys.add_if(entry.events != domain::Participation{}, "events", events_of(entry.events));
    keys.add_if(!entry.required_jobs.empty(), "required_jobs", list_of(entry.required_jobs));
    keys.add_if(entry.trigger == domain::Trigger::label, "trigger", "label");
    keys.add_if(!entry.push_refs.empty(), "push_refs", list_of(entry.push_refs));
    keys.add_if(!entry.paths.empty(), "paths", list_of(entry.paths));
    if (entry.max_concurrent) {
        keys.add("max_concurrent", std::to_string(*entry.max_concurrent));
    }
    if (entry.max_per_day) {
        keys.add("max_per_day", std::to_string(*entry.max_per_day));
    }
    keys.add_if(!entry.schedule.empty(), "schedule", quoted(entry.schedule));
    keys.add_if(entry.role == domain::Role::publisher, "role", "publisher");
    if (entry.run_timeout) {
        keys.add("run_timeout", to_text(*entry.run_timeout));
    }
    if (entry.start_timeout) {
        keys.add("start_timeout", to_text(*entry.start_timeout));
    }
    keys.add_if(entry.trust != domain::Trust::any, "trust", std::string(name_of(entry.trust)));
    keys.add_if(entry.visibility == domain::Visibility::closed, "visibility", "private");
    if (entry.pause) {
        keys.add("pause", pause_of(*entry.pause));
    }
    return std::move(keys).take();
}

std::string to_yaml(const domain::Allowlist& allowlist) {
    std::string out;
    for (const auto level : domain::kLevels) {
        std::string entries;
        for (const auto& entry : allowlist.downstreams()) {
            if (entry.level == level) {
                const auto keys = keys_of(entry);
                entries +=
                    fmt::format("  - {}{}\n", quoted(entry.repo.text()), keys.empty() ? "" : ":");
                for (const auto& [name, value] : keys) {
                    entries += fmt::format("      {}: {}\n", name, value);
                }
            }
        }
        if (!entries.empty()) {
            out += fmt::format("{}:\n{}", domain::name_of(level), entries);
        }
    }
    return out.empty() ? "{}\n" : out;
}

} // namespace baton::wire
