#include "baton/quality/assessment.hpp"
#include "baton/quality/findings.hpp"
#include "baton/wire/assessment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace baton::wire {

namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kGood = R"(schema: cpq-assessment/1
criteria: {set: mine, version: "3", reading: pct-rows}
platform: {id: p, name: P, vendor: V, class: cpu, targets: [inference], stack: {driver: "7"}}
release: {pytorch: "2.14", released: 2026-10-01}
assessed: {on: 2026-10-20, by: [v/team], status: submitted}
evidence:
  log: {type: junit, file: ev/a.xml, sha256: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", captured: 2026-10-12}
  ci: {type: ci-metric, metric: m, window: 2026-08-01/2026-10-12}
items:
  A-1: {claim: met, ev: [log], checks: {one: pass}}
  A-2: {claim: partial, parts: [x], rest: unknown, ev: [ci], effort: {y: 4}, blocked: [z], requires: [A-1]}
  A-3: {claim: measured, value: {num: 5, den: 7}, ev: [ci], effort: 3, blocked: true}
  A-4: {claim: measured, value: {hours: 41.5}, review: {by: r, on: 2026-10-21, verdict: adjust, points: 1, reason: no}}
support: {inference: full, training: {level: none, note: no}}
process: {due: 2027-01-01, steps: [{step: council-review, on: 2026-10-21, link: "l"}]}
decision: {level: good, on: 2026-11-01}
facts: {relay_level: 3, baseline: {A-3: 7}, flaky_observed: {num: 1, den: 2}, reporting: [distributed]}
signatures: [{role: vendor, key: k, value: v}]
)";

std::string with(std::string_view old_text, std::string_view new_text) {
    std::string text(kGood);
    const auto at = text.find(old_text);
    EXPECT_NE(at, std::string::npos) << old_text;
    return text.replace(at, old_text.size(), new_text);
}

std::vector<std::string> told(std::string_view text) {
    std::vector<std::string> all;
    for (const auto& finding : read_assessment(text).findings) {
        all.push_back(quality::to_text(finding, "f"));
    }
    return all;
}

