#include "baton/base/limits.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/report.hpp"
#include "baton/wire/callback.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace baton::wire {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// As the published PyTorch action sends it: the client_payload echoed, ids as text.
constexpr std::string_view kPublished = R"({
  "event_type": "pull_request", "delivery_id": "72d3162e-cc78-11e3-81ab-4c9367dc0958",
  "payload": {"action": "opened", "number": 7, "repository": {"full_name": "pytorch/pytorch"}},
  "callback_token": "bt1.1.2.x",
  "workflow": {"schema_version": "1", "status": "in_progress", "conclusion": null, "name": "CI",
    "url": "https://github.com/acme/npu/actions/runs/1234", "run_attempt": "1", "job_name": "test a",
    "check_run_id": "1234-1", "run_id": "1234", "started_at": "2026-09-01T12:00:00Z", "completed_at": null}})";

std::string with(std::string_view members) {
    return fmt::format(
        R"({{"delivery_id":"d","workflow":{{"status":"completed","conclusion":"failure","name":"CI","run_id":5{}{}}}}})",
        members.empty() ? "" : ",",
        members
    );
}

TEST(ParseCallback, TakesWhatThePublishedActionSends) {
    const auto callback = parse_callback(std::string(kPublished));
    ASSERT_TRUE(callback) << callback.error().detail;
    EXPECT_EQ(callback->delivery.text(), "72d3162e-cc78-11e3-81ab-4c9367dc0958");
    EXPECT_EQ(callback->event_type, "pull_request");
    EXPECT_EQ(callback->callback_token, "bt1.1.2.x");
    EXPECT_EQ(callback->upstream, "") << "what it is about stands in the ledger";
    const auto& report = callback->report;
    EXPECT_EQ(
        report.key,
        (domain::JobKey{.workflow = "CI", .job = "test a", .run_id = "1234", .attempt = 1})
    );
    EXPECT_EQ(report.status, domain::JobStatus::in_progress);
    EXPECT_EQ(report.conclusion, std::nullopt);
    EXPECT_EQ(report.check_run_id, "1234-1");
    EXPECT_EQ(report.started_at, *parse_rfc3339("2026-09-01T12:00:00Z"));
    EXPECT_EQ(report.completed_at, std::nullopt);
    EXPECT_EQ(report.tests, std::nullopt);
    EXPECT_TRUE(report.detail.notes.empty());
}

TEST(ParseCallback, NamesTheMemberThatIsMissingOrOfTheWrongKind) {
    struct Case {
        std::string body;
        const char* error;
    };

    const Case cases[] = {
        {"", "Invalid JSON body"},
        {"[]", "Body is not a JSON object"},
        {"null", "Body is not a JSON object"},
        {R"({"workflow":{}})", "/delivery_id: expected"},
        {R"({"delivery_id":["d"],"workflow":{}})", "/delivery_id: expected"},
        {R"({"delivery_id":"a b","workflow":{}})", "/delivery_id: expected"},
        {R"({"delivery_id":"d"})", "/workflow: expected an object"},
        {R"({"delivery_id":"d","workflow":[]})", "/workflow: expected an object"},
        {R"({"delivery_id":"d","workflow":{"name":7}})", "/workflow/name: expected text"},
        {R"({"delivery_id":"d","workflow":{"name":" "}})", "/workflow/name: expected text"},
        {R"({"delivery_id":"d","workflow":{"name":"n"}})", "/workflow/run_id: expected"},
        {R"({"delivery_id":"d","workflow":{"name":"n","run_id":0}})", "/workflow/run_id: expected"},
        {R"({"delivery_id":"d","workflow":{"name":"n","run_id":-4}})", "/workflow/run_id: expected"
        },
        {R"({"delivery_id":"d","workflow":{"name":"n","run_id":1.5}})", "/workflow/run_id: expected"
        },
        {R"({"delivery_id":"d","workflow":{"name":"n","run_id":"x"}})", "/workflow/run_id: expected"
        },
        {R"({"delivery_id":"d","workflow":{"name":"n","run_id":1,"run_attempt":0}})",
         "/workflow/run_attempt: expected"},
        {R"({"delivery_id":"d","workflow":{"name":"n","run_id":1,"run_attempt":true}})",
         "/workflow/run_attempt: expected"},
        {R"({"delivery_id":"d","workflow":{"name":"n","run_id":1}})", "/workflow/status: expected"},
        {R"({"delivery_id":"d","workflow":{"name":"n","run_id":1,"status":"queued"}})",
         "/workflow/status: expected in_progress or completed"},
        {R"({"delivery_id":"d","workflow":{"name":"n","run_id":1,"status":"completed"}})",
         "/workflow/conclusion: expected success"},
        {R"({"delivery_id":"d","event_type":["x"],"workflow":{}})", "/event_type: expected text"},
        {R"({"delivery_id":"d","callback_token":7,"workflow":{}})", "/callback_token: expected text"
        },
        {R"({"delivery_id":"d","event_type":"nightly","payload":[],"workflow":{}})",
         "/payload: expected an object"},
        {with(R"("url":7)"), "/workflow/url: expected text"},
        {with(R"("started_at":7)"), "/workflow/started_at: expected text"},
        {with(R"("test_results":[])"), "/workflow/test_results: expected an object"},
        {with(R"("test_results":{"passed":-1})"), "/workflow/test_results/passed: expected"},
        {with(R"("test_results":{"total":1e300})"), "/workflow/test_results/total: expected"},
        {with(R"("failed_tests":{})"), "/workflow/failed_tests: expected a list"},
        {with(R"("failed_tests":[7])"), "/workflow/failed_tests/0: expected"},
        {with(R"("failed_tests":["a",""])"), "/workflow/failed_tests/1: expected a test's name"},
        {with(R"("failed_tests":["a",{"message":"m"}])"),
         "/workflow/failed_tests/1/name: expected text"},
        {with(R"("failed_tests_detail":[{"name":"a","stacktrace":1}])"),
         "/workflow/failed_tests_detail/0/stacktrace: expected text"},
        {with(R"("benchmarks":[{"name":"a"}])"), "/workflow/benchmarks/0/value: expected a number"},
        {with(R"("environment":"cuda")"), "/workflow/environment: expected an object"},
        {with(R"("artifacts":{})"), "/workflow/artifacts: expected a list"},
        {with(fmt::format(R"("job_name":"{}")", std::string(513, 'j'))),
         "/workflow/job_name: expected at most 512 bytes"},
    };
    for (const auto& c : cases) {
        const auto callback = parse_callback(c.body);
        ASSERT_FALSE(callback) << c.body;
        EXPECT_THAT(callback.error().detail, HasSubstr(c.error)) << c.body;
        EXPECT_EQ(callback.error().code, Errc::invalid);
    }
}

