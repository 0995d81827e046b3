#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/link_notes.hpp"

#include <optional>
#include <string>
#include <vector>

namespace baton::program {

/// How `lint` looks at links.
struct LinkChoice {
    std::string notes;   // the file that is kept from one look to the next; empty: not at all
    bool offline{false}; // by the notes alone
};

/// What is known of the links of these assessments, after trying them and writing it down; nullopt
/// after saying which file cannot be used.
std::optional<quality::LinkNotes>
links_or_complain(const LinkChoice& choice, const std::vector<const quality::Assessment*>& all);

} // namespace baton::program
