#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"

#include <optional>
#include <string>
#include <string_view>
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

/// Where the HUD shows a subject; empty without a page, and for the merge queue.
std::string page_of(const Subject& subject, std::string_view page);

} // namespace baton::domain
