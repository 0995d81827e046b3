#include "baton/wire/junit.hpp"

#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/coverage.hpp"
#include "baton/wire/cut_text.hpp"

#include <fmt/format.h>
#include <pugixml.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

enum class Verdict : std::uint8_t { passed = 1, failed, skipped, expected_failure };

struct TestCase {
    Verdict verdict{Verdict::passed};
    bool flaky{false};
    FailedTest told; // message and stack only of a failed one
    pugi::xml_node node{};
};

std::string_view text_of(const pugi::xml_node& node, const char* attribute) {
    return node.attribute(attribute).value();
}

tl::unexpected<Error> wrong_at(std::ptrdiff_t offset, std::string_view what) {
    return fail(
        Errc::invalid, fmt::format("offset {}: {}", std::max<std::ptrdiff_t>(offset, 0), what)
    );
}

tl::unexpected<Error> wrong_at(std::size_t offset, std::string_view what) {
    return wrong_at(static_cast<std::ptrdiff_t>(offset), what);
}

/// pytest writes the class as `package.module.Class` beside the file `package/module.py`; what the
/// file says already is taken off.
std::string_view class_within(std::string_view file, std::string_view class_name) {
    auto module = std::string(file.substr(0, file.rfind('.')));
    std::ranges::replace(module, '/', '.');
    if (class_name == module) {
        return "";
    }
    if (class_name.starts_with(module + ".")) {
        class_name.remove_prefix(module.size() + 1);
    }
    return class_name;
}

/// An absolute path is where one machine keeps it (GoogleTest tells such ones), so it names
/// nothing.
bool names_a_file(std::string_view file) {
    return !file.empty() && !file.starts_with('/') && file.find(':') == std::string_view::npos;
}

std::string name_of(const pugi::xml_node& test) {
    const auto file = text_of(test, "file");
    auto class_name = text_of(test, "classname");
    const auto name = text_of(test, "name");
    std::string whole;
    if (names_a_file(file)) {
        class_name = class_within(file, class_name);
        whole = std::string(file) + "::";
    }
    if (!class_name.empty()) {
        whole += std::string(class_name) + "::";
    }
    whole += name.empty() ? "(no name)" : name;
    return cut_end(whole, limits::kTestNameBytesMax);
}

/// Text and CDATA of an element, more than which no stack can take.
std::string content_of(const pugi::xml_node& node) {
    std::string all;
    for (const auto& part : node.children()) {
        all += part.value();
        if (all.size() > kJunitFileBytesMax / 2) {
            break;
        }
    }
    return all;
}

FailedTest told_by(const pugi::xml_node& test, const pugi::xml_node& failure) {
    const auto content = content_of(failure);
    auto message = trimmed(text_of(failure, "message"));
    const auto body = trimmed(content);
    if (message.empty()) {
        message = body.substr(0, body.find('\n'));
    }
    if (message.empty()) {
        message = text_of(failure, "type");
    }
    return FailedTest{
        .name = name_of(test),
        .message = cut_end(message, limits::kTestMessageBytesMax),
        .stack = cut_middle(body, limits::kTestStackBytesMax),
    };
}

pugi::xml_node first_of(const pugi::xml_node& test, std::string_view one, std::string_view other) {
    return test.find_child([one, other](const pugi::xml_node& child) {
        return child.name() == one || child.name() == other;
    });
}

TestCase judged(const pugi::xml_node& test) {
    if (const auto failure = first_of(test, "failure", "error")) {
        return {.verdict = Verdict::failed, .flaky = false, .told = told_by(test, failure)};
    }
    TestCase judged{.verdict = Verdict::passed, .flaky = false, .told = {.name = name_of(test)}};
    if (const auto skipped = test.child("skipped")) {
        const bool expected = text_of(skipped, "type").ends_with("xfail");
        judged.verdict = expected ? Verdict::expected_failure : Verdict::skipped;
    } else if (const auto status = text_of(test, "status"); // GoogleTest, CTest
               status == "notrun" || status == "disabled") {
        judged.verdict = Verdict::skipped;
    }
    judged.flaky = first_of(test, "flakyFailure", "flakyError") || test.child("rerun");
    return judged;
}

