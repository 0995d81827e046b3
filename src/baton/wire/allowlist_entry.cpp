#include "baton/wire/allowlist_entry.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/cron.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

using domain::Downstream;
using yaml::Choice;
using yaml::Findings;
using yaml::Kind;
using yaml::Node;

constexpr std::size_t kDeviceBytesMax = 50; // GitHub's bound for a whole label
constexpr std::size_t kHandleBytesMax = 100;
constexpr std::int64_t kCountMax = 1'000'000;

bool is_word(std::string_view text, std::string_view punctuation) {
    return std::ranges::all_of(text, [punctuation](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               punctuation.find(c) != std::string_view::npos;
    });
}

/// A user or, with a slash, a team.
void add_oncall(std::string_view text, const Node& node, Downstream& into, Findings& findings) {
    auto handle = trimmed(text);
    if (handle.starts_with('@')) {
        handle.remove_prefix(1);
    }
    if (handle.empty() || handle.size() > kHandleBytesMax || !is_word(handle, "-_./[]")) {
        findings.error(
            node.at,
            fmt::format(
                "oncalls: \"{}\" is not a GitHub handle; several are written [alice, bob] or "
                "\"alice, bob\"",
                inert(trimmed(text))
            )
        );
        return;
    }
    const auto same = [&handle](const Login& known) {
        return lower(known.text()) == lower(handle);
    };
    if (std::ranges::any_of(into.oncalls, same)) {
        findings.warning(node.at, fmt::format("oncalls: {} stands twice", handle));
        return;
    }
    into.oncalls.emplace_back(std::string(handle));
}

void add_oncalls(std::string_view text, const Node& node, Downstream& into, Findings& findings) {
    while (!trimmed(text).empty()) {
        const auto comma = text.find(',');
        const auto part = text.substr(0, comma);
        if (!trimmed(part).empty()) {
            add_oncall(part, node, into, findings);
        }
        text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 1);
    }
}

void read_events(const Node& node, Downstream& into, Findings& findings) {
    const auto names = yaml::texts_of(node, "events", findings);
    if (!names) {
        return;
    }
    if (node.children.empty()) {
        findings.error(node.at, "events: is empty; leave it out for all, or use pause for none");
        return;
    }
    domain::Participation events{.pull_request = false, .nightly = false, .periodic = false};
    for (const auto& name : *names) {
        if (name == "pull_request") {
            events.pull_request = true;
        } else if (name == "nightly") {
            events.nightly = true;
        } else if (name == "periodic") {
            events.periodic = true;
        } else if (name == "push") {
            findings.error(node.at, "events: push is not named by itself: pull_request covers it");
        } else {
            findings.error(
                node.at,
                fmt::format("events: \"{}\" is not pull_request, nightly or periodic", inert(name))
            );
        }
    }
    into.events = events;
}

void read_required_jobs(const Node& node, Downstream& into, Findings& findings) {
    into.required_jobs =
        yaml::texts_of(node, "required_jobs", findings).value_or(into.required_jobs);
}

void read_push_refs(const Node& node, Downstream& into, Findings& findings) {
    into.push_refs = yaml::texts_of(node, "push_refs", findings).value_or(into.push_refs);
}

void read_paths(const Node& node, Downstream& into, Findings& findings) {
    into.paths = yaml::texts_of(node, "paths", findings).value_or(into.paths);
    for (const auto& item : node.children) {
        const auto path = trimmed(item.text);
        if (path.starts_with('/') || path.starts_with("./")) {
            findings.warning(
                item.at,
                fmt::format(
                    "paths: \"{}\" never matches: paths start at the top of the repository, "
                    "without a slash",
                    inert(path)
                )
            );
        }
    }
}

void read_max_concurrent(const Node& node, Downstream& into, Findings& findings) {
    const yaml::Range range{.least = 1, .most = kCountMax};
    if (const auto number = yaml::number_of(node, "max_concurrent", range, findings)) {
        into.max_concurrent = static_cast<int>(*number);
    }
}

void read_max_per_day(const Node& node, Downstream& into, Findings& findings) {
    const yaml::Range range{.least = 1, .most = kCountMax};
    if (const auto number = yaml::number_of(node, "max_per_day", range, findings)) {
        into.max_per_day = static_cast<int>(*number);
    }
}

void read_schedule(const Node& node, Downstream& into, Findings& findings) {
    const auto text = yaml::text_of(node, "schedule", findings);
    if (!text) {
        return;
    }
    if (const auto good = domain::Cron::parse(*text); !good) {
        findings.error(node.at, fmt::format("schedule: {}", good.error().detail));
        return;
    }
    into.schedule = *text;
}

void read_trigger(const Node& node, Downstream& into, Findings& findings) {
    constexpr std::array<Choice<domain::Trigger>, 2> kChoices{
        {{.name = "always", .value = domain::Trigger::always},
         {.name = "label", .value = domain::Trigger::label}}
    };
    into.trigger = yaml::choice_of<domain::Trigger>(node, "trigger", kChoices, findings)
                       .value_or(into.trigger);
}

void read_role(const Node& node, Downstream& into, Findings& findings) {
    constexpr std::array<Choice<domain::Role>, 2> kChoices{
        {{.name = "tester", .value = domain::Role::tester},
         {.name = "publisher", .value = domain::Role::publisher}}
    };
    into.role = yaml::choice_of<domain::Role>(node, "role", kChoices, findings).value_or(into.role);
}

