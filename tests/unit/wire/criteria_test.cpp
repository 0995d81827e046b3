#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/wire/criteria.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace baton::wire {

namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kGood = R"(schema: cpq-criteria/1
set: mine
version: "3"
printed: {total: 8, sections: {A: 8}}
sections: [{id: A, title: All}]
levels:
  - {rank: 1, name: good, require: {percent: 50, all_priority: P0, items: [A-1]}}
  - {rank: 0, name: rest, require: {}}
items:
  - {id: A-1, section: A, title: one, priority: P0, kind: bin, max: 2, auto: {metric: m, op: "<", value: 5}}
  - {id: A-2, section: A, title: two, priority: P1, kind: add, max: 2, parts: [{id: x, points: 2}]}
  - {id: A-3, section: A, title: three, priority: P2, kind: step, max: 4, steps: [{percent: 80, points: 4}]}
)";

std::vector<std::string> told(std::string_view text) {
    std::vector<std::string> all;
    for (const auto& finding : read_criteria(text).findings) {
        all.push_back(quality::to_text(finding, "f"));
    }
    return all;
}

std::string with(std::string_view old_text, std::string_view new_text) {
    std::string text(kGood);
    const auto at = text.find(old_text);
    EXPECT_NE(at, std::string::npos) << old_text;
    return text.replace(at, old_text.size(), new_text);
}

TEST(Criteria, AreReadWhole) {
    const auto reading = read_criteria(kGood);
    EXPECT_THAT(reading.findings, IsEmpty());
    ASSERT_TRUE(reading.set);
    EXPECT_EQ(label_of(*reading.set), "mine/3");
    EXPECT_EQ(reading.set->rows_total(), 8);
    EXPECT_EQ(reading.set->digest.size(), 64U);
    ASSERT_TRUE(reading.set->items[0].automatic);
    EXPECT_EQ(reading.set->items[0].automatic->limits[0].figure, "percent");
    EXPECT_EQ(reading.set->items[2].steps[0].percent, 80);
}

TEST(Criteria, ThatAreBuiltInAreReadWithoutErrors) {
    for (const auto& file : criteria_files()) {
        SCOPED_TRACE(file.name);
        const auto reading = read_criteria(file.text);
        EXPECT_TRUE(reading.set);
        EXPECT_FALSE(quality::has_errors(reading.findings));
    }
    EXPECT_EQ(builtin_criteria().size(), criteria_files().size());
    EXPECT_NE(builtin_criteria_set("pytorch-cpq/2025.11-124"), nullptr);
    EXPECT_EQ(builtin_criteria_set("pytorch-cpq/1"), nullptr);
}

TEST(Criteria, AreRefusedWithPlaceAndReason) {
    struct Case {
        const char* old_text;
        const char* new_text;
        const char* finding;
    };

    for (const auto& c : {
             Case{
                 "printed:",
                 "prnted:",
                 "f:4:1: error: C040: unknown key \"prnted\"; did you mean \"printed\"?"
             },
             Case{
                 "cpq-criteria/1",
                 "cpq-criteria/2",
                 "f:1:9: error: C040: schema: \"cpq-criteria/2\" is not"
             },
             Case{"section: A, title: two", "section: B, title: two", "no section is named \"B\""},
             Case{"id: A-2", "id: A-1", "f:11:5: error: C040: item A-1 stands already in line 10"},
             Case{"items: [A-1]", "items: [A-9]", "require: no item is A-9"},
             Case{"rank: 1", "rank: 2", "ranks that fall by one"},
             Case{
                 "rest, require: {}",
                 "rest, require: {points: 1}",
                 "that of rank 0 requires nothing"
             },
             Case{"parts: [{id: x, points: 2}]", "parts: []", "parts go with kind add"},
             Case{"points: 2}]}", "points: 1}]}", "C007: A-2: its parts sum to 1, its max is 2"},
             Case{"op: \"<\"", "op: \"=\"", "op: \"=\" is not <, <=, > or >="},
             Case{"value: 5", "value: 5.1234", "value: \"5.1234\" is not a number"},
             Case{"kind: bin", "kind: metrc", "kind: \"metrc\" is not bin, add, step or metric"},
             Case{"percent: 50", "percent: 101", "is not a whole number from 0 to 100"},
             Case{"total: 8", "total: 9", "f:4:18: warning: C002: the printed total is 9"},
         }) {
        SCOPED_TRACE(c.finding);
        EXPECT_THAT(told(with(c.old_text, c.new_text)), Contains(HasSubstr(c.finding)));
    }
}

TEST(Criteria, MayHaveLimitsByFigure) {
    const auto text = with("op: \"<\", value: 5", "limits: {hours: \"<= 72.5\", runs: \">= 3\"}");
    const auto reading = read_criteria(text);
    ASSERT_TRUE(reading.set) << reading.findings[0].message;
    EXPECT_EQ(reading.set->items[0].automatic->limits.size(), 2U);
    EXPECT_THAT(
        told(with("op: \"<\", value: 5", "limits: {hours: 72}")),
        Contains(HasSubstr("hours: \"72\" is no limit: write \"<= 72\""))
    );
    EXPECT_THAT(
        told(with("op: \"<\", value: 5", "op: \"<\"")),
        Contains(HasSubstr("auto: needs op and value, or limits"))
    );
}

TEST(Criteria, HaveBounds) {
    std::string many(kGood);
    for (int i = 0; i < 200; ++i) {
        many += "  - {id: B-" + std::to_string(i) +
                ", section: A, title: t, priority: P1, kind: bin, max: 1}\n";
    }
    EXPECT_THAT(told(many), Contains(HasSubstr("items: at most 200, of 1000 points in all")));
}

TEST(Criteria, ThatAreNoYamlAreToldApart) {
    EXPECT_FALSE(read_criteria("a: [").is_yaml);
    EXPECT_TRUE(read_criteria("- a").is_yaml);
    EXPECT_FALSE(read_criteria("- a").set);
    EXPECT_FALSE(read_criteria("").set);
}

} // namespace

} // namespace baton::wire