/// The tests of one suite, each once: the last run of it.
std::vector<TestCase> tests_of(const pugi::xml_node& suite) {
    using Key = std::tuple<std::string_view, std::string_view, std::string_view>;
    std::vector<TestCase> tests;
    std::map<Key, std::size_t> seen;
    for (const auto& test : suite.children("testcase")) {
        const Key key{text_of(test, "file"), text_of(test, "classname"), text_of(test, "name")};
        auto now = judged(test);
        now.node = test;
        const auto [known, fresh] = seen.emplace(key, tests.size());
        if (fresh) {
            tests.push_back(std::move(now));
            continue;
        }
        auto& before = tests[known->second];
        now.flaky = now.flaky || before.flaky || before.verdict == Verdict::failed;
        before = std::move(now);
    }
    return tests;
}

void count(TestSummary& summary, TestCase test) {
    switch (test.verdict) {
    case Verdict::passed:
        ++summary.passed;
        summary.flaky += test.flaky ? 1 : 0;
        return;
    case Verdict::failed:
        ++summary.failed;
        if (summary.failed_tests.size() < limits::kFailedTestsMax) {
            summary.failed_tests.push_back(std::move(test.told));
        }
        return;
    case Verdict::skipped:
        ++summary.skipped;
        return;
    case Verdict::expected_failure:
        ++summary.skipped;
        if (summary.expected_failures.size() < limits::kFailedTestsMax) {
            summary.expected_failures.push_back(std::move(test.told.name));
        }
        return;
    }
}

bool is_suite(const pugi::xml_node& node) {
    const std::string_view name = node.name();
    return name == "testsuite" || name == "testsuites";
}

/// Every suite, in file order.
Result<std::vector<pugi::xml_node>> suites_of(const pugi::xml_document& document) {
    struct Nested {
        pugi::xml_node suite;
        int depth;
    };

    std::vector<pugi::xml_node> suites;
    std::vector<Nested> waiting;
    const auto push_suites = [&waiting](const pugi::xml_node& inside, int depth) {
        const auto first = static_cast<std::ptrdiff_t>(waiting.size());
        for (const auto& child : inside.children()) {
            if (is_suite(child)) {
                waiting.push_back({.suite = child, .depth = depth});
            }
        }
        std::reverse(waiting.begin() + first, waiting.end()); // file order
    };
    push_suites(document, 1);
    while (!waiting.empty()) {
        const auto [suite, depth] = waiting.back();
        waiting.pop_back();
        if (depth > kJunitDepthMax) {
            return wrong_at(
                suite.offset_debug(), fmt::format("suites nested deeper than {}", kJunitDepthMax)
            );
        }
        suites.push_back(suite);
        push_suites(suite, depth + 1);
    }
    return suites;
}

quality::TestVerdict verdict_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::passed:
        return quality::TestVerdict::passed;
    case Verdict::failed:
        return quality::TestVerdict::failed;
    case Verdict::skipped:
        return quality::TestVerdict::skipped;
    case Verdict::expected_failure:
        return quality::TestVerdict::expected_failure;
    }
    return quality::TestVerdict::failed;
}

/// What a test says it is about.
std::vector<std::string> operators_of(const pugi::xml_node& test) {
    std::vector<std::string> names;
    for (const auto& property : test.child("properties").children("property")) {
        if (text_of(property, "name") != "operator") {
            continue;
        }
        for (auto rest = text_of(property, "value"); !rest.empty();) {
            const auto comma = std::min(rest.find(','), rest.size());
            if (const auto name = trimmed(rest.substr(0, comma)); !name.empty()) {
                names.emplace_back(name);
            }
            rest.remove_prefix(std::min(comma + 1, rest.size()));
        }
    }
    return names;
}

quality::TestResult result_of(const TestCase& test) {
    return {
        .id = test.told.name,
        .class_name = std::string(text_of(test.node, "classname")),
        .name = std::string(text_of(test.node, "name")),
        .verdict = verdict_of(test.verdict),
        .operators = operators_of(test.node),
    };
}

