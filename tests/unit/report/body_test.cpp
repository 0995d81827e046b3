#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/report.hpp"
#include "baton/report/body.hpp"
#include "baton/wire/callback.hpp"
#include "baton/wire/junit.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

namespace baton::report {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kPayload =
    R"({"event_type":"pull_request","delivery_id":"d-1","payload":{"number":7},"callback_token":"secret","baton":{"level":"L2"}})";

Report completed() {
    return {
        .origin = Echo{.client_payload = kPayload},
        .status = Status::completed,
        .conclusion = "failure",
        .workflow = "Upstream CI",
        .run_id = "4711",
        .run_attempt = 2,
        .job_name = "test",
        .url = "https://github.com/org/backend/actions/runs/4711",
        .completed_at = "2026-11-15T13:30:00.000Z",
    };
}

json::object sent(const Report& report, std::size_t bytes_max = kReportBytesMax) {
    const auto body = make_body(report, bytes_max);
    EXPECT_TRUE(body) << (body ? "" : body.error().detail);
    return body ? json::parse(body->json).as_object() : json::object{};
}

wire::TestSummary many_failures(std::size_t count) {
    wire::TestSummary tests{.passed = 10, .failed = count};
    for (std::size_t i = 0; i < count; ++i) {
        tests.failed_tests.push_back({
            .name = "test_" + std::to_string(i),
            .message = std::string(limits::kTestMessageBytesMax, 'm'),
            .stack = std::string(limits::kTestStackBytesMax, 's'),
        });
    }
    return tests;
}

TEST(ReportBody, EchoesWhatWasDispatchedAndAddsTheWorkflow) {
    auto body = sent(completed());
    const auto workflow = body["workflow"].as_object();
    body.erase("workflow");
    EXPECT_EQ(body, json::parse(kPayload));
    EXPECT_EQ(workflow, json::parse(R"({
        "schema_version": "1", "status": "completed", "conclusion": "failure", "name": "Upstream CI",
        "url": "https://github.com/org/backend/actions/runs/4711", "run_id": "4711", "run_attempt": "2",
        "job_name": "test", "check_run_id": "4711-2", "started_at": null,
        "completed_at": "2026-11-15T13:30:00.000Z"})"));
}

TEST(ReportBody, OfAJobThatBeganHasNoConclusion) {
    auto report = completed();
    report.status = Status::in_progress;
    report.started_at = "2026-11-15T13:30:00.000Z";
    const auto workflow = sent(report)["workflow"].as_object();
    EXPECT_EQ(workflow.at("status"), "in_progress");
    EXPECT_TRUE(workflow.at("conclusion").is_null());
    EXPECT_TRUE(workflow.at("completed_at").is_null());
    EXPECT_EQ(workflow.at("started_at"), "2026-11-15T13:30:00.000Z");
}

TEST(ReportBody, OfASelfReportNamesTheCommitAndItsRepository) {
    auto report = completed();
    report.origin = SelfReport{
        .event_type = "nightly",
        .sha = HeadSha(std::string(40, 'a')),
        .upstream = RepoName::parse("pytorch/pytorch").value(),
    };
    auto body = sent(report);
    body.erase("workflow");
    EXPECT_EQ(
        body,
        json::parse(
            R"({"event_type":"nightly","delivery_id":")" + std::string(40, 'a') +
            R"(","payload":{"repository":{"full_name":"pytorch/pytorch"},"head_sha":")" +
            std::string(40, 'a') + R"("}})"
        )
    );
}

