#pragma once

#include "baton/base/time.hpp"
#include "baton/ports/journal.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace baton::obs {

/// How loud an entry is. `error`: a person should look. `warn`: it went wrong and heals by itself.
/// `info` tells the story of each delivery once. `debug` is what would drown the story at ten
/// thousand webhooks a second.
enum class Loudness : std::uint8_t { debug = 1, info, warn, error };

std::string_view name_of(Loudness loudness);

/// The whole policy of levels, as a pure function:
///
/// - an answered webhook is `debug` when it went well, because `delivery.planned` tells the same
/// delivery again;
///   a refused one is `info`, one that we could not take is `warn`;
/// - an attempt is `info` when it brought the dispatch forward, `warn` when it will be repeated or
/// was refused for
///   good, `error` when it is given up (dead) or when our own credentials did not work;
/// - a refused allowlist is `error`: the last good one stays in force, but only a person can mend
/// the file.
Loudness loudness_of(const ports::JournalEntry& entry);

/// One `key=value` of a wide event.
struct Field {
    std::string key;
    std::variant<std::string, std::int64_t> value;

    friend bool operator==(const Field&, const Field&) = default;
};

/// One journal entry as keys and values, in a fixed order. Texts are inert; what is empty or
/// unknown is left out.
struct Line {
    TimePoint at{};
    Loudness loudness{Loudness::info};
    std::string event; // "dispatch.attempted"
    std::vector<Field> fields;
};

Line line_of(const ports::JournalEntry& entry, TimePoint at);

/// `2026-11-15T13:30:00.123Z info dispatch.attempted delivery=… attempt=1 detail="no such host"`. A
/// value stands in quotes when it is empty or has blanks, quotes, `=` or backslashes.
std::string to_logfmt(const Line& line);

/// One JSON object with the same keys, after `time`, `severity` and `event` (`level` is a
/// downstream's level).
std::string to_json(const Line& line);

} // namespace baton::obs
