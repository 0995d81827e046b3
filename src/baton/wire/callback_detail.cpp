#include "baton/wire/callback_detail.hpp"

#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/report.hpp"
#include "baton/wire/json_fields.hpp"
#include "baton/wire/triage_verdict.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::wire {

namespace {

namespace dom = simdjson::dom;

/// Cut to its bound; `cut` remembers whether it was.
std::string bounded(std::string_view text, std::size_t bytes, bool& cut) {
    cut = cut || text.size() > bytes;
    return std::string(cut_to(text, bytes));
}

/// The first of two names that is there: reporters spell some members in two ways.
Result<std::string_view>
either_text(dom::object in, const std::string& pointer, std::string_view a, std::string_view b) {
    for (const auto name : {a, b}) {
        BATON_TRY(const auto text, fields::text_if(in, fmt::format("{}/{}", pointer, name)));
        if (text) {
            return *text;
        }
    }
    return std::string_view{};
}

Result<domain::FailedTest> failed_test_of(dom::element item, const std::string& pointer) {
    domain::FailedTest test;
    std::string_view name;
    if (item.get(name) == simdjson::SUCCESS && !name.empty()) {
        test.name = bounded(name, limits::kTestNameBytesMax, test.cut);
        return test;
    }
    dom::object object;
    if (item.get(object) != simdjson::SUCCESS) {
        return fields::expected(pointer, "a test's name or an object");
    }
    BATON_TRY(name, either_text(object, pointer, "name", "test_name"));
    if (name.empty()) {
        return fields::expected(pointer + "/name", "text");
    }
    BATON_TRY(const auto message, fields::text_if(object, pointer + "/message"));
    BATON_TRY(const auto stack, either_text(object, pointer, "stack", "stacktrace"));
    test.name = bounded(name, limits::kTestNameBytesMax, test.cut);
    test.message = bounded(message.value_or(""), limits::kTestMessageBytesMax, test.cut);
    test.stack = bounded(stack, limits::kTestStackBytesMax, test.cut);
    return test;
}

Result<domain::Benchmark> benchmark_of(dom::element item, const std::string& pointer) {
    dom::object object;
    if (item.get(object) != simdjson::SUCCESS) {
        return fields::expected(pointer, "an object");
    }
    domain::Benchmark benchmark;
    bool cut = false;
    BATON_TRY(const auto suite, fields::text_if(object, pointer + "/suite"));
    BATON_TRY(const auto name, fields::text_at(object, pointer + "/name"));
    BATON_TRY(const auto unit, fields::text_if(object, pointer + "/unit"));
    const auto value = fields::member(object, pointer + "/value");
    if (!value || value->get(benchmark.value) != simdjson::SUCCESS) {
        return fields::expected(pointer + "/value", "a number");
    }
    benchmark.suite = bounded(suite.value_or(""), limits::kTestNameBytesMax, cut);
    benchmark.name = bounded(name, limits::kTestNameBytesMax, cut);
    benchmark.unit = bounded(unit.value_or(""), limits::kTestNameBytesMax, cut);
    return benchmark;
}

/// Where a list stands and how much of it is kept.
struct Listed {
    std::string pointer;
    std::size_t most{0};
};

template <class T, class Read>
Result<std::vector<T>>
list_if(dom::object workflow, const Listed& listed, domain::ReportDetail& detail, Read read) {
    std::vector<T> kept;
    BATON_TRY(const auto items, fields::array_if(workflow, listed.pointer));
    if (!items) {
        return kept;
    }
    for (const auto item : *items) {
        if (kept.size() == listed.most) {
            note(
                detail,
                listed.pointer,
                fmt::format("cut: {} of {} are kept", listed.most, items->size())
            );
            break;
        }
        BATON_TRY(auto one, read(item, fmt::format("{}/{}", listed.pointer, kept.size())));
        kept.push_back(std::move(one));
    }
    return kept;
}

/// An object or list that is kept as it is, within its bound.
template <class Value>
std::string
verbatim(Value value, std::string_view pointer, std::size_t bytes, domain::ReportDetail& detail) {
    std::string text = simdjson::minify(value);
    if (text.size() > bytes) {
        note(detail, pointer, fmt::format("dropped: longer than {} bytes", bytes));
        return {};
    }
    return text;
}

Result<std::string>
list_verbatim(dom::object workflow, std::string_view pointer, domain::ReportDetail& detail) {
    BATON_TRY(const auto list, fields::array_if(workflow, pointer));
    return list ? verbatim(*list, pointer, limits::kReportListBytesMax, detail) : std::string{};
}

Result<std::string> environment_of(dom::object workflow, domain::ReportDetail& detail) {
    constexpr std::string_view kPointer = "/workflow/environment";
    BATON_TRY(const auto object, fields::object_if(workflow, kPointer));
    return object ? verbatim(*object, kPointer, limits::kEnvironmentBytesMax, detail)
                  : std::string{};
}

std::string triage_of(dom::object workflow, domain::ReportDetail& detail) {
    constexpr std::string_view kPointer = "/workflow/triage_verdict";
    const auto found = fields::member(workflow, kPointer);
    if (!found) {
        return {};
    }
    auto verdict = read_triage_verdict(*found);
    if (!verdict) {
        note(detail, kPointer, "dropped: " + verdict.error().detail);
        return {};
    }
    return *std::move(verdict);
}

} // namespace

void note(domain::ReportDetail& detail, std::string_view pointer, std::string_view what) {
    detail.notes.push_back(fmt::format("{}: {}", pointer, what));
}

Result<domain::ReportDetail> read_report_detail(dom::object workflow) {
    domain::ReportDetail detail;
    for (const auto* const name : {"failed_tests", "failed_tests_detail"}) {
        if (!detail.failed_tests.empty()) {
            break; // one list under two names
        }
        const Listed listed{
            .pointer = fmt::format("/workflow/{}", name), .most = limits::kFailedTestsMax
        };
        BATON_TRY(
            detail.failed_tests,
            list_if<domain::FailedTest>(workflow, listed, detail, failed_test_of)
        );
    }
    const Listed benchmarks{.pointer = "/workflow/benchmarks", .most = limits::kBenchmarksMax};
    BATON_TRY(
        detail.benchmarks, list_if<domain::Benchmark>(workflow, benchmarks, detail, benchmark_of)
    );
    BATON_TRY(detail.environment, environment_of(workflow, detail));
    BATON_TRY(
        detail.expected_failures, list_verbatim(workflow, "/workflow/expected_failures", detail)
    );
    BATON_TRY(detail.artifacts, list_verbatim(workflow, "/workflow/artifacts", detail));
    detail.triage_verdict = triage_of(workflow, detail);
    return detail;
}

} // namespace baton::wire
