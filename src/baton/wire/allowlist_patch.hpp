#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/level.hpp"

#include <string>
#include <string_view>

namespace baton::wire {

/// An allowlist with one downstream at another level.
struct AllowlistPatch {
    std::string text; // the whole file
    std::string diff; // unified; `git apply` takes it
};

/// Moves one entry to the list of another level and leaves everything else as it is: comments,
/// order and spelling (docs/design/allowlist.md, "A level changed"). What comes out reads back as
/// the same list but for that level; that is compared before it is handed out.
///
/// `not_found` when it is not listed, `conflict` when it stands at that level already, `invalid`
/// for a file that cannot be read or cannot be changed without a person.
Result<AllowlistPatch> patch_level(
    std::string_view text, const RepoName& downstream, domain::Level level, std::string_view path
);

} // namespace baton::wire
