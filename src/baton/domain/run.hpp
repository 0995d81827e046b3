#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"

#include <optional>
#include <vector>

namespace baton::domain {

/// What checks stand on: one head of one pull request, or a commit of the merge queue.
struct Subject {
    RepoName upstream;
    std::optional<PrNumber> pr; // none: the merge queue
    HeadSha head;

    friend auto operator<=>(const Subject&, const Subject&) = default;
};

/// One dispatch and what came of it.
struct Run {
    Dispatch dispatch;
    std::optional<TimePoint> silent_at; // nobody started it in time
    std::vector<Job> jobs;              // in the order they were first heard of

    friend bool operator==(const Run&, const Run&) = default;
};

} // namespace baton::domain