TEST(ReportBody, CarriesTestsEnvironmentAndWhatWasHandedOver) {
    auto report = completed();
    report.tests = wire::TestSummary{
        .passed = 3,
        .failed = 1,
        .skipped = 2,
        .failed_tests = {{.name = "A::b", .message = "1 != 2", .stack = ""}},
        .expected_failures = {"A::x"},
    };
    report.environment = {{"device", "npu"}, {"driver", "24.1"}};
    report.artifact_url = "https://example.org/logs";
    report.benchmarks = R"([{"suite":"s","name":"n","value":1.5,"unit":"ms"}])";
    report.triage_verdict = R"({"category":"backend"})";
    report.notes = {"b.xml: offset 3: cut off"};
    const auto workflow = sent(report)["workflow"].as_object();
    EXPECT_EQ(
        workflow.at("test_results"), json::parse(R"({"passed":3,"failed":1,"skipped":2,"total":6})")
    );
    EXPECT_EQ(workflow.at("failed_tests"), json::parse(R"([{"name":"A::b","message":"1 != 2"}])"));
    EXPECT_EQ(workflow.at("expected_failures"), json::parse(R"(["A::x"])"));
    EXPECT_EQ(workflow.at("environment"), json::parse(R"({"device":"npu","driver":"24.1"})"));
    EXPECT_EQ(workflow.at("artifact_url"), "https://example.org/logs");
    EXPECT_EQ(json::serialize(workflow.at("benchmarks").at(0).at("unit")), R"("ms")");
    EXPECT_EQ(workflow.at("triage_verdict"), json::parse(R"({"category":"backend"})"));
    EXPECT_EQ(workflow.at("notes"), json::parse(R"(["b.xml: offset 3: cut off"])"));
}

TEST(ReportBody, CountsThatWereGivenStandBeforeThoseThatWereRead) {
    auto report = completed();
    report.tests = wire::TestSummary{.passed = 3};
    report.test_results = R"({"passed":7,"failed":0,"skipped":0,"total":7})";
    EXPECT_EQ(sent(report)["workflow"].at("test_results"), json::parse(report.test_results));
}

