#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/store.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What follows from a report, decided the same way in every store: they only fetch and keep.
namespace baton::store {

/// The pull request as far as results care.
struct KnownHead {
    HeadSha head;
    bool open{true};
};

/// Whether the pull request has another commit by now.
bool has_moved_on(const domain::Dispatch& dispatch, const std::optional<KnownHead>& known);

/// How a report that is news came in.
struct Arrival {
    domain::Weighed weighed;
    std::optional<TimePoint> dispatched_at;
    bool starts_run{false}; // it is the first start of the run that has the claim
};

/// The job as it stands after a report that is news; without an id when it is a new one.
domain::Job job_after(
    const std::optional<domain::Job>& before,
    const ports::ReportCommit& commit,
    const Arrival& arrival
);

/// Whether what an earlier report told in detail still holds beside a later one of the same job:
/// not what was said without the token, once the token is there.
bool keeps_detail(const domain::Job& before, const ports::ReportCommit& commit);

/// The later word, and what only the earlier one told.
domain::ReportDetail
detail_after(const domain::ReportDetail& before, const domain::ReportDetail& said);

/// How a job ends of which no end was heard in time. What ran for a dispatch that was given up has
/// stopped, most likely because it was told to, and is held against nobody.
domain::Conclusion
unheard_end(const domain::Dispatch& dispatch, const std::optional<KnownHead>& known);

/// The job as the relay concludes it.
domain::Job concluded(domain::Job job, domain::Conclusion conclusion, TimePoint now);

/// Whether a job stands for its pull request rather than `shown`, of the same name: its commit is
/// the pull request's, or its dispatch is newer, or its attempt.
bool stands_before(
    const domain::Job& job, const domain::Job& shown, const std::optional<KnownHead>& known
);

/// Where a dispatch stands now that there was news of its jobs; nullopt: as before.
struct Turn {
    domain::DispatchState state{domain::DispatchState::started};
    std::string reason;
    bool breaks_silence{false};
};

std::optional<Turn>
turn_of(const domain::Dispatch& dispatch, bool silent, const domain::Heard& heard);

/// True when reports about the dispatch were there before the attempt's end: then it arrived,
/// whatever the answer was, and the verdict says where it stands.
bool heed(domain::Verdict& verdict, const domain::Heard& heard);

/// A line of the ledger about a dispatch.
struct Told {
    std::string_view kind;
    std::string detail;
};

/// What the ledger says of a report about a dispatch.
std::vector<Told> told_of(
    const std::optional<domain::Job>& before,
    const domain::Job& job,
    const domain::Weighed& weighed,
    const std::optional<Turn>& turn
);

/// The reason of a dispatch that nobody started in time.
std::string silent_reason(Millis wait);

/// Letters about one job go in order.
std::string lane_of(const domain::Job& job);

} // namespace baton::store
