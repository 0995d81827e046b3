#pragma once

#include "baton/base/result.hpp"
#include "baton/quality/link_notes.hpp"

#include <string>
#include <string_view>

/// Notes about links, `cpq-links/1`: docs/design/quality.md, "Links".
namespace baton::wire {

/// Equal notes are equal bytes.
std::string links_json(const quality::LinkNotes& notes);

/// `invalid`: it is no file of notes, with what it lacks.
Result<quality::LinkNotes> read_links(std::string_view json);

} // namespace baton::wire
