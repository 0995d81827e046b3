#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/attribution.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/signature.hpp"
#include "baton/store/reporting.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/rows.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Jobs as rows, and the steps that several verbs about results share.
namespace baton::store::sql {

/// From BATON_JOB_COLUMNS.
domain::Job job_row(const Rows& row);
std::vector<domain::Job> job_rows(Rows rows);

std::optional<domain::Job> job_with(Connection& db, JobId id);
/// In the order they were first heard of.
std::vector<domain::Job> jobs_of(Connection& db, DispatchId dispatch);
/// What those that count say together.
domain::Heard heard_of(Connection& db, DispatchId dispatch);
std::optional<KnownHead> known_head(Connection& db, const RepoName& upstream, PrNumber number);

/// Inserts a job without an id and gives it one; updates one that has it.
void put_job(Connection& db, domain::Job& job);

/// Brings a dispatch to where its jobs say that it stands; nullopt: it stands there already, or has
/// no jobs that count. A lease ends with it: it arrived.
std::optional<Turn> turn_by_jobs(Connection& db, const DispatchRow& row, TimePoint now);

/// A letter to a sink, ready for the table.
struct PackedLetter {
    std::string sink;
    std::string zstd;
    std::size_t body_bytes{0};
};

/// What a letter is about: a job or a notification. Only the first of a lane is due.
struct LetterSubject {
    std::string lane;
    std::optional<JobId> job;
    std::optional<std::int64_t> notification;
};

void put_letter(
    Connection& db, const PackedLetter& letter, const LetterSubject& about, TimePoint now
);
void put_letter(Connection& db, const PackedLetter& letter, const domain::Job& job, TimePoint now);
/// It is dead; the next of its lane is not due by that.
void bury_letter(Connection& db, std::int64_t id, std::string_view detail, TimePoint now);

/// A failed test, ready for the table.
struct PackedTest {
    std::string name;
    std::string message; // cut
    domain::Signature signature;
};

/// A report's detail and letters, compressed on the caller's thread: the writer has better things
/// to do.
struct PackedReport {
    std::string detail;
    std::size_t detail_bytes{0}; // none: nothing to keep
    std::vector<PackedTest> failed_tests;
    std::vector<PackedLetter> letters;
    std::vector<domain::Benchmark> benchmarks;
};

// --- benchmark_rows.cpp
void put_benchmarks(
    Connection& db,
    const domain::Job& job,
    const std::vector<domain::Benchmark>& told,
    TimePoint now
);
// --- failing.cpp: failed tests as rows
/// The first hundred of them.
std::vector<PackedTest>
packed_tests(const RepoName& upstream, const std::vector<domain::FailedTest>& tests);
/// Counts and is red: only the failed tests of such a job are kept in clusters.
bool has_failed(const domain::Job& job);
/// In place of those that are there.
void put_failed_tests(Connection& db, const domain::Job& job, const std::vector<PackedTest>& tests);

// --- detail_text.cpp: what is kept of a report beyond its verdict
std::string text_of(const domain::ReportDetail& detail);
Result<domain::ReportDetail> detail_from(std::string_view text);
/// Of the text that a downstream's own opinion is kept as; none when there is none.
std::optional<domain::Triage> triage_from(std::string_view text);

} // namespace baton::store::sql
