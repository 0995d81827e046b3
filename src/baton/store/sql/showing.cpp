#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/sql/body.hpp"
#include "baton/store/sql/columns.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job_rows.hpp"
#include "baton/store/sql/resting.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/verbs.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::store::sql::verbs {

namespace {

constexpr Query kUnverified{
    "unverified_jobs",
    "SELECT " BATON_JOB_COLUMNS
    " FROM job AS j INDEXED BY job_unverified WHERE commit_check = 'unverified' AND id > 0 "
    "ORDER BY id LIMIT ?1"
};
constexpr Query kDetail{"report_detail", "SELECT json_bytes, zstd FROM job_detail WHERE job = ?1"};
constexpr Query kLatestJobs{
    "latest_jobs",
    "SELECT " BATON_JOB_COLUMNS
    " FROM job_latest AS l CROSS JOIN job AS j ON j.id = l.job WHERE l.upstream = ?1 AND "
    "l.pr_number = ?2 ORDER BY l.downstream, l.workflow, l.job_name"
};
constexpr Query kJobTallies{
    "job_tallies",
    "SELECT from_ms, upstream, downstream, conclusion, ended, execution_ms, executed, "
    "queue_ms, queued FROM job_tally WHERE downstream = ?1 AND span_ms = ?2 AND from_ms >= ?3 "
    "AND from_ms < ?4 AND ended > 0 ORDER BY from_ms, upstream, conclusion"
};
constexpr Query kTally{"tally_of_results", "SELECT n FROM tally WHERE name = ?1"};
constexpr Query kOldestLetter{
    "oldest_letter",
    "SELECT created_at_ms FROM outbox INDEXED BY outbox_waiting WHERE state = 'waiting' "
    "AND id > 0 ORDER BY id LIMIT 1"
};

tl::unexpected<Error> no_such_job(JobId id) {
    return fail(
        Errc::not_found,
        fmt::format("there is no job {} in the store", static_cast<std::int64_t>(id))
    );
}

std::int64_t length_of(ports::Span span) {
    constexpr std::int64_t kHour = 3'600'000;
    constexpr std::int64_t kDay = 24 * kHour;
    return span == ports::Span::hour ? kHour : kDay;
}

void count_in(ports::JobTally& tally, const Rows& row) {
    const auto ended = static_cast<std::size_t>(row.integer(4));
    if (const auto conclusion = domain::conclusion_named(row.view(3))) {
        tally.ended[*conclusion] += ended;
    } else {
        tally.silent += ended;
    }
    tally.execution += Millis{row.integer(5)};
    tally.executed += static_cast<std::size_t>(row.integer(6));
    tally.queue += Millis{row.integer(7)};
    tally.queued += static_cast<std::size_t>(row.integer(8));
}

std::size_t tally(Connection& db, std::string_view name) {
    auto rows = db.rows(kTally, name);
    return rows.next() ? static_cast<std::size_t>(rows.integer(0)) : 0U;
}

} // namespace

std::vector<domain::Job> unverified_jobs(Connection& db, std::size_t limit) {
    return job_rows(db.rows(kUnverified, limit));
}

Result<void> settle_commit(Connection& db, JobId id, domain::CommitCheck check, TimePoint now) {
    auto job = job_with(db, id);
    if (!job) {
        return no_such_job(id);
    }
    if (job->commit != domain::CommitCheck::unverified) {
        return {};
    }
    job->commit = check;
    job->counts = job->counts && check != domain::CommitCheck::unknown;
    put_job(db, *job);
    if (check == domain::CommitCheck::unknown) {
        write_line(
            db,
            {.at = now,
             .kind = kCommitUnknown,
             .delivery = {},
             .dispatch = std::nullopt,
             .detail = words_for(*job)}
        );
    }
    return {};
}

Result<domain::ReportDetail> report_detail(Connection& db, JobId id) {
    if (!job_with(db, id)) {
        return no_such_job(id);
    }
    auto rows = db.rows(kDetail, id);
    if (!rows.next()) {
        return domain::ReportDetail{};
    }
    BATON_TRY(
        const auto text, decompress(rows.bytes(1), static_cast<std::size_t>(rows.integer(0)))
    );
    return detail_from(text);
}

std::vector<domain::Job> latest_jobs(Connection& db, const ports::PullRequestQuery& query) {
    return job_rows(db.rows(kLatestJobs, query.upstream.text(), query.number));
}

std::vector<ports::JobTally> job_tallies(Connection& db, const ports::TallyQuery& query) {
    std::vector<ports::JobTally> tallies;
    auto rows = db.rows(
        kJobTallies, query.downstream.text(), length_of(query.span), query.from, query.until
    );
    while (rows.next()) {
        const auto from = rows.time(0);
        const auto upstream = repo_name(rows.view(1));
        if (tallies.empty() || tallies.back().from != from || tallies.back().upstream != upstream) {
            tallies.push_back(
                {.from = from, .upstream = upstream, .downstream = repo_name(rows.view(2))}
            );
        }
        count_in(tallies.back(), rows);
    }
    return tallies;
}

ports::ResultCounts result_counts(Connection& db) {
    ports::ResultCounts counts;
    counts.in_progress = tally(db, "job_in_progress");
    for (const auto conclusion : domain::kConclusions) {
        counts.completed[conclusion] = tally(db, fmt::format("job_{}", name_of(conclusion)));
    }
    counts.by_relay = tally(db, "job_by_relay");
    counts.silent = tally(db, "silent");
    counts.outbox_waiting = tally(db, "letter_waiting");
    counts.dead_letters = tally(db, "letter_dead");
    auto rows = db.rows(kOldestLetter);
    if (rows.next()) {
        counts.outbox_oldest = rows.time(0);
    }
    return counts;
}

} // namespace baton::store::sql::verbs
