#include "baton/wire/hud_letter.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/report.hpp"
#include "baton/wire/json_text.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::wire {

namespace {

namespace json = boost::json;

/// Seconds with three decimals; null when unknown, 0 when a clock was set back.
std::string seconds_text(std::optional<Millis> span) {
    if (!span) {
        return "null";
    }
    const auto ms = std::max<std::int64_t>(0, span->count());
    return fmt::format("{}.{:03}", ms / 1000, ms % 1000);
}

json::value time_or_null(std::optional<TimePoint> when) {
    return when ? json::value(to_rfc3339(*when)) : json::value(nullptr);
}

/// As much of the webhook as says what the job ran for.
json::object payload_of(const domain::JobSubject& subject) {
    json::object payload{{"repository", {{"full_name", subject.upstream.text()}}}};
    if (subject.pr) {
        payload["pull_request"] = {
            {"number", static_cast<std::int64_t>(*subject.pr)},
            {"head", {{"sha", subject.head.text()}}},
        };
    } else if (subject.event_type == "push") {
        payload["after"] = subject.head.text();
    } else {
        payload["head_sha"] = subject.head.text();
    }
    return payload;
}

/// What its downstream would have sent had it ended as we concluded.
std::string time_out_of(const HudLetter& letter) {
    const auto& job = letter.job;
    const auto& key = job.key;
    const auto fallback =
        fmt::format("{}-{}", key.run_id, key.attempt); // as the action makes it up
    const json::object body{
        {"event_type", job.subject.event_type},
        {"delivery_id", letter.delivery.text()},
        {"payload", payload_of(job.subject)},
        {"workflow",
         {
             {"schema_version", "1"},
             {"status", "completed"},
             {"conclusion", name_of(job.conclusion.value_or(domain::Conclusion::timed_out))},
             {"name", key.workflow},
             {"job_name", key.job},
             {"run_id", key.run_id},
             {"run_attempt", key.attempt},
             {"url", job.url},
             {"check_run_id", job.check_run_id.empty() ? fallback : job.check_run_id},
             {"started_at", time_or_null(job.their_start)},
             {"completed_at", to_rfc3339(letter.at)},
         }},
    };
    return json::serialize(body);
}

/// The body was read when it was taken in, so it has a status.
bool tells_an_end(const std::string& body) {
    simdjson::dom::parser parser;
    std::string_view status;
    const auto error = parser.parse(body)["workflow"]["status"].get(status);
    return error == simdjson::SUCCESS && status == domain::name_of(domain::JobStatus::completed);
}

} // namespace

std::string hud_body(const HudLetter& letter) {
    const bool concluded = letter.body.empty();
    const bool end = concluded || tells_an_end(letter.body);
    auto execution = domain::execution_of(letter.job);
    if (concluded && letter.job.started_at) { // its downstream may have spoken meanwhile
        execution = letter.at - *letter.job.started_at;
    }
    return fmt::format(
        R"({{"trusted":{{"ci_metrics":{{"queue_time":{},"execution_time":{}}},)"
        R"("verified_repo":{},"downstream_repo_level":"{}"}},)"
        R"("untrusted":{{"callback_payload":{}}}}})",
        end ? "null" : seconds_text(letter.job.queue),
        end ? seconds_text(execution) : "null",
        json_quoted(letter.job.subject.downstream.text()),
        domain::name_of(letter.job.level),
        concluded ? time_out_of(letter) : letter.body
    );
}

} // namespace baton::wire
