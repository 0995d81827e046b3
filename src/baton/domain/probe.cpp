#include "baton/domain/probe.hpp"

#include "baton/domain/figures.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>

namespace baton::domain {

namespace {

struct Mark {
    std::string_view word;
    CellOutcome end{};
};

constexpr std::array kMarks{
    Mark{.word = "xfail", .end = CellOutcome::failure},
    Mark{.word = "xcancel", .end = CellOutcome::cancelled},
    Mark{.word = "xtimeout", .end = CellOutcome::timed_out},
};

} // namespace

CellOutcome made_for(std::string_view job) {
    for (const auto& mark : kMarks) {
        if (job.find(mark.word) != std::string_view::npos) {
            return mark.end;
        }
    }
    return CellOutcome::success;
}

std::string fault_of_probe(std::string_view job, CellOutcome outcome) {
    const auto wanted = made_for(job);
    const bool passed = wanted == CellOutcome::success && passes(outcome);
    if (outcome == CellOutcome::running || outcome == wanted || passed) {
        return {};
    }
    return fmt::format(
        "{} ended with {} and was made to end with {}", job, name_of(outcome), name_of(wanted)
    );
}

} // namespace baton::domain
