#pragma once

#include "baton/domain/outage.hpp"
#include "baton/domain/outcome.hpp"

#include <algorithm>
#include <string>
#include <vector>

/// What came of one event, for whoever counts events and not jobs.
namespace baton::domain {

struct EventVerdict {
    std::vector<OutcomeClass> classes; // of the jobs that count; of the event itself without any

    template <class Holds> bool any(Holds holds) const {
        return std::ranges::any_of(classes, holds);
    }

    bool open() const; // something may still be answered
    bool passed() const;
    bool has_verdict() const; // of tests, red or green
    /// Something is decided, and nothing open: what was skipped or overtaken is no event at all.
    bool counts() const;
};

/// `required` names the jobs that count; empty: all do.
EventVerdict verdict_of(const LadderEvent& event, const std::vector<std::string>& required);

/// The event as one that should have been answered: good when a test verdict came back.
ExpectedRun expected_run(const LadderEvent& event, const EventVerdict& verdict);

} // namespace baton::domain