TEST(ReportBody, LetsGoOfStacksFirstFromTheEnd) {
    auto report = completed();
    report.tests = many_failures(1000); // five megabytes of stacks, one of messages
    const auto body = make_body(report, kReportBytesMax).value();
    EXPECT_LE(body.json.size(), kReportBytesMax);
    EXPECT_GT(body.json.size(), kReportBytesMax - 40'000) << "no more is cut than has to be";
    const auto workflow = json::parse(body.json).at("workflow").as_object();
    const auto& failed = workflow.at("failed_tests").as_array();
    EXPECT_EQ(failed.size(), 1000);
    EXPECT_TRUE(failed.front().as_object().contains("stack"));
    EXPECT_FALSE(failed.back().as_object().contains("stack"));
    EXPECT_TRUE(failed.back().as_object().contains("message"));
    EXPECT_EQ(workflow.at("test_results").at("failed"), 1000);
    ASSERT_EQ(body.notes.size(), 1);
    EXPECT_THAT(body.notes[0], HasSubstr("stacks of"));
    EXPECT_EQ(workflow.at("notes").as_array().size(), 1);
}

TEST(ReportBody, ThenOfMessagesThenOfTests) {
    auto report = completed();
    report.tests = many_failures(1000);
    const auto small = make_body(report, 500'000).value();
    EXPECT_LE(small.json.size(), 500'000);
    EXPECT_THAT(small.notes, ElementsAre(HasSubstr("stacks of 1000"), HasSubstr("messages of")));

    for (auto& test : report.tests->failed_tests) {
        test.name = std::string(limits::kTestNameBytesMax, 'n');
    }
    const auto least = make_body(report, kReportBytesLeast).value();
    EXPECT_LE(least.json.size(), kReportBytesLeast);
    EXPECT_THAT(
        least.notes,
        ElementsAre(
            HasSubstr("stacks of 1000"), HasSubstr("messages of 1000"), HasSubstr("names of")
        )
    );
    EXPECT_EQ(json::parse(least.json).at("workflow").at("test_results").at("failed"), 1000);
}

TEST(ReportBody, LetsGoOfWhatWasHandedOverRatherThanOfTheResult) {
    auto report = completed();
    report.benchmarks = "[\"" + std::string(kPartBytesMax - 10, 'b') + "\"]";
    report.artifacts = "[\"" + std::string(kPartBytesMax - 10, 'a') + "\"]";
    const auto body = make_body(report, kReportBytesMax).value();
    const auto workflow = json::parse(body.json).at("workflow").as_object();
    EXPECT_FALSE(workflow.contains("artifacts"));
    EXPECT_TRUE(workflow.contains("benchmarks"));
    EXPECT_THAT(body.notes, ElementsAre(HasSubstr("artifacts left out")));
}

TEST(ReportBody, NamesNoMoreExpectedFailuresThanARelayTakes) {
    auto report = completed();
    report.tests = wire::TestSummary{
        .skipped = 1000,
        .expected_failures =
            std::vector<std::string>(1000, std::string(limits::kTestNameBytesMax, 'x')),
    };
    const auto body = make_body(report, kReportBytesMax).value();
    const auto callback = wire::parse_callback(body.json);
    ASSERT_TRUE(callback);
    EXPECT_NE(callback->report.detail.expected_failures, "");
    EXPECT_THAT(callback->report.detail.notes, IsEmpty());
    EXPECT_THAT(body.notes, ElementsAre(HasSubstr("expected failures are named")));
}

TEST(ReportBody, IsReadByTheRelayAsItWasMeant) {
    auto report = completed();
    report.tests = wire::TestSummary{
        .passed = 3,
        .failed = 1,
        .failed_tests = {{.name = "A::b", .message = "1 != 2", .stack = "at c"}},
    };
    report.environment = {{"device", "npu"}};
    report.benchmarks = R"([{"suite":"s","name":"n","value":1.5,"unit":"ms"}])";
    const auto callback = wire::parse_callback(make_body(report, kReportBytesMax).value().json);
    ASSERT_TRUE(callback) << callback.error().detail;
    EXPECT_EQ(callback->delivery.text(), "d-1");
    EXPECT_EQ(callback->callback_token, "secret");
    const domain::JobKey key{
        .workflow = "Upstream CI", .job = "test", .run_id = "4711", .attempt = 2
    };
    EXPECT_EQ(callback->report.key, key);
    EXPECT_EQ(callback->report.conclusion, domain::Conclusion::failure);
    EXPECT_EQ(
        callback->report.tests,
        (domain::TestCounts{.passed = 3, .failed = 1, .skipped = 0, .total = 4})
    );
    ASSERT_EQ(callback->report.detail.failed_tests.size(), 1);
    EXPECT_EQ(callback->report.detail.failed_tests[0].stack, "at c");
    EXPECT_EQ(callback->report.detail.benchmarks.size(), 1);
    EXPECT_THAT(callback->report.detail.notes, IsEmpty());
}

TEST(ReportBody, CannotBeMadeFromWhatIsNoPayload) {
    auto report = completed();
    for (const auto* payload : {"", "null", "[]", "{}", "{"}) {
        SCOPED_TRACE(payload);
        report.origin = Echo{.client_payload = payload};
        EXPECT_FALSE(make_body(report, kReportBytesMax));
    }
}

TEST(ReportBody, ShownToPeopleHasNoToken) {
    const auto shown = make_shown_body(completed()).value();
    EXPECT_EQ(shown.json.find("secret"), std::string::npos);
    EXPECT_THAT(shown.json, HasSubstr(R"("callback_token":"***")"));
}

TEST(ReportBody, HandedOverTextsAreCheckedForTheirShape) {
    EXPECT_TRUE(checked_part("{}", Shape::object));
    EXPECT_TRUE(checked_part("[]", Shape::list));
    EXPECT_FALSE(checked_part("[]", Shape::object));
    EXPECT_FALSE(checked_part("{}", Shape::list));
    EXPECT_FALSE(checked_part("", Shape::object));
    EXPECT_FALSE(checked_part("{\"a\":\"\xFF\"}", Shape::object));
    EXPECT_FALSE(checked_part(std::string(100, '['), Shape::list));
}

TEST(ClientPayload, StandsInTheEventOfARepositoryDispatch) {
    EXPECT_EQ(
        client_payload_in(R"({"action":"push","client_payload":{"delivery_id":"d"}})").value(),
        R"({"delivery_id":"d"})"
    );
    EXPECT_EQ(client_payload_in(R"({"ref":"refs/heads/main"})").error().code, Errc::not_found);
    EXPECT_EQ(client_payload_in(R"({"client_payload":null})").error().code, Errc::not_found);
    EXPECT_EQ(client_payload_in("no JSON").error().code, Errc::invalid);
}

} // namespace
} // namespace baton::report
