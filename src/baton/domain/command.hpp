#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::domain {

/// A word to Baton in a comment: `@baton rerun npu`, `@baton rerun owner/repo --all`, `@baton
/// status`.
struct Command {
    enum class Verb : std::uint8_t { rerun = 1, status };
    Verb verb{Verb::status};
    std::string target; // a device or owner/repo; empty: everything that failed
    bool all{false};    // every job, not only those that failed

    friend bool operator==(const Command&, const Command&) = default;
};

std::string_view name_of(Command::Verb verb);

/// The first one of a comment; nullopt: it holds none. Only the beginning of a line counts, outside
/// of quotes, code and what is hidden. A line with a word too many is talk about Baton, not an
/// order to it.
std::optional<Command> command_in(std::string_view comment);

} // namespace baton::domain
