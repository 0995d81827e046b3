// The part of the tables that shows results: jobs, their details and figures.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/memory/memory_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::store::memory {

namespace {

using domain::Job;

tl::unexpected<Error> no_such_job(JobId id) {
    return fail(
        Errc::not_found,
        fmt::format("there is no job {} in the store", static_cast<std::int64_t>(id))
    );
}

TimePoint start_of(ports::Span span, TimePoint when) {
    return span == ports::Span::hour ? std::chrono::floor<std::chrono::hours>(when)
                                     : std::chrono::floor<std::chrono::days>(when);
}

void count_in(ports::JobTally& tally, const Job& job) {
    ++tally.ended[*job.conclusion];
    if (const auto execution = domain::execution_of(job)) {
        tally.execution += *execution;
        ++tally.executed;
    }
    if (job.queue) {
        tally.queue += *job.queue;
        ++tally.queued;
    }
}

} // namespace

std::vector<Job> Tables::unverified_jobs(std::size_t limit) const {
    std::vector<Job> found;
    for (const auto& [id, row] : jobs_) {
        if (found.size() < limit && row.job.commit == domain::CommitCheck::unverified) {
            found.push_back(row.job);
        }
    }
    return found;
}

Result<void> Tables::settle_commit(JobId id, domain::CommitCheck check, TimePoint now) {
    const auto at = jobs_.find(id);
    if (at == jobs_.end()) {
        return no_such_job(id);
    }
    auto& job = at->second.job;
    if (job.commit != domain::CommitCheck::unverified) {
        return {};
    }
    job.commit = check;
    job.counts = job.counts && check != domain::CommitCheck::unknown;
    if (check == domain::CommitCheck::unknown) {
        write_line(now, kCommitUnknown, {}, std::nullopt, words_for(job));
    }
    return {};
}

Result<domain::ReportDetail> Tables::report_detail(JobId id) const {
    const auto at = jobs_.find(id);
    if (at == jobs_.end()) {
        return no_such_job(id);
    }
    return at->second.detail;
}

std::vector<Job> Tables::latest_jobs(const ports::PullRequestQuery& query) const {
    std::vector<Job> found;
    for (const auto& [key, id] : latest_) {
        if (std::get<0>(key) == query.upstream && std::get<1>(key) == query.number) {
            found.push_back(jobs_.at(id).job);
        }
    }
    return found;
}

std::vector<ports::JobTally> Tables::job_tallies(const ports::TallyQuery& query) const {
    std::map<std::pair<TimePoint, RepoName>, ports::JobTally> by_slot;
    const auto slot = [&](TimePoint when, const RepoName& upstream) -> ports::JobTally* {
        const auto from = start_of(query.span, when);
        if (from < query.from || from >= query.until) {
            return nullptr;
        }
        auto& tally = by_slot[{from, upstream}];
        tally.from = from;
        tally.upstream = upstream;
        tally.downstream = query.downstream;
        return &tally;
    };
    const auto count = [&](const Job& job) {
        if (job.counts && job.conclusion && job.subject.downstream == query.downstream) {
            if (auto* tally = slot(*job.completed_at, job.subject.upstream)) {
                count_in(*tally, job);
            }
        }
    };
    const auto count_silence = [&](const DispatchRow& row) {
        if (row.silent_at && row.dispatch.key.downstream == query.downstream) {
            if (auto* tally = slot(*row.silent_at, row.dispatch.upstream)) {
                ++tally->silent;
            }
        }
    };
    for (const auto& [id, row] : jobs_) {
        count(row.job);
    }
    for (const auto& [id, row] : dispatches_) {
        count_silence(row);
    }
    std::ranges::for_each(counted_, count);
    std::ranges::for_each(counted_silent_, count_silence);
    std::vector<ports::JobTally> tallies;
    for (auto& [key, tally] : by_slot) {
        tallies.push_back(std::move(tally));
    }
    return tallies;
}

ports::ResultCounts Tables::result_counts() const {
    ports::ResultCounts counts;
    for (const auto conclusion : domain::kConclusions) {
        counts.completed[conclusion] = 0;
    }
    for (const auto& [id, row] : jobs_) {
        const auto& job = row.job;
        if (job.conclusion) {
            ++counts.completed[*job.conclusion];
            counts.by_relay += job.said_by == domain::SaidBy::relay ? 1U : 0U;
        } else {
            ++counts.in_progress;
        }
    }
    for (const auto& [id, row] : dispatches_) {
        counts.silent += row.silent_at ? 1U : 0U;
    }
    for (const auto& [id, row] : letters_) {
        if (row.died_at) {
            ++counts.dead_letters;
            continue;
        }
        ++counts.outbox_waiting;
        counts.outbox_oldest = counts.outbox_oldest.value_or(row.letter.created_at);
    }
    return counts;
}

} // namespace baton::store::memory
