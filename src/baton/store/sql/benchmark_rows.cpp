#include "baton/base/time.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job_rows.hpp"

#include <vector>

namespace baton::store::sql {

namespace {

constexpr Query kPutBenchmark{
    "put_benchmark",
    "INSERT INTO benchmark (upstream, downstream, suite, name, unit, last_at_ms) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6) "
    "ON CONFLICT (upstream, downstream, suite, name, unit) DO UPDATE SET last_at_ms = ?6"
};
constexpr Query kPutBenchmarkValue{
    "put_benchmark_value",
    "INSERT INTO benchmark_value (benchmark, job, at_ms, value) SELECT id, ?6, ?7, ?8 FROM "
    "benchmark WHERE upstream = ?1 AND downstream = ?2 AND suite = ?3 AND name = ?4 AND unit = "
    "?5 ON CONFLICT (benchmark, job) DO UPDATE SET at_ms = excluded.at_ms, value = "
    "excluded.value"
};

} // namespace

void put_benchmarks(
    Connection& db,
    const domain::Job& job,
    const std::vector<domain::Benchmark>& told,
    TimePoint now
) {
    const auto& upstream = job.subject.upstream.text();
    const auto& downstream = job.subject.downstream.text();
    for (const auto& one : told) {
        db.run(kPutBenchmark, upstream, downstream, one.suite, one.name, one.unit, now);
        db.run(
            kPutBenchmarkValue,
            upstream,
            downstream,
            one.suite,
            one.name,
            one.unit,
            job.id,
            now,
            one.value
        );
    }
}

} // namespace baton::store::sql