/// What can be told from the bytes alone, before a tree is built from them.
Result<void> check_bytes(std::string_view text) {
    if (text.size() > kJunitFileBytesMax) {
        return wrong_at(
            kJunitFileBytesMax, fmt::format("larger than {} MiB", kJunitFileBytesMax / 1024 / 1024)
        );
    }
    if (const auto zero = text.find('\0'); zero != std::string_view::npos) {
        return wrong_at(zero, "a NUL byte; XML has none (UTF-16 is not read: write UTF-8)");
    }
    if (const auto broken = broken_utf8_at(text)) {
        return wrong_at(*broken, "not UTF-8; write the file as UTF-8");
    }
    const auto tags = static_cast<std::size_t>(std::ranges::count(text, '<'));
    if (tags > kJunitTagsMax) {
        return wrong_at(text.size(), fmt::format("more than {} tags", kJunitTagsMax));
    }
    return {};
}

/// The bytes are UTF-8 by now; a file that says otherwise about more than ASCII is read wrongly.
Result<void> check_declaration(const pugi::xml_document& document, bool ascii) {
    constexpr std::array<std::string_view, 4> kTaken{"", "utf-8", "utf8", "us-ascii"};
    for (const auto& node : document.children()) {
        const auto encoding = lower(text_of(node, "encoding"));
        if (node.type() == pugi::node_declaration && !ascii &&
            std::ranges::find(kTaken, encoding) == kTaken.end()) {
            return wrong_at(
                std::ptrdiff_t{0},
                fmt::format("encoding \"{}\" is not read; write UTF-8", inert(encoding))
            );
        }
        if (node.type() == pugi::node_element && !is_suite(node)) {
            return wrong_at(
                node.offset_debug(),
                fmt::format(
                    "<{}> is no JUnit report; its root is <testsuites> or <testsuite>",
                    inert(node.name())
                )
            );
        }
    }
    return {};
}

/// The tree of the text, which it lives in, and its suites.
Result<std::vector<pugi::xml_node>> suites_in(std::string& text, pugi::xml_document& document) {
    if (const auto bytes = check_bytes(text); !bytes) {
        return fail(bytes.error());
    }
    const bool ascii =
        std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) > 0x7F; });
    // A DOCTYPE is passed over and its entities stay unexpanded: parse_doctype is not among these.
    const auto parsed = document.load_buffer_inplace(
        text.data(), text.size(), pugi::parse_default | pugi::parse_declaration, pugi::encoding_utf8
    );
    if (!parsed) {
        return wrong_at(parsed.offset, parsed.description());
    }
    if (const auto declared = check_declaration(document, ascii); !declared) {
        return fail(declared.error());
    }
    return suites_of(document);
}

} // namespace

void TestSummary::add(TestSummary other) {
    passed += other.passed;
    failed += other.failed;
    skipped += other.skipped;
    flaky += other.flaky;
    std::ranges::move(other.failed_tests, std::back_inserter(failed_tests));
    std::ranges::move(other.expected_failures, std::back_inserter(expected_failures));
    failed_tests.resize(std::min(failed_tests.size(), limits::kFailedTestsMax));
    expected_failures.resize(std::min(expected_failures.size(), limits::kFailedTestsMax));
}

Result<TestSummary> read_junit(std::string text) {
    pugi::xml_document document;
    BATON_TRY(const auto suites, suites_in(text, document));
    TestSummary summary;
    for (const auto& suite : suites) {
        for (auto& test : tests_of(suite)) {
            count(summary, std::move(test));
        }
    }
    return summary;
}

Result<quality::TestFile> read_junit_tests(std::string text) {
    constexpr std::size_t kDateBytes = 10;
    pugi::xml_document document;
    BATON_TRY(const auto suites, suites_in(text, document));
    quality::TestFile file;
    for (const auto& suite : suites) {
        if (const auto name = text_of(suite, "name"); !name.empty()) {
            file.suites.emplace_back(name);
        }
        const auto day = quality::parse_day(text_of(suite, "timestamp").substr(0, kDateBytes));
        file.ran_on = std::max(file.ran_on, day);
        for (const auto& test : tests_of(suite)) {
            file.results.push_back(result_of(test));
        }
    }
    return file;
}

} // namespace baton::wire
