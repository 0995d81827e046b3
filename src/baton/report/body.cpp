#include "baton/report/body.hpp"

#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/wire/cut_text.hpp"
#include "baton/wire/junit.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/parse_options.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace baton::report {

namespace json = boost::json;

namespace {

constexpr std::size_t kFieldBytesMax = 4096; // names, URLs: longer ones are a mistake

std::optional<json::value> parsed(std::string_view text) {
    json::parse_options options;
    options.max_depth = limits::kJsonDepthMax;
    boost::system::error_code broken;
    auto value = json::parse(text, broken, {}, options);
    return broken ? std::nullopt : std::optional<json::value>(std::move(value));
}

json::value text_or_null(const std::string& text) {
    return text.empty() ? json::value(nullptr) : json::value(wire::cut_end(text, kFieldBytesMax));
}

/// The part of the body that every report has, in the order of PyTorch's own action.
json::object workflow_of(const Report& report) {
    const bool completed = report.status == Status::completed;
    json::object workflow{
        {"schema_version", "1"},
        {"status", name_of(report.status)},
        {"conclusion", completed ? text_or_null(report.conclusion) : json::value(nullptr)},
        {"name", text_or_null(report.workflow)},
        {"url", text_or_null(report.url)},
        {"run_id", text_or_null(report.run_id)},
        {"run_attempt", fmt::format("{}", report.run_attempt)},
        {"job_name", text_or_null(report.job_name)},
        {"check_run_id",
         report.check_run_id.empty()
             ? json::value(fmt::format("{}-{}", report.run_id, report.run_attempt))
             : text_or_null(report.check_run_id)},
        {"started_at", text_or_null(report.started_at)},
        {"completed_at", completed ? text_or_null(report.completed_at) : json::value(nullptr)},
    };
    if (!report.artifact_url.empty()) {
        workflow["artifact_url"] = text_or_null(report.artifact_url);
    }
    if (!report.environment.empty()) {
        json::object environment;
        for (const auto& [name, value] : report.environment) {
            environment[wire::cut_end(name, kFieldBytesMax)] = wire::cut_end(value, kFieldBytesMax);
        }
        workflow["environment"] = std::move(environment);
    }
    return workflow;
}

json::object counts_of(const wire::TestSummary& tests) {
    return {
        {"passed", tests.passed},
        {"failed", tests.failed},
        {"skipped", tests.skipped},
        {"total", tests.total()},
    };
}

json::object echoed(const std::variant<Echo, SelfReport>& origin) {
    if (const auto* echo = std::get_if<Echo>(&origin)) {
        auto payload = parsed(echo->client_payload);
        const bool object = payload && payload->is_object();
        return object ? std::move(payload->as_object()) : json::object{};
    }
    const auto& own = std::get<SelfReport>(origin);
    return {
        {"event_type", own.event_type},
        {"delivery_id", own.sha.text()},
        {"payload",
         json::object{
             {"repository", json::object{{"full_name", own.upstream.text()}}},
             {"head_sha", own.sha.text()},
         }},
    };
}

/// The failed tests, and what of them had to go.
class FailedTests {
public:
    explicit FailedTests(const std::vector<wire::FailedTest>& tests)
        : tests_(tests) {
        for (const auto& test : tests_) {
            bytes_ += bytes_of(test);
        }
    }

    /// Lets go of stacks, then messages, then tests, each from the end, until `bytes_max` is kept.
    void fit(std::size_t bytes_max) {
        drop(&wire::FailedTest::stack, stacks_dropped_, bytes_max);
        drop(&wire::FailedTest::message, messages_dropped_, bytes_max);
        while (bytes_ > bytes_max && !tests_.empty()) {
            bytes_ -= bytes_of(tests_.back());
            tests_.pop_back();
            ++tests_dropped_;
        }
    }

    json::array list() const {
        json::array all;
        all.reserve(tests_.size());
        for (const auto& test : tests_) {
            all.emplace_back(json_of(test));
        }
        return all;
    }

    void tell(std::vector<std::string>& notes) const {
        using Dropped = std::pair<std::string_view, std::size_t>;
        const std::array<Dropped, 3> dropped{
            Dropped{"stacks of", stacks_dropped_},
            Dropped{"messages of", messages_dropped_},
            Dropped{"names of", tests_dropped_},
        };
        for (const auto& [what, count] : dropped) {
            if (count > 0) {
                notes.push_back(fmt::format(
                    "{} {} failed tests left out: the report was too large", what, count
                ));
            }
        }
    }

private:
    static json::object json_of(const wire::FailedTest& test) {
        json::object one{{"name", test.name}};
        if (!test.message.empty()) {
            one["message"] = test.message;
        }
        if (!test.stack.empty()) {
            one["stack"] = test.stack;
        }
        return one;
    }

    static std::size_t bytes_of(const wire::FailedTest& test) {
        return json::serialize(json_of(test)).size() + 1; // and a comma
    }

    void drop(std::string wire::FailedTest::* part, std::size_t& dropped, std::size_t bytes_max) {
        for (auto test = tests_.rbegin(); test != tests_.rend() && bytes_ > bytes_max; ++test) {
            if (((*test).*part).empty()) {
                continue;
            }
            bytes_ -= bytes_of(*test);
            ((*test).*part).clear();
            bytes_ += bytes_of(*test);
            ++dropped;
        }
    }

