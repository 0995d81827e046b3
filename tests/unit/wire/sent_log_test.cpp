#include "baton/base/limits.hpp"
#include "baton/base/time.hpp"
#include "baton/wire/sent_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace baton::wire {

namespace {

using ::testing::HasSubstr;

TEST(SentLog, ReadsObjectsLineByLine) {
    const auto log =
        read_sent_log("\n{\"delivery_id\":\"d1\",\"downstream\":\"Org/A\",\"event_type\":\"push\","
                      "\"at\":\"2026-11-15T13:30:00Z\",\"run\":7}\r\n"
                      "{\"delivery_id\":\"d2\",\"downstream\":\"org/b\"}");
    ASSERT_TRUE(log.findings.empty()) << log.findings[0].message;
    ASSERT_EQ(log.dispatches.size(), 2U);
    EXPECT_EQ(log.dispatches[0].delivery.text(), "d1");
    EXPECT_EQ(log.dispatches[0].downstream.text(), "Org/A");
    EXPECT_EQ(log.dispatches[0].event_type, "push");
    EXPECT_EQ(to_rfc3339(log.dispatches[0].at.value()), "2026-11-15T13:30:00.000Z");
    EXPECT_FALSE(log.dispatches[1].at.has_value());
}

TEST(SentLog, ReadsATableWithColumnsInAnyOrder) {
    const auto log = read_sent_log("at,note,downstream,delivery_id\n"
                                   "2026-11-15T13:30:00Z,\"a, \"\"b\"\"\",org/a,d1\n"
                                   ",,org/b,d2\n");
    ASSERT_TRUE(log.findings.empty()) << log.findings[0].message;
    ASSERT_EQ(log.dispatches.size(), 2U);
    EXPECT_EQ(log.dispatches[0].delivery.text(), "d1");
    EXPECT_TRUE(log.dispatches[0].at.has_value());
    EXPECT_EQ(log.dispatches[1].downstream.text(), "org/b");
}

TEST(SentLog, SaysWhatIsWrongAndOnWhichLine) {
    struct Case {
        std::string text;
        int line;
        std::string message;
    };

    for (const auto& c : std::vector<Case>{
             {"{\"downstream\":\"a/b\"}", 1, "delivery_id is missing"},
             {"{\"delivery_id\":\"d\"}\n", 1, "is not OWNER/REPO"},
             {"\n{\"delivery_id\":\"d\",\"downstream\":\"a/b\",\"at\":\"noon\"}", 2, "at: "},
             {"{}\nnonsense", 2, "not a JSON object"},
             {"delivery_id,at\nd,", 1, "no column downstream"},
             {"delivery_id,downstream\nd", 2, "1 cells under a head of 2"},
             {"delivery_id,downstream\n\"d,a/b", 2, "a quote is not closed"},
         }) {
        SCOPED_TRACE(c.text);
        const auto log = read_sent_log(c.text);
        ASSERT_FALSE(log.findings.empty());
        EXPECT_EQ(log.findings.back().line, c.line);
        EXPECT_THAT(log.findings.back().message, HasSubstr(c.message));
    }
}

TEST(SentLog, OfNothingIsEmpty) {
    EXPECT_TRUE(read_sent_log("").dispatches.empty());
    EXPECT_TRUE(read_sent_log(" \n\n").findings.empty());
}

TEST(SentLog, KeepsItsFindingsWithinBounds) {
    std::string text;
    for (int i = 0; i < 1000; ++i) {
        text += "{}\n";
    }
    EXPECT_EQ(read_sent_log(text).findings.size(), limits::kFindingsMax);
}

RC_GTEST_PROP(SentLogProperty, TakesAnyBytes, (const std::string& text)) {
    const auto log = read_sent_log(text);
    RC_ASSERT(log.findings.size() <= limits::kFindingsMax);
}

} // namespace

} // namespace baton::wire
