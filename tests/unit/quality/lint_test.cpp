#include "baton/base/time.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/link_notes.hpp"
#include "baton/quality/lint.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "unit/quality/quality_story.hpp"

namespace baton::quality {

namespace {

using namespace story;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// Nothing to say about it: several links, all public and fresh.
Assessment clean() {
    auto assessment = everything(points());
    assessment.evidence.clear();
    int count = 0;
    for (auto& claim : assessment.claims) {
        const auto& types = points().find(claim.item)->evidence.types;
        const auto id = "e" + std::to_string(count++);
        assessment.evidence.push_back(
            {.id = id,
             .type = types.empty() ? "url" : types.front(),
             .url = "https://example.org/" + id,
             .captured = parse_day("2026-10-10")}
        );
        claim.evidence = {{.id = id}};
    }
    return assessment;
}

Claim& claim_of(Assessment& assessment, const std::string& item) {
    return *std::ranges::find(assessment.claims, item, &Claim::item);
}

Evidence& evidence_of(Assessment& assessment, const std::string& item) {
    return *std::ranges::find(
        assessment.evidence, claim_of(assessment, item).evidence.front().id, &Evidence::id
    );
}

std::vector<std::string> told(const Assessment& assessment, const LintInput& input = {}) {
    std::vector<std::string> all;
    for (const auto& finding : lint(points(), assessment, input)) {
        all.push_back(
            finding.code + (finding.severity == Severity::error ? " error " : " warning ") +
            finding.message
        );
    }
    return all;
}

TEST(QualityLint, HasNothingToSayAboutACleanAssessment) {
    EXPECT_THAT(told(clean()), IsEmpty());
}

struct Spoiled {
    const char* finding;
    std::function<void(Assessment&)> spoil;
};

/// Each is the only thing wrong.
void expect_each(const std::vector<Spoiled>& cases) {
    for (const auto& c : cases) {
        SCOPED_TRACE(c.finding);
        auto assessment = clean();
        c.spoil(assessment);
        EXPECT_THAT(told(assessment), ElementsAre(HasSubstr(c.finding)));
    }
}

TEST(QualityLint, SaysWhatIsWrongWithAClaim) {
    expect_each({
        {"Q001 error item HW-1 is missing",
         [](Assessment& a) {
             std::erase_if(a.claims, [](const Claim& c) { return c.item == "HW-1"; });
             std::erase_if(a.evidence, [](const Evidence& e) { return e.id == "e2"; });
         }},
        {"Q001 error pytorch-cpq/2025.11-124 has no item HW-9",
         [](Assessment& a) { a.claims.push_back({.item = "HW-9"}); }},
        {"Q001 error FEAT-1 is reserved",
         [](Assessment& a) { a.claims.push_back({.item = "FEAT-1"}); }},
        {"Q002 error HW-1: met without evidence",
         [](Assessment& a) {
             claim_of(a, "HW-1").evidence.clear();
             std::erase_if(a.evidence, [](const Evidence& e) { return e.id == "e2"; });
         }},
        {"Q003 error HW-1: evidence \"nowhere\" is not declared",
         [](Assessment& a) { claim_of(a, "HW-1").evidence.push_back({.id = "nowhere"}); }},
        {"Q003 warning evidence spare is not used",
         [](Assessment& a) { a.evidence.push_back({.id = "spare", .type = "url", .url = "u"}); }},
        {"Q004 error FEAT-3: has no part \"lazy\"",
         [](Assessment& a) {
             claim_of(a, "FEAT-3").parts = {{.id = "eager"}, {.id = "graph"}, {.id = "lazy"}};
         }},
        {"Q004 error HW-1: partial, but it has no parts",
         [](Assessment& a) { claim_of(a, "HW-1").kind = ClaimKind::partial; }},
        {"Q004 error TEST-1: has no measured value",
         [](Assessment& a) { claim_of(a, "TEST-1").value.reset(); }},
        {"Q004 error TEST-1: num 11 is more than den 10",
         [](Assessment& a) { claim_of(a, "TEST-1").value = share(11, 10); }},
        {"Q004 error CI-5: its value lacks max_recovery_h",
         [](Assessment& a) {
             claim_of(a, "CI-5").kind = ClaimKind::measured;
             claim_of(a, "CI-5").value = Value{};
         }},
        {"Q004 error HW-1: is not measured, but has a value",
         [](Assessment& a) { claim_of(a, "HW-1").value = share(1, 1); }},
        {"Q004 error SW-3: has no check \"fixes\"",
         [](Assessment& a) { claim_of(a, "SW-3").checks["fixes"] = CheckState::pass; }},
    });
}

TEST(QualityLint, SaysWhereAClaimContradictsItself) {
    expect_each({
        {"Q005 error TEST-1: met, but its value earns 2 of 6",
         [](Assessment& a) {
             claim_of(a, "TEST-1").kind = ClaimKind::met;
             claim_of(a, "TEST-1").value = share(60, 100);
         }},
        {"Q005 error FEAT-3: met, but only 1 of 2 parts are named",
         [](Assessment& a) { claim_of(a, "FEAT-3").parts = {{.id = "eager"}}; }},
        {"Q005 error SW-3: met, but check targeted_fix_updates fails",
         [](Assessment& a) {
             claim_of(a, "SW-3").checks["targeted_fix_updates"] = CheckState::fail;
         }},
        {"Q006 error TEST-5: exempt, but targets has distributed",
         [](Assessment& a) {
             claim_of(a, "TEST-5").kind = ClaimKind::exempt;
             claim_of(a, "TEST-5").reason = "r";
         }},
        {"Q006 error TEST-5: exempt without a reason",
         [](Assessment& a) {
             a.platform.targets = {"inference"};
             claim_of(a, "TEST-5").kind = ClaimKind::exempt;
         }},
        {"Q006 error CI-1: P0 is never exempt",
         [](Assessment& a) {
             claim_of(a, "CI-1").kind = ClaimKind::exempt;
             claim_of(a, "CI-1").reason = "r";
         }},
        {"Q025 error HW-1: its review changes it without a reason",
         [](Assessment& a) {
             claim_of(a, "HW-1").review = Review{.by = "r", .verdict = ReviewVerdict::reject};
         }},
        {"Q032 error HW-1: requires HW-9, which is no item",
         [](Assessment& a) { claim_of(a, "HW-1").needs = {"HW-9"}; }},
    });
}

TEST(QualityLint, SaysWhatIsWrongWithEvidence) {
    expect_each({
        {"Q010 warning HW-1: e2 is 181 days old, at most 180 count",
         [](Assessment& a) { evidence_of(a, "HW-1").captured = parse_day("2026-04-22"); }},
        {"Q010 warning e2: captured on 2026-10-21, after the assessment of 2026-10-20",
         [](Assessment& a) { evidence_of(a, "HW-1").captured = parse_day("2026-10-21"); }},
        {"Q011 warning PRE-1: e0 is of 2026-10-01, the release of 2026-10-05",
         [](Assessment& a) {
             a.released = parse_day("2026-10-05");
             evidence_of(a, "PRE-1").captured = parse_day("2026-10-01");
         }},
        {"Q013 warning CI-1: e23 is not public",
         [](Assessment& a) { evidence_of(a, "CI-1").open = false; }},
        {"Q015 warning HW-1: none of its evidence is url",
         [](Assessment& a) { evidence_of(a, "HW-1").type = "statement"; }},
    });
}

TEST(QualityLint, AsksTheCalendarWhenTheAssessmentHasNoDayOfItsRelease) {
    auto assessment = clean();
    assessment.released.reset();
    evidence_of(assessment, "PRE-1").captured = parse_day("2026-10-01");
    Calendar calendar{.project = "pytorch", .releases = {}};
    calendar.releases.push_back({.release = assessment.release, .on = *parse_day("2026-10-05")});
    LintInput input;
    EXPECT_THAT(told(assessment, input), IsEmpty());
    input.calendar = &calendar;
    EXPECT_THAT(
        told(assessment, input),
        ElementsAre("Q011 warning PRE-1: e0 is of 2026-10-01, the release of 2026-10-05")
    );
    calendar.releases.front().planned = true;
    EXPECT_THAT(told(assessment, input), IsEmpty()) << "a plan is no day";
    calendar.releases.front() = {.release = assessment.release, .on = *parse_day("2026-10-01")};
    EXPECT_THAT(told(assessment, input), IsEmpty()) << "of the day itself";
}

TEST(QualityLint, SaysWhenOneLinkServesForMoreThanFiveItems) {
    auto assessment = clean();
    int count = 0;
    for (auto& evidence : assessment.evidence) {
        if (count++ < 6) {
            evidence.url = "https://example.org/";
        }
    }
    EXPECT_THAT(told(assessment), ElementsAre("Q014 warning e0: one link serves for 6 items"));
    assessment.evidence[0].url = "https://example.org/another";
    EXPECT_THAT(told(assessment), IsEmpty());
}

TEST(QualityLint, ComparesFilesWithTheirDigests) {
    const std::string digest(64, 'a');
    auto assessment = clean();
    evidence_of(assessment, "HW-1").file = "ev/a.txt";
    evidence_of(assessment, "HW-1").sha256 = digest;
    EXPECT_THAT(told(assessment), IsEmpty()) << "not looked at";
    EXPECT_THAT(told(assessment, {.files = {{"ev/a.txt", digest}}}), IsEmpty());
    EXPECT_THAT(
        told(assessment, {.files = {{"ev/a.txt", std::nullopt}}}),
        ElementsAre("Q007 error e2: ev/a.txt cannot be read")
    );
    EXPECT_THAT(
        told(assessment, {.files = {{"ev/a.txt", std::string(64, 'b')}}}),
        ElementsAre("Q007 error e2: ev/a.txt is not the file that was declared")
    );
    evidence_of(assessment, "HW-1").sha256.clear();
    EXPECT_THAT(
        told(assessment, {.files = {{"ev/a.txt", digest}}}),
        ElementsAre("Q007 error e2: ev/a.txt has no sha256 beside it")
    );
}

TEST(QualityLint, SaysWhichLinksAreDeadClosedOrChanged) { // Q012
    const auto day = [](const char* text) { return TimePoint(*parse_day(text)); };
    auto assessment = clean();
    const auto url = evidence_of(assessment, "HW-1").url;
    LinkNotes notes;
    LintInput input;
    input.links = &notes;
    EXPECT_THAT(told(assessment, input), IsEmpty()) << "nobody looked";
    notes[url] = {.checked = day("2026-10-12"), .open = true, .text = "now"};
    EXPECT_THAT(told(assessment, input), IsEmpty());
    evidence_of(assessment, "HW-1").digest = "now";
    EXPECT_THAT(told(assessment, input), IsEmpty());
    evidence_of(assessment, "HW-1").digest = "then";
    EXPECT_THAT(
        told(assessment, input),
        ElementsAre("Q012 warning e2: its link shows something else than was captured")
    );
    evidence_of(assessment, "HW-1").run = "r";
    EXPECT_THAT(told(assessment, input), IsEmpty()) << "the digest is that of the run";
    notes[url] = {
        .checked = day("2026-10-12"), .closed_since = day("2026-10-12"), .detail = "status 404"
    };
    EXPECT_THAT(told(assessment, input), IsEmpty()) << "one failure is a bad day";
    notes[url].checked = day("2026-10-13");
    EXPECT_THAT(
        told(assessment, input),
        ElementsAre("Q012 warning e2: its link is dead since 2026-10-12: status 404")
    );
    notes[url].login = true;
    EXPECT_THAT(told(assessment, input), ElementsAre("Q012 warning e2: its link leads to a login"));
}

TEST(QualityLint, SaysWhatHangsByAThread) {
    EXPECT_THAT(
        told(with_points(99)), Contains(HasSubstr("Q020 warning 99 points: readings disagree"))
    );
    EXPECT_THAT(told(with_points(98)), Not(Contains(HasSubstr("Q020"))));
    auto assessment = clean();
    claim_of(assessment, "TEST-1").value = share(8009, 10000);
    EXPECT_THAT(
        told(assessment),
        ElementsAre("Q020 warning TEST-1: 80 % is reached with 9 to spare, less than 1 % of 10000")
    );
    claim_of(assessment, "TEST-1").value = share(8100, 10000);
    EXPECT_THAT(told(assessment), IsEmpty());
}

TEST(QualityLint, ComparesWithWhatARelayMeasured) {
    auto assessment = clean();
    claim_of(assessment, "TEST-1").value = share(90, 90);
    assessment.facts.baseline = {{"TEST-1", 100}};
    EXPECT_THAT(
        told(assessment),
        ElementsAre("Q021 warning TEST-1: den is 90, the baseline of 2.14 has 100")
    );
    assessment = clean();
    claim_of(assessment, "CI-4").value = share(10, 1000);
    assessment.facts.flaky_observed = share(20, 1000);
    EXPECT_THAT(told(assessment), IsEmpty()) << "one point more is borne";
    assessment.facts.flaky_observed = share(21, 1000);
    EXPECT_THAT(told(assessment), ElementsAre(HasSubstr("Q022 warning CI-4: 21 of 1000")));
}

TEST(QualityLint, ComparesWithTheRelayLevel) {
    auto assessment = clean();
    assessment.facts.relay_level = 4;
    EXPECT_THAT(told(assessment), IsEmpty());
    assessment.facts.relay_level = 2;
    EXPECT_THAT(told(assessment), Contains("Q023 warning Stable with relay level 2, expected 3"));
    assessment = clean();
    assessment.platform.targets = {"inference"};
    claim_of(assessment, "TEST-5").kind = ClaimKind::exempt;
    claim_of(assessment, "TEST-5").reason = "r";
    assessment.facts.reporting = {"distributed"};
    EXPECT_THAT(
        told(assessment),
        ElementsAre("Q023 warning TEST-5: exempt, but distributed tests report results")
    );
}

TEST(QualityLint, WantsTheReleaseBeforeWhenALevelIsRequested) {
    auto assessment = clean();
    assessment.assessed.requests = "Stable";
    EXPECT_THAT(
        told(assessment),
        ElementsAre("Q030 error Stable is requested, but no previous assessment is named")
    );
    assessment.previous = Previous{.release = {.major = 2, .minor = 12}, .digest = "d"};
    EXPECT_THAT(told(assessment), ElementsAre(HasSubstr("Q030 error")));
    assessment.previous->release.minor = 13;
    EXPECT_THAT(told(assessment), IsEmpty());
    assessment.assessed.requests = "Steady";
    EXPECT_THAT(told(assessment), ElementsAre("Q024 error requests: no level is named \"Steady\""));
}

TEST(QualityLint, ComparesTheAssessmentBeforeWithItsDigest) {
    auto assessment = clean();
    Assessment before = clean();
    before.release = {.major = 2, .minor = 13};
    before.digest = "d";
    assessment.previous = Previous{.release = {.major = 2, .minor = 13}, .digest = "d"};
    EXPECT_THAT(told(assessment, {.previous = &before}), IsEmpty());
    before.digest = "another";
    EXPECT_THAT(told(assessment, {.previous = &before}), ElementsAre(HasSubstr("Q031 error")));
}

TEST(QualityLint, KnowsARuleForEveryCodeOnce) {
    std::string before;
    for (const auto& rule : finding_rules()) {
        EXPECT_LT(before, rule.code);
        EXPECT_FALSE(rule.text.empty());
        before = rule.code;
    }
}

} // namespace

} // namespace baton::quality