    std::vector<wire::FailedTest> tests_;
    std::size_t bytes_{0};
    std::size_t stacks_dropped_{0};
    std::size_t messages_dropped_{0};
    std::size_t tests_dropped_{0};
};

std::size_t bytes_of(const json::object& body) {
    return json::serialize(body).size();
}

/// JSON texts that were handed over, the one that is missed least first.
std::vector<std::pair<std::string_view, std::string_view>> parts_of(const Report& report) {
    return {
        {"artifacts", report.artifacts},
        {"benchmarks", report.benchmarks},
        {"failed_tests_detail", report.failed_tests},
        {"triage_verdict", report.triage_verdict},
        {"test_results", report.test_results},
    };
}

/// Of expected failures no more than a relay takes.
void add_tests(json::object& workflow, const Report& report, std::vector<std::string>& notes) {
    if (report.tests && report.test_results.empty()) {
        workflow["test_results"] = counts_of(*report.tests);
    }
    if (!report.tests || report.tests->expected_failures.empty()) {
        return;
    }
    json::array expected;
    std::size_t bytes = 2; // brackets
    for (const auto& name : report.tests->expected_failures) {
        bytes += json::serialize(json::string(name)).size() + 1;
        if (bytes > limits::kReportListBytesMax) {
            notes.push_back(
                fmt::format("only the first {} expected failures are named", expected.size())
            );
            break;
        }
        expected.emplace_back(name);
    }
    workflow["expected_failures"] = std::move(expected);
}

/// Takes one part after another out until it fits.
void make_room(json::object& workflow, std::size_t bytes_max, std::vector<std::string>& notes) {
    constexpr std::array<std::string_view, 6> kLeastMissedFirst{
        "expected_failures",
        "artifacts",
        "benchmarks",
        "failed_tests_detail",
        "triage_verdict",
        "environment",
    };
    for (const auto part : kLeastMissedFirst) {
        if (bytes_of(workflow) <= bytes_max) {
            return;
        }
        if (workflow.erase(part) > 0) {
            notes.push_back(fmt::format("{} left out: the report was too large", part));
        }
    }
}

} // namespace

std::string_view name_of(Status status) {
    switch (status) {
    case Status::in_progress:
        return "in_progress";
    case Status::completed:
        return "completed";
    }
    return "completed";
}

Result<Body> make_body(const Report& report, std::size_t bytes_max) {
    constexpr std::size_t kNotesRoom = 16'384; // notes are written last
    constexpr std::size_t kNotesMax = 20;
    Body made{.json = {}, .notes = report.notes};
    auto body = echoed(report.origin);
    if (body.empty()) {
        return fail(Errc::invalid, "the client_payload to send back is no JSON object");
    }
    auto workflow = workflow_of(report);
    add_tests(workflow, report, made.notes);
    for (const auto& [name, text] : parts_of(report)) {
        if (auto value = parsed(text); value && !text.empty()) {
            workflow[name] = *std::move(value);
        }
    }
    const auto room = bytes_max - std::min(bytes_max, bytes_of(body) + kNotesRoom);
    make_room(workflow, room, made.notes);
    const auto taken = bytes_of(workflow);
    if (taken > room) {
        return fail(
            Errc::invalid,
            fmt::format(
                "the report is {} bytes too long, and nothing can be left out", taken - room
            )
        );
    }
    if (report.tests && report.failed_tests.empty() && !report.tests->failed_tests.empty()) {
        FailedTests failed(report.tests->failed_tests);
        constexpr std::size_t kListRoom = 32; // its name and brackets
        failed.fit(room - std::min(room, taken + kListRoom));
        failed.tell(made.notes);
        workflow["failed_tests"] = failed.list();
    }
    json::array notes;
    for (const auto& note : made.notes) {
        if (notes.size() < kNotesMax) {
            notes.emplace_back(inert(note));
        }
    }
    if (!notes.empty()) {
        workflow["notes"] = std::move(notes);
    }
    body["workflow"] = std::move(workflow);
    made.json = json::serialize(body);
    return made;
}

Result<Body> make_shown_body(const Report& report) {
    BATON_TRY(auto made, make_body(report, kReportBytesMax));
    auto body = parsed(made.json);
    auto& object = body->as_object();
    if (object.contains("callback_token")) {
        object["callback_token"] = "***";
    }
    made.json = json::serialize(object);
    return made;
}

Result<void> checked_part(std::string_view text, Shape shape) {
    if (text.size() > kPartBytesMax) {
        return fail(Errc::invalid, fmt::format("larger than {} bytes", kPartBytesMax));
    }
    if (broken_utf8_at(text)) {
        return fail(Errc::invalid, "not UTF-8");
    }
    const auto value = parsed(text);
    if (!value) {
        return fail(Errc::invalid, "not JSON");
    }
    if (shape == Shape::object && !value->is_object()) {
        return fail(Errc::invalid, "not a JSON object");
    }
    if (shape == Shape::list && !value->is_array()) {
        return fail(Errc::invalid, "not a JSON list");
    }
    return {};
}

Result<std::string> client_payload_in(std::string_view event_json) {
    const auto event = parsed(event_json);
    if (!event || !event->is_object()) {
        return fail(Errc::invalid, "the event file is no JSON object");
    }
    const auto* payload = event->as_object().if_contains("client_payload");
    if (payload == nullptr || !payload->is_object() || payload->as_object().empty()) {
        return fail(Errc::not_found, "the event that started this job has no client_payload");
    }
    return json::serialize(*payload);
}

} // namespace baton::report
