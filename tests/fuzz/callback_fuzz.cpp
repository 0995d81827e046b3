// A callback body of a downstream that we know but need not like: it is read or refused with a
// pointer, what is kept is within its bounds, and the token never leaves with the rest.

#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/report.hpp"
#include "baton/wire/callback.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/fuzz.hpp"

namespace {

using namespace baton;
using fuzz::promise;

void check_detail(const domain::ReportDetail& detail) {
    promise(detail.failed_tests.size() <= limits::kFailedTestsMax, "failed tests are bounded");
    for (const auto& test : detail.failed_tests) {
        promise(!test.name.empty(), "a failed test has a name");
        promise(test.name.size() <= limits::kTestNameBytesMax, "names are bounded");
        promise(test.message.size() <= limits::kTestMessageBytesMax, "messages are bounded");
        promise(test.stack.size() <= limits::kTestStackBytesMax, "stacks are bounded");
        promise(!broken_utf8_at(test.message), "a cut leaves whole characters");
    }
    promise(detail.benchmarks.size() <= limits::kBenchmarksMax, "benchmarks are bounded");
    promise(detail.environment.size() <= limits::kEnvironmentBytesMax, "environments are bounded");
    promise(detail.artifacts.size() <= limits::kReportListBytesMax, "artifacts are bounded");
    promise(
        detail.triage_verdict.size() <= 2 * limits::kTriageVerdictBytesMax, "opinions are bounded"
    );
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string body(fuzz::text_of(data, size));
    const auto callback = wire::parse_callback(body);
    if (!callback) {
        promise(callback.error().code == Errc::invalid, "a body that is no use is invalid");
        promise(!callback.error().detail.empty(), "and is told why");
        return 0;
    }
    const auto& report = callback->report;
    promise(!callback->delivery.empty(), "a callback names a delivery");
    promise(!report.key.workflow.empty() && !report.key.run_id.empty(), "and a run");
    promise(report.key.attempt >= 1, "attempts count from 1");
    promise(
        report.conclusion.has_value() == (report.status == domain::JobStatus::completed),
        "an end has a conclusion, a start has none"
    );
    promise(report.url.empty() || report.url.starts_with("http"), "links are web addresses");
    check_detail(report.detail);

    const auto passed_on = wire::without_callback_token(body);
    const auto again = wire::parse_callback(passed_on);
    promise(again.has_value(), "what is passed on reads like the original");
    promise(again->callback_token.empty(), "but has no token");
    promise(again->report == report, "and says the same");
    return 0;
}