TEST(ParseCallback, TakesRunIdsAsNumberTextOrUuid) {
    struct Case {
        const char* json;
        const char* run_id;
    };

    const Case cases[] = {
        {"17", "17"},
        {R"("17")", "17"},
        {R"("0017")", "17"},
        {"9007199254740993", "9007199254740993"},
        {R"("01890A5D-AC96-774B-BCCE-B302099A8057")", "01890a5d-ac96-774b-bcce-b302099a8057"},
    };
    for (const auto& c : cases) {
        const auto callback = parse_callback(fmt::format(
            R"({{"delivery_id":"d","workflow":{{"status":"in_progress","name":"n","run_id":{}}}}})",
            c.json
        ));
        ASSERT_TRUE(callback) << c.json;
        EXPECT_EQ(callback->report.key.run_id, c.run_id);
        EXPECT_EQ(callback->report.key.attempt, 1);
    }
}

TEST(ParseCallback, CutsAndDropsWhatIsOnlyTooLongAndSaysSo) {
    const std::string name(600, 'n');
    const std::string message = std::string(1023, 'm') + "\u00e9";
    const std::string stack(5000, 's');
    auto callback = parse_callback(with(fmt::format(
        R"("failed_tests_detail":[{{"name":"{}","message":"{}","stacktrace":"{}"}},"short"])",
        name,
        message,
        stack
    )));
    ASSERT_TRUE(callback) << callback.error().detail;
    const auto& tests = callback->report.detail.failed_tests;
    ASSERT_EQ(tests.size(), 2U);
    EXPECT_TRUE(tests[0].cut);
    EXPECT_EQ(tests[0].name.size(), limits::kTestNameBytesMax);
    EXPECT_EQ(tests[0].message, std::string(1023, 'm')); // never in the middle of a character
    EXPECT_EQ(tests[0].stack.size(), limits::kTestStackBytesMax);
    EXPECT_FALSE(tests[1].cut);
    EXPECT_EQ(tests[1].name, "short");

    std::string many = R"("failed_tests":["x")";
    for (std::size_t i = 0; i < limits::kFailedTestsMax; ++i) {
        many += ",\"x\"";
    }
    callback = parse_callback(with(many + "]"));
    ASSERT_TRUE(callback);
    EXPECT_EQ(callback->report.detail.failed_tests.size(), limits::kFailedTestsMax);
    EXPECT_THAT(
        callback->report.detail.notes,
        ElementsAre("/workflow/failed_tests: cut: 1000 of 1001 are kept")
    );
}

