#pragma once

#include "baton/quality/calendar.hpp"
#include "baton/quality/findings.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

/// Calendars of releases as YAML: docs/reference/quality-baseline.md describes the format.
namespace baton::wire {

struct CalendarReading {
    /// Absent as soon as one finding is an error.
    std::optional<quality::Calendar> calendar;
    std::vector<quality::Finding> findings; // in file order: C040
};

/// Any bytes get an answer.
CalendarReading read_calendar(std::string_view text);

/// A file of criteria/calendar/, carried inside the binary.
struct CalendarFile {
    std::string_view name; // "pytorch.yml"
    std::string_view text;
};

std::span<const CalendarFile> calendar_files();

/// PyTorch's, which assessments speak of.
const quality::Calendar& pytorch_calendar();

} // namespace baton::wire
