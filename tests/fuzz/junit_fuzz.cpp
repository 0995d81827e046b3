// A JUnit file: read whole or refused with its place; what is told of it fits the report's bounds.

#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/wire/junit.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/fuzz.hpp"

namespace {

using namespace baton;
using fuzz::promise;

void check_refusal(const Error& error) {
    promise(error.code == Errc::invalid, "the file is at fault");
    promise(error.detail.starts_with("offset "), "its place is told");
    promise(inert(error.detail).size() < 400, "in a sentence");
    promise(!broken_utf8_at(error.detail), "that people can read");
}

void check_summary(const wire::TestSummary& summary) {
    promise(summary.failed_tests.size() <= summary.failed, "who failed is counted as failed");
    promise(summary.expected_failures.size() <= summary.skipped, "an expected failure is skipped");
    promise(summary.flaky <= summary.passed, "who is flaky passed in the end");
    for (const auto& test : summary.failed_tests) {
        promise(!test.name.empty(), "a test has a name");
        promise(test.name.size() <= limits::kTestNameBytesMax, "a name is short");
        promise(test.message.size() <= limits::kTestMessageBytesMax, "a message is short");
        promise(test.stack.size() <= limits::kTestStackBytesMax, "a stack is short");
        for (const auto& text : {test.name, test.message, test.stack}) {
            promise(!broken_utf8_at(text), "what is told is UTF-8");
        }
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(fuzz::text_of(data, size));
    const auto summary = wire::read_junit(text);
    const auto tests = wire::read_junit_tests(text);
    promise(tests.has_value() == summary.has_value(), "read alike, as a sum and test by test");
    if (!summary) {
        check_refusal(summary.error());
        return 0;
    }
    promise(tests->results.size() == summary->total(), "each test is told once");
    check_summary(*summary);
    auto twice = *summary;
    twice.add(*summary);
    promise(twice.total() == 2 * summary->total(), "two files count as two");
    check_summary(twice);
    return 0;
}
