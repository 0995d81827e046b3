#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/signature.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace baton::store::sql {

namespace {

constexpr std::size_t kTestsMax = 100;
constexpr std::size_t kMessageBytesMax = 500;

constexpr Query kPutCluster{
    "put_cluster",
    "INSERT INTO cluster (id, upstream, signature) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING"
};
// Triggers count it in its cluster.
constexpr Query kPutTest{
    "put_failed_test",
    "INSERT INTO failed_test (job, place, cluster, upstream, downstream, pr_number, trunk, at_ms, "
    "test, message) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
};
constexpr Query kDropTests{"drop_failed_tests", "DELETE FROM failed_test WHERE job = ?1"};

} // namespace

std::vector<PackedTest>
packed_tests(const RepoName& upstream, const std::vector<domain::FailedTest>& tests) {
    std::vector<PackedTest> packed;
    const auto count = std::min(tests.size(), kTestsMax);
    packed.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto& test = tests[i];
        packed.push_back({
            .name = test.name,
            .message = std::string(cut_to(test.message, kMessageBytesMax)),
            .signature = domain::signature_of(upstream, test.name, test.message),
        });
    }
    return packed;
}

bool has_failed(const domain::Job& job) {
    return job.counts && (job.conclusion == domain::Conclusion::failure ||
                          job.conclusion == domain::Conclusion::timed_out);
}

void put_failed_tests(
    Connection& db, const domain::Job& job, const std::vector<PackedTest>& tests
) {
    const auto& subject = job.subject;
    db.run(kDropTests, job.id);
    for (std::size_t place = 0; place < tests.size(); ++place) {
        const auto& test = tests[place];
        db.run(kPutCluster, test.signature.cluster, subject.upstream.text(), test.signature.text);
        db.run(
            kPutTest,
            job.id,
            place,
            test.signature.cluster,
            subject.upstream.text(),
            subject.downstream.text(),
            subject.pr,
            !subject.pr,
            job.completed_at,
            test.name,
            test.message
        );
    }
}

} // namespace baton::store::sql
