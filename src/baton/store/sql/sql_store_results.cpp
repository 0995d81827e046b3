// The verbs about results, the outbox and schedules.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sql/body.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job_rows.hpp"
#include "baton/store/sql/notices.hpp"
#include "baton/store/sql/sql_inside.hpp"
#include "baton/store/sql/sql_store.hpp"
#include "baton/store/sql/verbs.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace baton::store {

using namespace sql;

namespace {

PackedReport pack(ports::ReportCommit& commit) {
    PackedReport packed;
    if (commit.report.detail != domain::ReportDetail{}) {
        const auto text = text_of(commit.report.detail);
        packed.detail = compress(text);
        packed.detail_bytes = text.size();
        packed.failed_tests =
            packed_tests(commit.subject.upstream, commit.report.detail.failed_tests);
    }
    for (const auto& letter : commit.letters) {
        packed.letters.push_back({
            .sink = letter.sink,
            .zstd = compress(letter.body),
            .body_bytes = letter.body.size(),
        });
    }
    packed.benchmarks = std::move(commit.report.detail.benchmarks);
    commit.report.detail = {};
    commit.letters.clear();
    return packed;
}

} // namespace

SqlStore::Awaitable<std::vector<domain::Dispatch>>
SqlStore::dispatches_to(DeliveryId delivery, RepoName downstream) {
    return inside_->read<std::vector<domain::Dispatch>>(
        [delivery = std::move(delivery), downstream = std::move(downstream)](Connection& db) {
            return verbs::dispatches_to(db, delivery, downstream);
        }
    );
}

SqlStore::Awaitable<ports::ReportReceipt> SqlStore::record_report(ports::ReportCommit commit) {
    auto packed = pack(commit);
    return inside_->write<ports::ReportReceipt>([commit = std::move(commit),
                                                 packed = std::move(packed)](Connection& db) {
        return verbs::record_report(db, commit, packed);
    });
}

SqlStore::Awaitable<ports::Pin> SqlStore::pin_first(ports::Pin pin) {
    return inside_->write<ports::Pin>([pin = std::move(pin)](Connection& db) {
        return verbs::pin_first(db, pin);
    });
}

SqlStore::Awaitable<ports::Swept> SqlStore::sweep(ports::SweepQuery query) {
    const auto now = query.now;
    auto sweeping = [query = std::move(query)](Connection& db) { return verbs::sweep(db, query); };
    BATON_CO_TRY(auto swept, co_await inside_->write<ports::Swept>(std::move(sweeping)));
    // Whose failure it is is advice: whatever becomes of it, what was swept stands. The next sweep
    // takes up what was not said now.
    auto attributing = [now](Connection& db) {
        verbs::attribute_due(db, now);
        return Result<void>{};
    };
    static_cast<void>(co_await inside_->write<void>(std::move(attributing)));
    co_return swept;
}

SqlStore::Awaitable<std::vector<domain::Job>> SqlStore::unverified_jobs(std::size_t limit) {
    return inside_->read<std::vector<domain::Job>>([limit](Connection& db) {
        return verbs::unverified_jobs(db, limit);
    });
}

SqlStore::Awaitable<void>
SqlStore::settle_commit(JobId job, domain::CommitCheck check, TimePoint now) {
    return inside_->write<void>([job, check, now](Connection& db) {
        return verbs::settle_commit(db, job, check, now);
    });
}

SqlStore::Awaitable<domain::ReportDetail> SqlStore::report_detail(JobId job) {
    return inside_->read<domain::ReportDetail>([job](Connection& db) {
        return verbs::report_detail(db, job);
    });
}

SqlStore::Awaitable<std::vector<domain::Job>> SqlStore::latest_jobs(ports::PullRequestQuery query) {
    return inside_->read<std::vector<domain::Job>>([query = std::move(query)](Connection& db) {
        return verbs::latest_jobs(db, query);
    });
}

SqlStore::Awaitable<std::vector<ports::JobTally>> SqlStore::job_tallies(ports::TallyQuery query) {
    return inside_->read<std::vector<ports::JobTally>>([query = std::move(query)](Connection& db) {
        return verbs::job_tallies(db, query);
    });
}

SqlStore::Awaitable<ports::ResultCounts> SqlStore::result_counts() {
    return inside_->read<ports::ResultCounts>([](Connection& db) {
        return verbs::result_counts(db);
    });
}

SqlStore::Awaitable<std::vector<ports::TakenLetter>> SqlStore::take_letters(ports::LetterQuery query
) {
    return inside_->write<std::vector<ports::TakenLetter>>(
        [query = std::move(query)](Connection& db) { return verbs::take_letters(db, query); }
    );
}

SqlStore::Awaitable<void> SqlStore::end_letter(ports::LetterEnd end) {
    return inside_->write<void>([end = std::move(end)](Connection& db) {
        return verbs::end_letter(db, end);
    });
}

SqlStore::Awaitable<std::vector<ports::DeadLetter>> SqlStore::dead_letters(std::size_t limit) {
    return inside_->read<std::vector<ports::DeadLetter>>([limit](Connection& db) {
        return verbs::dead_letters(db, limit);
    });
}

SqlStore::Awaitable<std::size_t>
SqlStore::revive_letters(std::string sink, std::string actor, TimePoint now) {
    return inside_->write<std::size_t>([sink = std::move(sink), actor = std::move(actor), now](
                                           Connection& db
                                       ) { return verbs::revive_letters(db, sink, actor, now); });
}

SqlStore::Awaitable<std::size_t>
SqlStore::name_receivers(std::vector<std::string> sinks, TimePoint now) {
    return inside_->write<std::size_t>([sinks = std::move(sinks), now](Connection& db) {
        return verbs::name_receivers(db, sinks, now);
    });
}

SqlStore::Awaitable<void> SqlStore::note_concern(ports::Concern concern) {
    return inside_->write<void>([concern = std::move(concern)](Connection& db) {
        return verbs::note_concern(db, concern);
    });
}

SqlStore::Awaitable<std::vector<ports::ScheduleMark>> SqlStore::schedule_marks() {
    return inside_->read<std::vector<ports::ScheduleMark>>([](Connection& db) {
        return verbs::schedule_marks(db);
    });
}

SqlStore::Awaitable<bool> SqlStore::fire_schedule(ports::ScheduledRun run) {
    return inside_->write<bool>([run = std::move(run)](Connection& db) {
        return verbs::fire_schedule(db, run);
    });
}

SqlStore::Awaitable<bool> SqlStore::miss_schedule(ports::MissedRun run) {
    return inside_->write<bool>([run = std::move(run)](Connection& db) {
        return verbs::miss_schedule(db, run);
    });
}

} // namespace baton::store
