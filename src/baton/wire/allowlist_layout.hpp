#pragma once

#include "baton/base/ids.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/level.hpp"
#include "baton/wire/line_edits.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Where the parts of an allowlist stand in its file, line by line. Lines and columns count from 0.
namespace baton::wire {

/// How a level writes its entries.
enum class ListShape : std::uint8_t {
    empty = 1, // nothing, `~`, `[]`, `{}`
    dashes,    // - owner/repo
    devices,   // npu: then owner/repo under it
    brackets,  // [owner/repo, …], or devices in braces
};

/// An entry that has lines of its own.
struct EntryPlace {
    std::size_t first{0};  // line
    std::size_t last{0};   // line, with comments inside
    std::size_t indent{0}; // of its dash, or of its name under a device
    std::size_t key{0};    // column of its name
    bool plain{false};     // the name stands right there: after "- ", or alone at its indent
};

/// Entries that stand together: all those of a level, or of one of its devices.
struct EntryGroup {
    std::string device;
    std::size_t key_line{0};
    std::size_t indent{0}; // of the device's name
    std::vector<EntryPlace> entries;
};

struct LevelPlace {
    domain::Level level{};
    std::size_t key_line{0};
    std::size_t last{0}; // line with content
    ListShape shape{ListShape::empty};
    std::vector<EntryGroup> groups;
};

struct AllowlistLayout {
    bool flat{false};               // the whole file is one pair of braces: lines tell nothing
    std::vector<LevelPlace> levels; // in file order

    const LevelPlace* find(domain::Level level) const;
};

/// `text` must read as an allowlist, without a byte-order mark; `lines` are its lines.
AllowlistLayout layout_of(std::string_view text, const LineEdits& lines);

std::size_t indent_of(std::string_view line);
/// Nothing but blanks, or a comment.
bool is_blank(std::string_view line);
bool is_comment(std::string_view line);
/// `# words` at the end of a line, outside of quotes; nullopt without one.
std::optional<std::size_t> comment_at(std::string_view line);

} // namespace baton::wire
