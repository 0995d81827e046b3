#pragma once

#include <string>
#include <string_view>

namespace baton::wire {

/// What people see of a page: of HTML its text, without scripts, styles and comments, each run of
/// blanks as one; anything else as it is. Two pages that look alike to a reader have one text
/// though their markup differs. Any bytes get an answer, in linear time.
std::string visible_text(std::string_view page);

} // namespace baton::wire