TEST(Assessment, IsReadWhole) {
    const auto reading = read_assessment(kGood);
    EXPECT_THAT(told(kGood), IsEmpty());
    ASSERT_TRUE(reading.assessment);
    const auto& a = *reading.assessment;
    EXPECT_EQ(a.reading, quality::Reading::pct_rows);
    EXPECT_EQ(a.platform.family, "cpu");
    EXPECT_THAT(a.platform.targets, ElementsAre("inference"));
    EXPECT_EQ(to_text(a.release), "2.14");
    EXPECT_EQ(a.evidence[1].window->to, quality::parse_day("2026-10-12"));
    const auto* const second = a.claim("A-2");
    ASSERT_NE(second, nullptr);
    EXPECT_TRUE(second->rest_unknown);
    EXPECT_EQ(second->effort.each.at("y"), 4);
    EXPECT_THAT(second->blocked_options, ElementsAre("z"));
    EXPECT_EQ(second->at.line, 11);
    EXPECT_EQ(second->at.column, 8);
    EXPECT_EQ(a.claim("A-3")->value->den, 7);
    EXPECT_TRUE(a.claim("A-3")->blocked);
    EXPECT_EQ(a.claim("A-4")->value->figures.at("hours").thousandths, 41'500);
    EXPECT_EQ(a.claim("A-4")->review->points, 1);
    EXPECT_EQ(a.support[1].support, quality::Support::none);
    EXPECT_EQ(a.process.steps[0].step, quality::ProcessStep::council_review);
    EXPECT_EQ(a.decision->level, "good");
    EXPECT_EQ(a.facts.baseline.at("A-3"), 7);
    EXPECT_EQ(a.signatures[0].role, "vendor");
}

TEST(Assessment, IsRefusedWithPlaceAndReason) {
    struct Case {
        const char* old_text;
        const char* new_text;
        const char* finding;
    };

    for (const auto& c : {
             Case{"criteria:", "critera:", "unknown key \"critera\"; did you mean \"criteria\"?"},
             Case{
                 "rest: unknown",
                 "rst: unknown",
                 "f:11:37: error: Q040: unknown key \"rst\"; did you mean \"rest\"?"
             },
             Case{"claim: met", "claim: mett", "claim: \"mett\" is not met, unmet, partial"},
             Case{"claim: met, ", "", "f:10:8: error: Q040: A-1: claim is missing"},
             Case{"num: 5", "num: -5", "num: \"-5\" is not a whole number"},
             Case{"hours: 41.5", "hours: much", "hours: \"much\" is not a number"},
             Case{"2.14", "2.14.1", "pytorch: \"2.14.1\" is no minor release"},
             Case{"on: 2026-10-20", "on: 2026-02-30", "on: \"2026-02-30\" is no day"},
             Case{"ev/a.xml", "../a.xml", "has to lie in the folder"},
             Case{"ev/a.xml", "/etc/passwd", "has to lie in the folder"},
             Case{"\"0123456789abcdef", "\"", "is not 64 lower-case hex digits"},
             Case{
                 "2026-08-01/2026-10-12",
                 "2026-10-12/2026-08-01",
                 "window: \"2026-10-12/2026-08-01\" is none"
             },
             Case{
                 "metric: m, window: 2026-08-01/2026-10-12",
                 "metric: m",
                 "ci: needs one of file, url, run, window, query"
             },
             Case{"type: junit", "type: jnit", "type: \"jnit\" is not junit, log"},
             Case{
                 "targets: [inference]", "targets: [gaming]", "targets: \"gaming\" is not inference"
             },
             Case{"points: 1, ", "", "points go with verdict adjust"},
             Case{"one: pass", "one: perhaps", "checks: \"perhaps\" is not pass, fail or unknown"},
             Case{
                 "inference: full",
                 "inference: much",
                 "support: \"much\" is not full, partial or none"
             },
             Case{"items:\n", "items: []\nitem:\n", "items: expected a mapping"},
             Case{"A-2: {", "A-1: {", "stands"},
         }) {
        SCOPED_TRACE(c.finding);
        EXPECT_THAT(told(with(c.old_text, c.new_text)), Contains(HasSubstr(c.finding)));
    }
}

TEST(Assessment, HasBounds) {
    std::string many;
    for (int i = 0; i < 1001; ++i) {
        many += "  B-" + std::to_string(i) + ": {claim: unknown}\n";
    }
    EXPECT_THAT(
        told(with("items:\n", "items:\n" + many)), Contains(HasSubstr("items: more than 1000"))
    );
    std::string references = "log";
    for (int i = 0; i < 100; ++i) {
        references += ", e" + std::to_string(i);
    }
    EXPECT_THAT(
        told(with("ev: [log]", "ev: [" + references + "]")),
        Contains(HasSubstr("ev: more than 100"))
    );
}

TEST(Assessment, ThatIsNoYamlIsToldApart) {
    EXPECT_FALSE(read_assessment("a: [").is_yaml);
    EXPECT_TRUE(read_assessment("7").is_yaml);
    EXPECT_FALSE(read_assessment("7").assessment);
    EXPECT_THAT(told(""), ElementsAre(HasSubstr("f:1:1: error: Q040: assessment: expected")));
}

TEST(Assessment, HasADigestOfItsContentAlone) {
    const auto digest = [](std::string_view text) {
        return read_assessment(text).assessment->digest;
    };
    const auto good = digest(kGood);
    EXPECT_EQ(digest("# said again\n" + std::string(kGood)), good);
    EXPECT_EQ(digest(with("value: v", "value: another")), good) << "signatures are not signed";
    EXPECT_EQ(digest(with("{id: p, name: P,", "{name: P, id: 'p',")), good);
    EXPECT_NE(digest(with("name: P", "name: Q")), good);
    EXPECT_NE(digest(with("ev: [log]", "ev: [log, ci]")), good);
}

} // namespace

} // namespace baton::wire
