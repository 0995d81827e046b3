#pragma once

#include "baton/base/ids.hpp"
#include "baton/domain/allowlist.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace baton::domain {

enum class ChangeKind : std::uint8_t { added = 1, removed, moved, changed };

std::string_view name_of(ChangeKind kind);

/// How one downstream stands in two lists. The lists outlive it.
struct AllowlistChange {
    const Downstream* before{nullptr}; // null: not listed
    const Downstream* after{nullptr};

    ChangeKind kind() const;

    const RepoName& repo() const { return (after != nullptr ? after : before)->repo; }
};

/// What differs, in the order of the new list, then those that left. Order in the file, the
/// spelling of names and the order of what a key lists mean nothing and are no difference.
std::vector<AllowlistChange> changes_between(const Allowlist& before, const Allowlist& after);

/// An entry without what means nothing: lists in order, no line.
Downstream normal_form(Downstream entry);

/// What a change does, in a few words each: "blocks merges through the gate". Empty when nobody
/// will notice today, as with a timeout.
std::vector<std::string> meaning_of(const AllowlistChange& change);

} // namespace baton::domain