void read_trust(const Node& node, Downstream& into, Findings& findings) {
    constexpr std::array<Choice<domain::Trust>, 3> kChoices{
        {{.name = "any", .value = domain::Trust::any},
         {.name = "approved", .value = domain::Trust::approved},
         {.name = "write", .value = domain::Trust::write}}
    };
    into.trust =
        yaml::choice_of<domain::Trust>(node, "trust", kChoices, findings).value_or(into.trust);
}

void read_visibility(const Node& node, Downstream& into, Findings& findings) {
    constexpr std::array<Choice<domain::Visibility>, 2> kChoices{
        {{.name = "public", .value = domain::Visibility::open},
         {.name = "private", .value = domain::Visibility::closed}}
    };
    into.visibility = yaml::choice_of<domain::Visibility>(node, "visibility", kChoices, findings)
                          .value_or(into.visibility);
}

void read_run_timeout(const Node& node, Downstream& into, Findings& findings) {
    into.run_timeout = yaml::duration_of(node, "run_timeout", findings);
}

void read_start_timeout(const Node& node, Downstream& into, Findings& findings) {
    into.start_timeout = yaml::duration_of(node, "start_timeout", findings);
}

/// A time, or a day: then the pause ends as that day begins, UTC.
std::optional<TimePoint> read_until(const Node& node, Findings& findings) {
    const auto text = yaml::text_of(node, "pause: until", findings);
    if (!text) {
        return std::nullopt;
    }
    constexpr std::size_t kDateBytes = 10;
    const auto when = parse_rfc3339(text->size() == kDateBytes ? *text + "T00:00:00Z" : *text);
    if (!when) {
        findings.error(
            node.at,
            fmt::format(
                "pause: until: \"{}\" is not a time: write 2026-11-15 or 2026-11-15T13:30:00Z",
                inert(*text)
            )
        );
        return std::nullopt;
    }
    return *when;
}

void read_pause(const Node& node, Downstream& into, Findings& findings) {
    constexpr std::array<std::string_view, 2> kKnown{"until", "reason"};
    if (node.kind != Kind::mapping) {
        findings.error(
            node.at,
            fmt::format(
                "pause: expected a mapping, found {}: write {{until: 2026-11-15, reason: why}}",
                name_of(node.kind)
            )
        );
        return;
    }
    yaml::refuse_unknown_keys(node, kKnown, findings);
    domain::Pause pause;
    if (const auto* reason = node.find("reason"); reason != nullptr && reason->kind != Kind::null) {
        pause.reason = yaml::text_of(*reason, "pause: reason", findings).value_or("");
    }
    const auto* until = node.find("until");
    if (until == nullptr || until->kind == Kind::null) {
        findings.error(node.key_at, "pause: add until: a pause has to end");
        return;
    }
    if (const auto when = read_until(*until, findings)) {
        pause.until = *when;
        into.pause = std::move(pause);
    }
}

void read_device_key(const Node& node, Downstream& into, Findings& findings) {
    const auto outer = into.device; // of the mapping that the entry stands in
    if (read_device(node, into, findings) && !outer.empty() && into.device != outer) {
        findings.error(
            node.at,
            fmt::format("device: \"{}\" stands under the device \"{}\"", into.device, outer)
        );
    }
}

struct Key {
    std::string_view name;
    void (*read)(const Node&, Downstream&, Findings&);
};

constexpr std::array<Key, 16> kKeys{{
    {.name = "events", .read = read_events},
    {.name = "oncalls", .read = read_oncalls},
    {.name = "device", .read = read_device_key},
    {.name = "required_jobs", .read = read_required_jobs},
    {.name = "trigger", .read = read_trigger},
    {.name = "push_refs", .read = read_push_refs},
    {.name = "paths", .read = read_paths},
    {.name = "max_concurrent", .read = read_max_concurrent},
    {.name = "max_per_day", .read = read_max_per_day},
    {.name = "schedule", .read = read_schedule},
    {.name = "role", .read = read_role},
    {.name = "run_timeout", .read = read_run_timeout},
    {.name = "start_timeout", .read = read_start_timeout},
    {.name = "trust", .read = read_trust},
    {.name = "visibility", .read = read_visibility},
    {.name = "pause", .read = read_pause},
}};

} // namespace

void read_oncalls(const Node& node, Downstream& into, Findings& findings) {
    switch (node.kind) {
    case Kind::null:
        break;
    case Kind::scalar:
        add_oncalls(node.text, node, into, findings);
        break;
    case Kind::sequence:
        for (const auto& item : node.children) {
            if (const auto text = yaml::text_of(item, "oncalls", findings)) {
                add_oncall(*text, item, into, findings);
            }
        }
        break;
    case Kind::mapping:
        findings.error(node.at, "oncalls: expected [alice, bob] or \"alice, bob\"");
        break;
    }
}

bool read_device(const Node& node, Downstream& into, Findings& findings) {
    const auto text = yaml::text_of(node, "device", findings);
    if (!text) {
        return false;
    }
    if (text->size() > kDeviceBytesMax || !is_word(*text, "-_.+")) {
        findings.error(
            node.at,
            fmt::format(
                "device: \"{}\" cannot end a label: letters, digits and -_.+ only, at most {}",
                inert(*text),
                kDeviceBytesMax
            )
        );
        return false;
    }
    into.device = *text;
    return true;
}

void read_entry_keys(const Node& mapping, Downstream& into, Findings& findings) {
    std::vector<std::string_view> known;
    std::ranges::transform(kKeys, std::back_inserter(known), &Key::name);
    yaml::refuse_unknown_keys(mapping, known, findings);
    for (const auto& child : mapping.children) {
        const auto key = std::ranges::find(kKeys, child.key, &Key::name);
        if (key != kKeys.end() && child.kind != Kind::null) {
            key->read(child, into, findings);
        }
    }
}

} // namespace baton::wire
