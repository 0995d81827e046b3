#pragma once

#include "baton/base/result.hpp"
#include "baton/quality/coverage.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace baton::wire {

// --- bounds of the files; those of what is told about them stand in base/limits.hpp
inline constexpr std::size_t kJunitFileBytesMax = 32U * 1024 * 1024;
inline constexpr std::size_t kJunitBytesMax = 256U * 1024 * 1024; // all files of one report
inline constexpr std::size_t kJunitFilesMax = 2000;
inline constexpr std::size_t kJunitTagsMax = 2'000'000; // of one file: what its tree costs
inline constexpr int kJunitDepthMax = 32;               // of suites in suites

struct FailedTest {
    std::string name;
    std::string message;
    std::string stack;

    friend bool operator==(const FailedTest&, const FailedTest&) = default;
};

/// What test files say together. A test that is expected to fail, and does, counts as skipped and
/// is named besides.
struct TestSummary {
    std::uint64_t passed{0};
    std::uint64_t failed{0};
    std::uint64_t skipped{0};
    std::uint64_t flaky{0};                     // of those that passed: not at the first attempt
    std::vector<FailedTest> failed_tests;       // the first limits::kFailedTestsMax
    std::vector<std::string> expected_failures; // the first limits::kFailedTestsMax

    std::uint64_t total() const { return passed + failed + skipped; }

    /// Shards are files, so the same test in two of them was two tests.
    void add(TestSummary other);

    friend bool operator==(const TestSummary&, const TestSummary&) = default;
};

/// Reads one JUnit XML file, in the dialects of pytest, unittest-xml-reporting, GoogleTest, CTest
/// and Surefire. A test is `FILE::CLASS::NAME` where its file is told and is a relative path, else
/// `CLASS::NAME`; device suffixes are part of the name and stay. A test that stands twice in one
/// suite was run again: the last run counts.
///
/// `invalid` with the offset in bytes for everything else: not well-formed, not UTF-8, a NUL, cut
/// off, another kind of document, beyond the bounds above. Entities of a DTD are never expanded,
/// nothing outside the text is ever read, whatever it asks for.
Result<TestSummary> read_junit(std::string text);

/// The same file test by test, for whoever counts against a list. `operator` properties of a test
/// (`<property name="operator" value="aten::add,aten::mul"/>`) say what it is about. Name, digest
/// and hardware of the file are for the caller to fill. Errors as above.
Result<quality::TestFile> read_junit_tests(std::string text);

} // namespace baton::wire
