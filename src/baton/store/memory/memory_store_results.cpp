// The verbs about results, the outbox and schedules.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/memory/memory_store.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace baton::store {

MemoryStore::Awaitable<std::vector<domain::Dispatch>>
MemoryStore::dispatches_to(DeliveryId delivery, RepoName downstream) {
    co_return locked([&] { return tables_.dispatches_to(delivery, downstream); });
}

MemoryStore::Awaitable<ports::ReportReceipt> MemoryStore::record_report(ports::ReportCommit commit
) {
    co_return locked([&] { return tables_.record_report(commit); });
}

MemoryStore::Awaitable<ports::Pin> MemoryStore::pin_first(ports::Pin pin) {
    co_return locked([&] { return tables_.pin_first(pin); });
}

MemoryStore::Awaitable<ports::Swept> MemoryStore::sweep(ports::SweepQuery query) {
    co_return locked([&] { return tables_.sweep(query); });
}

MemoryStore::Awaitable<std::vector<domain::Job>> MemoryStore::unverified_jobs(std::size_t limit) {
    co_return locked([&] { return tables_.unverified_jobs(limit); });
}

MemoryStore::Awaitable<void>
MemoryStore::settle_commit(JobId job, domain::CommitCheck check, TimePoint now) {
    co_return locked([&] { return tables_.settle_commit(job, check, now); });
}

MemoryStore::Awaitable<domain::ReportDetail> MemoryStore::report_detail(JobId job) {
    co_return locked([&] { return tables_.report_detail(job); });
}

MemoryStore::Awaitable<std::vector<domain::Job>>
MemoryStore::latest_jobs(ports::PullRequestQuery query) {
    co_return locked([&] { return tables_.latest_jobs(query); });
}

MemoryStore::Awaitable<std::vector<ports::JobTally>>
MemoryStore::job_tallies(ports::TallyQuery query) {
    co_return locked([&] { return tables_.job_tallies(query); });
}

MemoryStore::Awaitable<ports::ResultCounts> MemoryStore::result_counts() {
    co_return locked([&] { return tables_.result_counts(); });
}

MemoryStore::Awaitable<std::vector<ports::TakenLetter>>
MemoryStore::take_letters(ports::LetterQuery query) {
    co_return locked([&] { return tables_.take_letters(query); });
}

MemoryStore::Awaitable<void> MemoryStore::end_letter(ports::LetterEnd end) {
    co_return locked([&] { return tables_.end_letter(end); });
}

MemoryStore::Awaitable<std::vector<ports::DeadLetter>> MemoryStore::dead_letters(std::size_t limit
) {
    co_return locked([&] { return tables_.dead_letters(limit); });
}

MemoryStore::Awaitable<std::size_t>
MemoryStore::revive_letters(std::string sink, std::string actor, TimePoint now) {
    co_return locked([&] { return tables_.revive_letters(sink, actor, now); });
}

MemoryStore::Awaitable<std::size_t>
MemoryStore::name_receivers(std::vector<std::string> sinks, TimePoint now) {
    co_return locked([&] { return tables_.name_receivers(sinks, now); });
}

MemoryStore::Awaitable<void> MemoryStore::note_concern(ports::Concern concern) {
    locked([&] { tables_.note_concern(concern); });
    co_return Result<void>{};
}

MemoryStore::Awaitable<std::vector<ports::ScheduleMark>> MemoryStore::schedule_marks() {
    co_return locked([&] { return tables_.schedule_marks(); });
}

MemoryStore::Awaitable<bool> MemoryStore::fire_schedule(ports::ScheduledRun run) {
    co_return locked([&] { return tables_.fire_schedule(run); });
}

MemoryStore::Awaitable<bool> MemoryStore::miss_schedule(ports::MissedRun run) {
    co_return locked([&] { return tables_.miss_schedule(run); });
}

} // namespace baton::store