TEST(ParseCallback, DropsWhatIsNoPartOfTheVerdictRatherThanTheResult) {
    const auto callback = parse_callback(with(
        R"("url":"javascript:alert(1);x","artifact_url":"https://x/\u0007","started_at":"yesterday",)"
        R"("triage_verdict":{"schema_version":2},"completed_at":"")"
    ));
    ASSERT_TRUE(callback) << callback.error().detail;
    EXPECT_EQ(callback->report.url, "");
    EXPECT_EQ(callback->report.artifact_url, "");
    EXPECT_EQ(callback->report.started_at, std::nullopt);
    EXPECT_EQ(callback->report.detail.triage_verdict, "");
    EXPECT_THAT(
        callback->report.detail.notes,
        testing::UnorderedElementsAre(
            HasSubstr("/workflow/url: dropped"),
            HasSubstr("/workflow/artifact_url: dropped"),
            HasSubstr("/workflow/started_at: dropped"),
            "/workflow/triage_verdict: dropped: /schema_version: expected 1"
        )
    );
}

TEST(ParseCallback, KeepsWhatDescribesTheRun) {
    const auto callback = parse_callback(with(
        R"("test_results":{"passed":3,"failed":1,"skipped":2},"environment":{"device": "npu"},)"
        R"("benchmarks":[{"suite":"s","name":"n","value":1,"unit":"ms"}],"artifacts":[{"name": "w"}],)"
        R"("expected_failures":["t"])"
    ));
    ASSERT_TRUE(callback) << callback.error().detail;
    const auto& report = callback->report;
    EXPECT_EQ(
        report.tests, (domain::TestCounts{.passed = 3, .failed = 1, .skipped = 2, .total = 6})
    );
    EXPECT_EQ(report.detail.environment, R"({"device":"npu"})");
    EXPECT_EQ(report.detail.artifacts, R"([{"name":"w"}])");
    EXPECT_EQ(report.detail.expected_failures, R"(["t"])");
    ASSERT_EQ(report.detail.benchmarks.size(), 1U);
    EXPECT_EQ(report.detail.benchmarks[0].value, 1.0);
}

TEST(ParseCallback, KeepsOfATriageVerdictWhatItKnows) {
    const auto callback = parse_callback(with(
        R"("triage_verdict":{"schema_version":"1","category":"upstream","confidence":"high","summary":"s",)"
        R"("suspected_upstream":{"pr":9,"reason":"r","more":1},"evidence":[{"job":"j","log_url":"https://x/l"}],)"
        R"("reproduced_on_retry":true,"analyzer":{"name":"a","extra":1},"unknown":{}})"
    ));
    ASSERT_TRUE(callback) << callback.error().detail;
    EXPECT_EQ(
        callback->report.detail.triage_verdict,
        R"({"schema_version":1,"category":"upstream","confidence":"high","summary":"s",)"
        R"("suspected_upstream":{"pr":9,"reason":"r"},"evidence":[{"job":"j","log_url":"https://x/l"}],)"
        R"("reproduced_on_retry":true,"analyzer":{"name":"a"}})"
    );
}

TEST(ParseCallback, DropsAFaultyTriageVerdict) {
    for (const std::string_view faulty : {
             R"([])",
             R"({"schema_version":true,"category":"flake","confidence":"low","summary":"s"})",
             R"({"schema_version":1,"category":"weather","confidence":"low","summary":"s"})",
             R"({"schema_version":1,"category":"flake","confidence":"sure","summary":"s"})",
             R"({"schema_version":1,"category":"flake","confidence":"low","summary":" "})",
             R"({"schema_version":1,"category":"flake","confidence":"low","summary":"s","suspected_upstream":{"pr":1}})",
             R"({"schema_version":1,"category":"upstream","confidence":"low","summary":"s","suspected_upstream":{}})",
             R"({"schema_version":1,"category":"flake","confidence":"low","summary":"s","evidence":[{"log_url":"https://u@x/"}]})",
             R"({"schema_version":1,"category":"flake","confidence":"low","summary":"s","analyzed_at":"now"})",
         }) {
        const auto callback = parse_callback(with(fmt::format(R"("triage_verdict":{})", faulty)));
        ASSERT_TRUE(callback) << faulty;
        EXPECT_EQ(callback->report.detail.triage_verdict, "") << faulty;
        EXPECT_EQ(callback->report.detail.notes.size(), 1U) << faulty;
    }
}

TEST(WithoutCallbackToken, PassesOnEverythingElse) {
    EXPECT_EQ(
        without_callback_token(
            R"({ "a" : [1, 2.50], "callback_token":"bt1.secret", "b":{"c":null}})"
        ),
        R"({"a":[1,2.5],"b":{"c":null}})"
    );
    EXPECT_EQ(without_callback_token(R"({"callback_token":"bt1.secret"})"), "{}");
}

} // namespace
} // namespace baton::wire
