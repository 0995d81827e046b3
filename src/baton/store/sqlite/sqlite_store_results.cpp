// The verbs about results, the outbox and schedules.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sqlite/body.hpp"
#include "baton/store/sqlite/connection.hpp"
#include "baton/store/sqlite/job_rows.hpp"
#include "baton/store/sqlite/notices.hpp"
#include "baton/store/sqlite/sqlite_inside.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"
#include "baton/store/sqlite/verbs.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace baton::store {

using namespace sqlite;

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

SqliteStore::Awaitable<std::vector<domain::Dispatch>>
SqliteStore::dispatches_to(DeliveryId delivery, RepoName downstream) {
    return inside_->read<std::vector<domain::Dispatch>>(
        [delivery = std::move(delivery), downstream = std::move(downstream)](Connection& db) {
            return verbs::dispatches_to(db, delivery, downstream);
        }
    );
}

SqliteStore::Awaitable<ports::ReportReceipt> SqliteStore::record_report(ports::ReportCommit commit
) {
    auto packed = pack(commit);
    return inside_->write<ports::ReportReceipt>([commit = std::move(commit),
                                                 packed = std::move(packed)](Connection& db) {
        return verbs::record_report(db, commit, packed);
    });
}

SqliteStore::Awaitable<ports::Pin> SqliteStore::pin_first(ports::Pin pin) {
    return inside_->write<ports::Pin>([pin = std::move(pin)](Connection& db) {
        return verbs::pin_first(db, pin);
    });
}

SqliteStore::Awaitable<ports::Swept> SqliteStore::sweep(ports::SweepQuery query) {
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

SqliteStore::Awaitable<std::vector<domain::Job>> SqliteStore::unverified_jobs(std::size_t limit) {
    return inside_->read<std::vector<domain::Job>>([limit](Connection& db) {
        return verbs::unverified_jobs(db, limit);
    });
}

SqliteStore::Awaitable<void>
SqliteStore::settle_commit(JobId job, domain::CommitCheck check, TimePoint now) {
    return inside_->write<void>([job, check, now](Connection& db) {
        return verbs::settle_commit(db, job, check, now);
    });
}

SqliteStore::Awaitable<domain::ReportDetail> SqliteStore::report_detail(JobId job) {
    return inside_->read<domain::ReportDetail>([job](Connection& db) {
        return verbs::report_detail(db, job);
    });
}

SqliteStore::Awaitable<std::vector<domain::Job>>
SqliteStore::latest_jobs(ports::PullRequestQuery query) {
    return inside_->read<std::vector<domain::Job>>([query = std::move(query)](Connection& db) {
        return verbs::latest_jobs(db, query);
    });
}

SqliteStore::Awaitable<std::vector<ports::JobTally>>
SqliteStore::job_tallies(ports::TallyQuery query) {
    return inside_->read<std::vector<ports::JobTally>>([query = std::move(query)](Connection& db) {
        return verbs::job_tallies(db, query);
    });
}

SqliteStore::Awaitable<ports::ResultCounts> SqliteStore::result_counts() {
    return inside_->read<ports::ResultCounts>([](Connection& db) {
        return verbs::result_counts(db);
    });
}

SqliteStore::Awaitable<std::vector<ports::TakenLetter>>
SqliteStore::take_letters(ports::LetterQuery query) {
    return inside_->write<std::vector<ports::TakenLetter>>(
        [query = std::move(query)](Connection& db) { return verbs::take_letters(db, query); }
    );
}

SqliteStore::Awaitable<void> SqliteStore::end_letter(ports::LetterEnd end) {
    return inside_->write<void>([end = std::move(end)](Connection& db) {
        return verbs::end_letter(db, end);
    });
}

SqliteStore::Awaitable<std::vector<ports::DeadLetter>> SqliteStore::dead_letters(std::size_t limit
) {
    return inside_->read<std::vector<ports::DeadLetter>>([limit](Connection& db) {
        return verbs::dead_letters(db, limit);
    });
}

SqliteStore::Awaitable<std::size_t>
SqliteStore::revive_letters(std::string sink, std::string actor, TimePoint now) {
    return inside_->write<std::size_t>([sink = std::move(sink), actor = std::move(actor), now](
                                           Connection& db
                                       ) { return verbs::revive_letters(db, sink, actor, now); });
}

SqliteStore::Awaitable<std::size_t>
SqliteStore::name_receivers(std::vector<std::string> sinks, TimePoint now) {
    return inside_->write<std::size_t>([sinks = std::move(sinks), now](Connection& db) {
        return verbs::name_receivers(db, sinks, now);
    });
}

SqliteStore::Awaitable<void> SqliteStore::note_concern(ports::Concern concern) {
    return inside_->write<void>([concern = std::move(concern)](Connection& db) {
        return verbs::note_concern(db, concern);
    });
}

SqliteStore::Awaitable<std::vector<ports::ScheduleMark>> SqliteStore::schedule_marks() {
    return inside_->read<std::vector<ports::ScheduleMark>>([](Connection& db) {
        return verbs::schedule_marks(db);
    });
}

SqliteStore::Awaitable<bool> SqliteStore::fire_schedule(ports::ScheduledRun run) {
    return inside_->write<bool>([run = std::move(run)](Connection& db) {
        return verbs::fire_schedule(db, run);
    });
}

SqliteStore::Awaitable<bool> SqliteStore::miss_schedule(ports::MissedRun run) {
    return inside_->write<bool>([run = std::move(run)](Connection& db) {
        return verbs::miss_schedule(db, run);
    });
}

} // namespace baton::store
