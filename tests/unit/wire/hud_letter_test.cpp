#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/report.hpp"
#include "baton/wire/hud_letter.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace baton::wire {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;

constexpr TimePoint kStart = from_ms(1'800'000'000'000);

domain::Job job() {
    domain::Job job;
    job.subject = {
        .dispatch = DispatchId{7},
        .downstream = *RepoName::parse("org/backend"),
        .upstream = *RepoName::parse("up/stream"),
        .event_type = "pull_request",
        .pr = PrNumber{12},
        .head = HeadSha("abc"),
    };
    job.key = {.workflow = "ci", .job = "test", .run_id = "991", .attempt = 2};
    job.level = domain::Level::l3;
    job.url = "https://ci.example/991";
    job.started_at = kStart;
    job.queue = 90'500ms;
    return job;
}

json::object sent(const HudLetter& letter) {
    return json::parse(hud_body(letter)).as_object();
}

TEST(HudLetter, TellsTheQueueWithAStart) {
    const std::string body = R"({"delivery_id":"d","workflow":{"status":"in_progress","x":1.50}})";
    const HudLetter letter{.job = job(), .delivery = DeliveryId("d"), .body = body, .at = kStart};
    EXPECT_EQ(
        hud_body(letter),
        R"({"trusted":{"ci_metrics":{"queue_time":90.500,"execution_time":null},)"
        R"("verified_repo":"org/backend","downstream_repo_level":"L3"},)"
        R"("untrusted":{"callback_payload":)" +
            body + "}}"
    ) << "the callback's own bytes, unchanged";
}

TEST(HudLetter, TellsTheExecutionWithAnEnd) {
    auto ended = job();
    ended.status = domain::JobStatus::completed;
    ended.completed_at = kStart + 61'007ms;
    const auto root = sent(
        {.job = ended, .body = R"({"workflow":{"status":"completed"}})", .at = kStart + 61'007ms}
    );
    const auto& metrics = root.at("trusted").at("ci_metrics");
    EXPECT_TRUE(metrics.at("queue_time").is_null());
    EXPECT_DOUBLE_EQ(metrics.at("execution_time").as_double(), 61.007);
    ended.started_at.reset();
    ended.start_missed = true;
    const auto missed = sent({.job = ended, .body = R"({"workflow":{"status":"completed"}})"});
    EXPECT_TRUE(missed.at("trusted").at("ci_metrics").at("execution_time").is_null());
}

TEST(HudLetter, NeverTellsANegativeTime) {
    auto early = job();
    early.queue = -5ms;
    const auto root = sent({.job = early, .body = R"({"workflow":{"status":"in_progress"}})"});
    EXPECT_DOUBLE_EQ(root.at("trusted").at("ci_metrics").at("queue_time").as_double(), 0);
}

TEST(HudLetter, SpeaksForAJobThatTimedOut) {
    auto silent = job();
    silent.check_run_id = "77";
    const auto root =
        sent({.job = silent, .delivery = DeliveryId("d-1"), .body = "", .at = kStart + 6h});
    EXPECT_DOUBLE_EQ(
        root.at("trusted").at("ci_metrics").at("execution_time").as_double(), 6.0 * 3600
    );
    EXPECT_EQ(
        root.at("untrusted").at("callback_payload"),
        json::parse(R"({"event_type":"pull_request","delivery_id":"d-1",
            "payload":{"repository":{"full_name":"up/stream"},
                       "pull_request":{"number":12,"head":{"sha":"abc"}}},
            "workflow":{"schema_version":"1","status":"completed","conclusion":"timed_out",
                        "name":"ci","job_name":"test","run_id":"991","run_attempt":2,
                        "url":"https://ci.example/991","check_run_id":"77","started_at":null,
                        "completed_at":"2027-01-15T14:00:00.000Z"}})")
    );
    silent.check_run_id.clear();
    const auto made_up = sent({.job = silent, .body = "", .at = kStart});
    EXPECT_EQ(
        made_up.at("untrusted").at("callback_payload").at("workflow").at("check_run_id"), "991-2"
    ) << "the HUD wants one";
}

TEST(HudLetter, SaysWhatATimedOutNightlyRanFor) {
    auto nightly = job();
    nightly.subject.event_type = "nightly";
    nightly.subject.pr.reset();
    const auto payload =
        sent({.job = nightly, .body = "", .at = kStart}).at("untrusted").at("callback_payload");
    EXPECT_EQ(payload.at("payload").at("head_sha"), "abc");
    EXPECT_EQ(payload.at("event_type"), "nightly");
}

} // namespace
} // namespace baton::wire
