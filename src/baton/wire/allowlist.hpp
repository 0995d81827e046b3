#pragma once

#include "baton/domain/allowlist.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::wire {

/// What came of reading an allowlist. `docs/design/allowlist.md` describes the format.
struct AllowlistReading {
    /// Absent as soon as one finding is an error: a list is taken whole or not at all.
    std::optional<domain::Allowlist> allowlist;
    /// Everything that was found, in file order, warnings too.
    std::vector<domain::Finding> findings;
    /// The file holds nothing at all. It reads as an empty list, but must not replace one that is
    /// not empty: that is what a failed write or fetch looks like. `{}` says "nobody" on purpose.
    bool is_empty_document{false};
};

/// Reads and lints in one pass; any bytes get an answer.
AllowlistReading read_allowlist(std::string_view text);

/// A key of an entry with its value as YAML spells it.
struct EntryKey {
    std::string name;
    std::string value;

    friend bool operator==(const EntryKey&, const EntryKey&) = default;
};

/// The keys of an entry that are not at their default, in the order of the manual.
std::vector<EntryKey> keys_of(const domain::Downstream& entry);

/// The list in one canonical spelling: levels in order, entries in list order, defaults left out.
/// Reading it gives the same list again (lines apart).
std::string to_yaml(const domain::Allowlist& allowlist);

} // namespace baton::wire
