#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace baton::domain {

/// A word to Baton in a comment: `@baton rerun npu`, `@baton rerun owner/repo --all`. Running again
/// is all it can be asked for.
struct Command {
    std::string target; // a device or owner/repo; empty: everything that failed
    bool all{false};    // every job, not only those that failed

    friend bool operator==(const Command&, const Command&) = default;
};

/// The first one of a comment; nullopt: it holds none. Only the beginning of a line counts, outside
/// of quotes, code and what is hidden. A line with a word too many is talk about Baton, not an
/// order to it.
std::optional<Command> command_in(std::string_view comment);

} // namespace baton::domain
