#include "baton/report/answer.hpp"
#include "baton/report/body.hpp"
#include "baton/report/ci.hpp"
#include "baton/report/send.hpp"
#include "baton/report/verdict.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace baton::report {
namespace {

using testing::HasSubstr;

constexpr bool kStrict = true;
constexpr bool kLenient = false;

struct Case {
    const char* name;
    Outcome outcome;
    Status status;
    int lenient;
    int strict;
    const char* says;
};

const Case kVerdicts[] = {
    {"told", {.ending = Ending::accepted}, Status::completed, 0, 0, "the relay has the report"},
    {"told again",
     {.ending = Ending::accepted, .answer = {.duplicate = true}},
     Status::completed,
     0,
     0,
     "had this report already"},
    {"told too late",
     {.ending = Ending::accepted, .answer = {.stale = true}},
     Status::in_progress,
     0,
     0,
     "later report"},
    {"not to proceed",
     {.ending = Ending::accepted, .answer = {.proceed = false, .detail = "superseded"}},
     Status::in_progress,
     78,
     78,
     "not to proceed: superseded"},
    {"not to proceed, when the work is done anyway",
     {.ending = Ending::accepted, .answer = {.proceed = false, .detail = "another run has it"}},
     Status::completed,
     0,
     0,
     "does not count it: another run has it"},
    {"at L1", {.ending = Ending::ignored}, Status::completed, 0, 0, "L1"},
    {"refused",
     {.ending = Ending::refused, .answer = {.http_status = 403, .detail = "not listed"}},
     Status::completed,
     0,
     1,
     "refused the report with 403: not listed"},
    {"away",
     {.ending = Ending::unreachable, .answer = {.detail = "connection refused"}, .tries = 7},
     Status::in_progress,
     0,
     1,
     "tried 7 times: connection refused"},
    {"nobody",
     {.ending = Ending::no_token, .answer = {.detail = "add id-token: write"}},
     Status::in_progress,
     0,
     1,
     "no identity token: add id-token: write"},
};

TEST(Verdict, OnlyTheWordNotToProceedStopsAJobUnlessStrict) {
    for (const auto& c : kVerdicts) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(verdict_on(c.outcome, c.status, kLenient).exit_code, c.lenient);
        EXPECT_EQ(verdict_on(c.outcome, c.status, kStrict).exit_code, c.strict);
        EXPECT_THAT(verdict_on(c.outcome, c.status, kLenient).sentence, HasSubstr(c.says));
    }
}

TEST(Verdict, IsAnAnnotationOnGithubActionsAndALineElsewhere) {
    EXPECT_EQ(line_for(Ci::github_actions, Weight::error, "no"), "::error title=baton report::no");
    EXPECT_EQ(
        line_for(Ci::github_actions, Weight::warning, "away"), "::warning title=baton report::away"
    );
    EXPECT_EQ(line_for(Ci::github_actions, Weight::plain, "told"), "baton: told");
    EXPECT_EQ(line_for(Ci::buildkite, Weight::warning, "away"), "baton: warning: away");
}

TEST(Verdict, NoTextBecomesACommandOfItsOwn) {
    EXPECT_EQ(
        line_for(Ci::github_actions, Weight::error, "100%\n::set-output name=x::y\r"),
        "::error title=baton report::100%25%0A::set-output name=x::y%0D"
    );
}

} // namespace
} // namespace baton::report
