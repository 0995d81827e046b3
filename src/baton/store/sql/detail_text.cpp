// A report's detail as JSON text. Only this store reads it, so a text that does not read is damage.

#include "baton/base/result.hpp"
#include "baton/domain/attribution.hpp"
#include "baton/domain/report.hpp"
#include "baton/store/sql/job_rows.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/string.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

namespace baton::store::sql {

namespace {

namespace json = boost::json;

json::array tests_json(const domain::ReportDetail& detail) {
    json::array tests;
    tests.reserve(detail.failed_tests.size());
    for (const auto& test : detail.failed_tests) {
        tests.emplace_back(json::object{
            {"name", test.name},
            {"message", test.message},
            {"stack", test.stack},
            {"cut", test.cut},
        });
    }
    return tests;
}

json::array benchmarks_json(const domain::ReportDetail& detail) {
    json::array benchmarks;
    benchmarks.reserve(detail.benchmarks.size());
    for (const auto& one : detail.benchmarks) {
        benchmarks.emplace_back(json::object{
            {"suite", one.suite},
            {"name", one.name},
            {"value", fmt::format("{}", one.value)}, // text: digits that read back exactly
            {"unit", one.unit},
        });
    }
    return benchmarks;
}

std::string string_at(const json::object& object, std::string_view key) {
    const auto* value = object.if_contains(key);
    const auto* text = value == nullptr ? nullptr : value->if_string();
    return text == nullptr ? std::string() : std::string(text->data(), text->size());
}

json::array array_at(const json::object& object, std::string_view key) {
    const auto* value = object.if_contains(key);
    const auto* array = value == nullptr ? nullptr : value->if_array();
    return array == nullptr ? json::array() : *array;
}

json::object object_in(const json::value& value) {
    const auto* object = value.if_object();
    return object == nullptr ? json::object() : *object;
}

domain::FailedTest test_from(const json::object& object) {
    const auto* cut = object.if_contains("cut");
    return {
        .name = string_at(object, "name"),
        .message = string_at(object, "message"),
        .stack = string_at(object, "stack"),
        .cut = cut != nullptr && cut->is_bool() && cut->get_bool(),
    };
}

domain::Benchmark benchmark_from(const json::object& object) {
    const auto digits = string_at(object, "value");
    double value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return {
        .suite = string_at(object, "suite"),
        .name = string_at(object, "name"),
        .value = value,
        .unit = string_at(object, "unit"),
    };
}

} // namespace

std::string text_of(const domain::ReportDetail& detail) {
    return json::serialize(json::object{
        {"failed_tests", tests_json(detail)},
        {"benchmarks", benchmarks_json(detail)},
        {"environment", detail.environment},
        {"expected_failures", detail.expected_failures},
        {"artifacts", detail.artifacts},
        {"triage_verdict", detail.triage_verdict},
        {"notes", json::array(detail.notes.begin(), detail.notes.end())},
    });
}

Result<domain::ReportDetail> detail_from(std::string_view text) {
    boost::system::error_code broken;
    const auto parsed = json::parse(text, broken);
    const auto* object = broken ? nullptr : parsed.if_object();
    if (object == nullptr) {
        return fail(
            Errc::unavailable, "the stored detail of a report is damaged: restore a backup"
        );
    }
    domain::ReportDetail detail;
    for (const auto& test : array_at(*object, "failed_tests")) {
        detail.failed_tests.push_back(test_from(object_in(test)));
    }
    for (const auto& one : array_at(*object, "benchmarks")) {
        detail.benchmarks.push_back(benchmark_from(object_in(one)));
    }
    for (const auto& note : array_at(*object, "notes")) {
        if (const auto* words = note.if_string()) {
            detail.notes.emplace_back(words->data(), words->size());
        }
    }
    detail.environment = string_at(*object, "environment");
    detail.expected_failures = string_at(*object, "expected_failures");
    detail.artifacts = string_at(*object, "artifacts");
    detail.triage_verdict = string_at(*object, "triage_verdict");
    return detail;
}

std::optional<domain::Triage> triage_from(std::string_view text) {
    boost::system::error_code broken;
    const auto verdict = object_in(json::parse(text, broken));
    return domain::triage_named(string_at(verdict, "category"), string_at(verdict, "confidence"));
}

} // namespace baton::store::sql
