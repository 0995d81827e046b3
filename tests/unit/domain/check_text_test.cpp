#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/check_text.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/run.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "unit/domain/gate_story.hpp"

namespace baton::domain {

namespace {

using namespace gate_story;

const Subject kSubject{.upstream = kUpstream, .pr = PrNumber{7}, .head = HeadSha("a")};
const std::vector<Login> kOncalls{Login("fay"), Login("down/npu-team"), Login("bot[bot]")};

/// What may differ between two texts about a job.
struct Shown {
    Job job;
    std::optional<ReportDetail> detail = std::nullopt;
    Overtaken overtaken = Overtaken::no;
    std::string who = {};
    std::string page = "https://relay.example";
};

CheckText text_of(const Shown& shown) {
    return text_of_job({
        .job = shown.job,
        .subject = kSubject,
        .detail = shown.detail ? &*shown.detail : nullptr,
        .oncalls = kOncalls,
        .page = shown.page,
        .overtaken = shown.overtaken,
        .newer = HeadSha("0123456789abcdef0123456789abcdef01234567"),
        .who = shown.who,
    });
}

Job red() {
    auto one = job({.conclusion = Conclusion::failure});
    one.url = "https://github.com/down/npu/actions/runs/100";
    one.device = "npu";
    one.tests = TestCounts{.passed = 1200, .failed = 2, .skipped = 3, .total = 1205};
    one.dispatched_at = kAccepted;
    one.queue = 1min;
    return one;
}

ReportDetail two_failures() {
    ReportDetail detail;
    detail.failed_tests = {
        {.name = "test_add[float32]", .message = "1 != 2\nsecond line", .stack = "", .cut = false},
        {.name = "test_mul", .message = "", .stack = "", .cut = false},
    };
    return detail;
}

TEST(JobText, TellsAFailureInFull) {
    const auto text = text_of({.job = red(), .detail = two_failures()});
    EXPECT_EQ(text.title, "Failure: 2 of 1205 tests failed");
    EXPECT_EQ(
        text.summary,
        "**Failure**: test failure. 2 of 1205 tests failed.\n"
        "\n"
        "`CI/test` of `down/npu` on `npu`\n"
        "\n"
        "| passed | failed | skipped | total |\n"
        "|---:|---:|---:|---:|\n"
        "| 1200 | 2 | 3 | 1205 |\n"
        "\n"
        "| failed test | message |\n"
        "|---|---|\n"
        "| `test_add[float32]` | `1 != 2 second line` |\n"
        "| `test_mul` |  |\n"
        "\n"
        "Times: started 2027-01-15 08:01 UTC, queue 1m 0s, execution 9m 0s, end to end 10m 0s.\n"
        "\n"
        "On-call: @fay, @down/npu-team, `bot[bot]`.\n"
        "\n"
        "[The run downstream](https://github.com/down/npu/actions/runs/100) · [All downstreams of "
        "this pull request](https://relay.example/pr/up/stream/7)\n"
        "\n"
        "To run it again: press **Re-run** here, or comment `@baton rerun down/npu`.\n"
    );
}

TEST(JobText, SaysVerdictCountsAndKindOfFailure) {
    struct Case {
        std::string name;
        std::function<void(Job&)> with;
        std::string title;
        std::string first_line;
    };

    const auto ended = [](Conclusion conclusion) {
        return [conclusion](Job& one) {
            one.conclusion = conclusion;
            one.tests.reset();
        };
    };
    for (const auto& c : std::vector<Case>{
             {"success",
              [](Job& one) {
                  one.conclusion = Conclusion::success;
                  one.tests = TestCounts{.passed = 5, .failed = 0, .skipped = 1, .total = 6};
              },
              "Success: 5 tests passed, 1 skipped",
              "**Success**. 5 tests passed, 1 skipped."},
             {"success without counts", ended(Conclusion::success), "Success", "**Success**."},
             {"skipped", ended(Conclusion::skipped), "Skipped", "**Skipped**."},
             {"neutral", ended(Conclusion::neutral), "Neutral", "**Neutral**."},
             {"a later attempt",
              [](Job& one) { one.key.attempt = 2; },
              "Failure: 2 of 1205 tests failed (attempt 2)",
              "**Failure**: test failure. 2 of 1205 tests failed."},
             {"no test failed",
              ended(Conclusion::failure),
              "Failure",
              "**Failure**: no failed test was reported: the build, the set-up or the "
              "infrastructure."},
             {"cancelled",
              ended(Conclusion::cancelled),
              "Cancelled",
              "**Cancelled**: cancelled downstream, so perhaps the infrastructure."},
             {"timed out",
              ended(Conclusion::timed_out),
              "Timed out",
              "**Timed out**: timed out downstream, so perhaps the infrastructure."},
             {"given up by the relay",
              [&](Job& one) {
                  ended(Conclusion::timed_out)(one);
                  one.said_by = SaidBy::relay;
              },
              "Timed out: never heard of again",
              "**Timed out**: never heard of again: its end was not reported in time."},
             {"somebody has to act",
              ended(Conclusion::action_required),
              "Action required",
              "**Action required**: somebody has to act downstream."},
             {"running", [](Job& one) { one = job({}); }, "Running", "**Running**."},
         }) {
        SCOPED_TRACE(c.name);
        auto one = red();
        c.with(one);
        const auto text = text_of({.job = one});
        EXPECT_EQ(text.title, c.title);
        EXPECT_EQ(text.summary.substr(0, text.summary.find('\n')), c.first_line);
    }
}

TEST(JobText, SaysWhatOvertookIt) {
    struct Case {
        Overtaken overtaken;
        std::string who;
        std::string title;
    };

    for (const auto& c : std::vector<Case>{
             {Overtaken::newer_commit, "", "Overtaken by commit 0123456789ab"},
             {Overtaken::closed, "", "The pull request was closed"},
             {Overtaken::unlabelled, "", "No longer shown: its label was removed"},
             {Overtaken::rerun_asked, "ann", "Running again, as ann asked"},
             {Overtaken::rerun_asked, "baton", "Running again"},
             {Overtaken::rerun_asked, "", "Running again"},
         }) {
        SCOPED_TRACE(c.title);
        const auto text = text_of({.job = red(), .overtaken = c.overtaken, .who = c.who});
        EXPECT_EQ(text.title, c.title);
        EXPECT_EQ(text.summary.find("**Failure**"), text.summary.find("\n\n") + 2);
    }
}

TEST(JobText, MentionsOnCallsOnlyWhereTheyShouldLook) {
    auto green = red();
    green.conclusion = Conclusion::success;
    EXPECT_NE(text_of({.job = red()}).summary.find(" @fay"), std::string::npos);
    for (const auto& quiet :
         {Shown{.job = green},
          Shown{.job = job({})},
          Shown{.job = red(), .overtaken = Overtaken::newer_commit}}) {
        const auto text = text_of(quiet);
        EXPECT_EQ(text.summary.find(" @"), std::string::npos);
        EXPECT_NE(text.summary.find("`fay`"), std::string::npos);
    }
}

TEST(JobText, LinksOnlyToAddressesOfTheWeb) {
    auto one = red();
    one.url = "javascript:alert(1)";
    const auto text = text_of({.job = one, .page = ""});
    EXPECT_EQ(text.summary.find("]("), std::string::npos);
    EXPECT_NE(text.summary.find("`javascript:alert(1)`"), std::string::npos);
}

TEST(JobText, SaysWhatTheVerdictAloneWouldHide) {
    auto one = red();
    one.counts = false;
    one.replaced = true;
    const auto text = text_of({.job = one}).summary;
    EXPECT_NE(text.find("this one is only shown"), std::string::npos);
    EXPECT_NE(text.find("after Baton had given it up"), std::string::npos);
}

/// As much as a callback may hold, in the characters that grow most.
ReportDetail as_much_as_may_be(const std::string& filling) {
    const auto filled = [&filling](std::size_t bytes) {
        std::string text;
        while (text.size() + filling.size() <= bytes) {
            text += filling;
        }
        return text;
    };
    ReportDetail detail;
    for (std::size_t i = 0; i < limits::kFailedTestsMax; ++i) {
        detail.failed_tests.push_back({
            .name = filled(limits::kTestNameBytesMax),
            .message = filled(limits::kTestMessageBytesMax),
            .stack = filled(limits::kTestStackBytesMax),
            .cut = false,
        });
    }
    return detail;
}

TEST(JobText, FitsIntoGithubsLimitsWhateverIsReported) {
    for (const std::string filling : {"x", "|", "`", "\x01", "\xFF", "\xF0\x9F\x98\x80", "@a "}) {
        auto one = red();
        one.url = "https://ci.example/" + std::string(limits::kUrlBytesMax - 19, ')');
        one.key.workflow = std::string(limits::kJobNameBytesMax, filling[0]);
        one.key.job = one.key.workflow;
        const auto text = text_of({.job = one, .detail = as_much_as_may_be(filling)});
        EXPECT_LE(text.title.size(), kCheckTitleMax);
        EXPECT_LE(text.summary.size(), kCheckSummaryMax);
        EXPECT_EQ(broken_utf8_at(text.summary), std::nullopt);
        EXPECT_NE(text.summary.find("and 990 more"), std::string::npos);
        EXPECT_NE(text.summary.find("To run it again"), std::string::npos);
    }
}

/// A text with a stranger's words everywhere that strangers write.
CheckText with_words(const std::string& words) {
    auto one = red();
    one.key.workflow = words;
    one.key.job = words;
    one.key.run_id = words;
    one.url = words;
    one.artifact_url = words;
    one.check_run_id = words;
    auto detail = two_failures();
    detail.failed_tests[0].name = words;
    detail.failed_tests[0].message = words;
    detail.failed_tests[1].name = words;
    detail.failed_tests[1].message = words;
    detail.notes = {words};
    return text_of({.job = one, .detail = detail});
}

/// The text without what stands in code.
std::string outside_code(const std::string& markdown) {
    return std::regex_replace(markdown, std::regex("`[^`\n]*`"), "CODE");
}

RC_GTEST_PROP(JobTextProperty, WhatStrangersWriteNeverLeavesItsCell, ()) {
    const auto piece = rc::gen::element<std::string>(
        "`",
        "```",
        "|",
        "\\",
        "\n",
        "\r",
        "<img src=x>",
        "<!--",
        "@everyone",
        "[x](javascript:y)",
        "#123",
        "GH-1",
        "0123456789abcdef0123456789abcdef01234567",
        "\xE2\x80\xAE",
        "\xFF",
        "\x1b",
        "x",
        " ",
        "**",
        "https://evil.example",
        "\n\n# ",
        "&#64;"
    );
    std::string words = "w";
    for (const auto& one : *rc::gen::container<std::vector<std::string>>(piece)) {
        words += one;
    }
    const auto text = with_words(words);
    const auto harmless = with_words("w");
    RC_ASSERT(outside_code(text.summary) == outside_code(harmless.summary));
    RC_ASSERT(text.title == harmless.title);
    RC_ASSERT(broken_utf8_at(text.summary) == std::nullopt);
}

RC_GTEST_PROP(JobTextProperty, NoBytesLeaveTheirCell, (const std::string& tail)) {
    const auto words = "w" + tail;
    RC_ASSERT(outside_code(with_words(words).summary) == outside_code(with_words("w").summary));
}

} // namespace

} // namespace baton::domain
