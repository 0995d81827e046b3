#include "baton/wire/callback.hpp"

#include "baton/base/forms.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/report.hpp"
#include "baton/wire/callback_detail.hpp"
#include "baton/wire/json_document.hpp"
#include "baton/wire/json_fields.hpp"
#include "baton/wire/json_text.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::wire {

namespace {

namespace dom = simdjson::dom;

constexpr std::string_view kToken = "callback_token";
constexpr std::size_t kCheckRunIdBytesMax = 128;

/// A text, or a number as text: ids come as either.
Result<std::optional<std::string>> id_if(dom::object in, std::string_view pointer) {
    const auto found = fields::member(in, pointer);
    if (!found) {
        return std::optional<std::string>{};
    }
    std::string_view text;
    if (found->get(text) == simdjson::SUCCESS) {
        return text.empty() ? std::optional<std::string>{} : std::optional<std::string>{text};
    }
    std::uint64_t number{0};
    if (found->get(number) == simdjson::SUCCESS) {
        return std::optional<std::string>{std::to_string(number)};
    }
    return fields::expected(pointer, "text or a whole number");
}

Result<std::string> run_id_of(dom::object workflow) {
    constexpr std::string_view kPointer = "/workflow/run_id";
    BATON_TRY(const auto text, id_if(workflow, kPointer));
    if (text && is_uuid(*text)) {
        return lower(*text);
    }
    const auto number = text ? whole_number(*text) : std::nullopt;
    if (!number || *number == 0) {
        return fields::expected(kPointer, "a whole number from 1, as number or text, or a UUID");
    }
    return std::to_string(*number);
}

Result<int> attempt_of(dom::object workflow) {
    constexpr std::string_view kPointer = "/workflow/run_attempt";
    BATON_TRY(const auto text, id_if(workflow, kPointer));
    if (!text) {
        return 1;
    }
    const auto number = whole_number(*text);
    if (!number || *number < 1 || *number > std::numeric_limits<int>::max()) {
        return fields::expected(kPointer, "a whole number from 1, as number or text");
    }
    return static_cast<int>(*number);
}

/// Part of what identifies a job, so it is never cut.
Result<std::string> name_at(dom::object workflow, std::string_view pointer, bool required) {
    BATON_TRY(const auto text, fields::text_if(workflow, pointer));
    if (text.value_or("").size() > limits::kJobNameBytesMax) {
        return fields::expected(pointer, fmt::format("at most {} bytes", limits::kJobNameBytesMax));
    }
    if (required && trimmed(text.value_or("")).empty()) {
        return fields::expected(pointer, "text");
    }
    return std::string(text.value_or(""));
}

Result<domain::JobKey> key_of(dom::object workflow) {
    domain::JobKey key;
    BATON_TRY(key.workflow, name_at(workflow, "/workflow/name", true));
    BATON_TRY(key.job, name_at(workflow, "/workflow/job_name", false));
    BATON_TRY(key.run_id, run_id_of(workflow));
    BATON_TRY(key.attempt, attempt_of(workflow));
    return key;
}

Result<domain::JobStatus> status_of(dom::object workflow) {
    constexpr std::string_view kPointer = "/workflow/status";
    BATON_TRY(const auto text, fields::text_at(workflow, kPointer));
    const auto status = domain::job_status_named(text);
    if (!status) {
        return fields::expected(kPointer, "in_progress or completed");
    }
    return *status;
}

Result<std::optional<domain::Conclusion>>
conclusion_of(dom::object workflow, domain::JobStatus status) {
    constexpr std::string_view kPointer = "/workflow/conclusion";
    constexpr std::string_view kWhat =
        "success, failure, neutral, cancelled, skipped, timed_out or action_required";
    BATON_TRY(const auto text, fields::text_if(workflow, kPointer));
    if (status == domain::JobStatus::in_progress) {
        return std::optional<domain::Conclusion>{}; // whatever is there: there is no end yet
    }
    const auto conclusion = domain::conclusion_named(text.value_or(""));
    if (!conclusion) {
        return fields::expected(kPointer, kWhat);
    }
    return conclusion;
}

/// Their clock is their business: a text that is no time is dropped.
Result<std::optional<TimePoint>>
time_if(dom::object workflow, std::string_view pointer, domain::ReportDetail& detail) {
    BATON_TRY(const auto text, fields::text_if(workflow, pointer));
    if (!text || text->empty()) {
        return std::optional<TimePoint>{};
    }
    auto when = parse_rfc3339(*text);
    if (!when) {
        note(detail, pointer, "dropped: not a time like 2026-11-15T13:30:00Z");
        return std::optional<TimePoint>{};
    }
    return std::optional<TimePoint>{*when};
}

/// It becomes a link, so nothing but http and https.
Result<std::string>
address_if(dom::object workflow, std::string_view pointer, domain::ReportDetail& detail) {
    BATON_TRY(const auto text, fields::text_if(workflow, pointer));
    if (!text || text->empty()) {
        return std::string{};
    }
    if (text->size() > limits::kUrlBytesMax || !is_web_address(*text)) {
        note(
            detail,
            pointer,
            fmt::format("dropped: not an http(s) address of at most {} bytes", limits::kUrlBytesMax)
        );
        return std::string{};
    }
    return std::string(*text);
}

Result<std::optional<domain::TestCounts>> tests_of(dom::object workflow) {
    constexpr std::string_view kPointer = "/workflow/test_results";
    constexpr std::uint64_t kMost = std::uint64_t{1} << 53U;
    BATON_TRY(const auto results, fields::object_if(workflow, kPointer));
    if (!results || results->size() == 0) {
        return std::optional<domain::TestCounts>{};
    }
    const auto count = [&](std::string_view name) -> Result<std::optional<std::int64_t>> {
        const auto pointer = fmt::format("{}/{}", kPointer, name);
        BATON_TRY(const auto number, fields::count_if(*results, pointer));
        if (number.value_or(0) > kMost) {
            return fields::expected(pointer, "a number of 0 or more");
        }
        return number ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
    };
    BATON_TRY(const auto passed, count("passed"));
    BATON_TRY(const auto failed, count("failed"));
    BATON_TRY(const auto skipped, count("skipped"));
    BATON_TRY(const auto total, count("total"));
    domain::TestCounts counts{
        .passed = passed.value_or(0), .failed = failed.value_or(0), .skipped = skipped.value_or(0)
    };
    counts.total = total.value_or(counts.passed + counts.failed + counts.skipped);
    return std::optional(counts);
}

Result<domain::Report> report_of(dom::object workflow) {
    domain::Report report;
    BATON_TRY(report.key, key_of(workflow));
    BATON_TRY(report.status, status_of(workflow));
    BATON_TRY(report.conclusion, conclusion_of(workflow, report.status));
    BATON_TRY(report.detail, read_report_detail(workflow));
    BATON_TRY(report.url, address_if(workflow, "/workflow/url", report.detail));
    BATON_TRY(report.artifact_url, address_if(workflow, "/workflow/artifact_url", report.detail));
    BATON_TRY(auto check_run_id, id_if(workflow, "/workflow/check_run_id"));
    report.check_run_id = cut_to(check_run_id.value_or(""), kCheckRunIdBytesMax);
    BATON_TRY(report.started_at, time_if(workflow, "/workflow/started_at", report.detail));
    BATON_TRY(report.completed_at, time_if(workflow, "/workflow/completed_at", report.detail));
    BATON_TRY(report.tests, tests_of(workflow));
    return report;
}

Result<DeliveryId> delivery_of(dom::object root) {
    constexpr std::string_view kPointer = "/delivery_id";
    BATON_TRY(const auto text, id_if(root, kPointer));
    if (!text || text->size() > limits::kDeliveryIdBytesMax || !is_visible_ascii(*text)) {
        return fields::expected(kPointer, "the delivery id of the dispatch");
    }
    return DeliveryId(*text);
}

Result<std::string> upstream_of(dom::object root) {
    BATON_TRY(const auto payload, fields::object_if(root, "/payload"));
    if (!payload) {
        return std::string{};
    }
    BATON_TRY(const auto repository, fields::object_if(*payload, "/payload/repository"));
    if (!repository) {
        return std::string{};
    }
    BATON_TRY(const auto name, fields::text_if(*repository, "/payload/repository/full_name"));
    return std::string(name.value_or(""));
}

/// Only these may come without a dispatch; of all others the payload is not looked at.
bool is_self_started(std::string_view event_type) {
    return event_type == "nightly" || event_type == "periodic";
}

Result<Callback> callback_of(dom::object root) {
    Callback callback;
    BATON_TRY(callback.delivery, delivery_of(root));
    BATON_TRY(const auto event_type, fields::text_if(root, "/event_type"));
    callback.event_type = event_type.value_or("");
    BATON_TRY(const auto token, fields::text_if(root, "/callback_token"));
    callback.callback_token = token.value_or("");
    if (is_self_started(callback.event_type)) {
        BATON_TRY(callback.upstream, upstream_of(root));
    }
    BATON_TRY(const auto workflow, fields::object_at(root, "/workflow"));
    BATON_TRY(callback.report, report_of(workflow));
    return callback;
}

} // namespace

Result<Callback> parse_callback(const std::string& body) {
    return read_json_object(JsonBytes(body), [](dom::object root) { return callback_of(root); });
}

std::string without_callback_token(const std::string& body) {
    auto passed_on = read_json_object(JsonBytes(body), [](dom::object root) {
        std::string out = "{";
        for (const auto member : root) {
            if (member.key == kToken) {
                continue;
            }
            out.append(out.size() > 1 ? "," : "");
            append_json_quoted(out, member.key);
            out.append(":").append(simdjson::minify(member.value));
        }
        return Result<std::string>(out + "}");
    });
    return std::move(passed_on).value_or("{}");
}

} // namespace baton::wire
