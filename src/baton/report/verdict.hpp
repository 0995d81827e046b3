#pragma once

#include "baton/report/body.hpp"
#include "baton/report/ci.hpp"
#include "baton/report/send.hpp"

#include <cstdint>
#include <string>

namespace baton::report {

/// What `baton report` tells the shell when it is told not to proceed: BSD's EX_CONFIG, which test
/// runners and compilers do not use.
inline constexpr int kNotToProceed = 78;

enum class Weight : std::uint8_t { plain = 1, warning, error };

/// How a report ended, for people and for the shell.
struct Verdict {
    int exit_code{0};
    Weight weight{Weight::plain};
    std::string sentence;
};

/// A relay that is away, and a relay that says no, leave a green job green unless `strict`: what a
/// job tested is known whether or not anybody was told. Only the word not to proceed stops one, and
/// only before its work.
Verdict verdict_on(const Outcome& outcome, Status status, bool strict);

/// The sentence as the CI shows it: an annotation on GitHub Actions, a plain line elsewhere. One
/// line, whatever the text.
std::string line_for(Ci ci, Weight weight, const std::string& sentence);

} // namespace baton::report
