#include "baton/wire/calendar.hpp"

#include "baton/base/assert.hpp"
#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/calendar.hpp"
#include "baton/wire/quality_fields.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_fields.hpp"
#include "baton/wire/yaml_findings.hpp"
#include "baton/wire/yaml_mapping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace baton::wire {

namespace {

using yaml::Choice;
using yaml::Findings;
using yaml::Kind;
using yaml::Mapping;
using yaml::Node;

constexpr std::size_t kReleasesMax = 1000;

/// How the day is known: all but the last are days that somebody read.
constexpr std::array<Choice<bool>, 5> kPlannedByBasis{{
    {.name = "versions", .value = false},
    {.name = "announced", .value = false},
    {.name = "reported", .value = false},
    {.name = "schedule", .value = false},
    {.name = "planned", .value = true},
}};

std::optional<quality::CalendarRelease> read_release(const Node& node, Findings& findings) {
    Mapping mapping(node, "release", findings);
    const auto text = mapping.needed_text("minor");
    const auto release = quality::parse_release(text);
    if (!release && !text.empty()) {
        findings.error(
            mapping.find("minor")->at,
            fmt::format("minor: \"{}\" is no minor release: write \"2.14\"", inert(text))
        );
    }
    const auto* const day = mapping.need("on");
    const auto on = day == nullptr ? std::nullopt : day_of(*day, "on", findings);
    mapping.need("basis");
    const auto planned = mapping.choice<bool>("basis", kPlannedByBasis);
    mapping.text("note");
    mapping.done();
    if (!release || !on || !planned) {
        return std::nullopt;
    }
    return quality::CalendarRelease{.release = *release, .on = *on, .planned = *planned};
}

void read_releases(const Node& list, quality::Calendar& calendar, Findings& findings) {
    if (list.kind != Kind::sequence || list.children.size() > kReleasesMax) {
        findings.error(
            list.at, fmt::format("releases: expected a list of at most {}", kReleasesMax)
        );
        return;
    }
    for (const auto& node : list.children) {
        const auto read = read_release(node, findings);
        if (!read) {
            continue;
        }
        auto& all = calendar.releases;
        if (!all.empty() && (read->release <= all.back().release || read->on <= all.back().on)) {
            findings.error(
                node.at,
                fmt::format(
                    "{} of {} does not follow {} of {}: the oldest stands first",
                    quality::to_text(read->release),
                    quality::to_text(read->on),
                    quality::to_text(all.back().release),
                    quality::to_text(all.back().on)
                )
            );
            continue;
        }
        all.push_back(*read);
    }
}

quality::Calendar read_pytorch() {
    const auto files = calendar_files();
    const auto file =
        std::ranges::find(files, std::string_view("pytorch.yml"), &CalendarFile::name);
    BATON_ASSERT(file != files.end());
    auto reading = read_calendar(file->text);
    BATON_ASSERT(reading.calendar.has_value()); // a test reads it
    return *std::move(reading.calendar);
}

} // namespace

CalendarReading read_calendar(std::string_view text) {
    Findings findings;
    quality::Calendar calendar;
    if (const auto root = yaml::read(text, findings)) {
        if (Mapping mapping(*root, "calendar", findings); mapping.ok()) {
            check_schema(*root, "cpq-calendar/1", findings);
            mapping.find("schema");
            calendar.project = mapping.needed_text("project");
            if (const auto* const releases = mapping.need("releases")) {
                read_releases(*releases, calendar, findings);
            }
            mapping.done();
        }
    }
    CalendarReading reading;
    if (!findings.any_errors()) {
        reading.calendar = std::move(calendar);
    }
    reading.findings = coded(std::move(findings).take(), "C040");
    return reading;
}

const quality::Calendar& pytorch_calendar() {
    static const quality::Calendar kCalendar = read_pytorch();
    return kCalendar;
}

} // namespace baton::wire
