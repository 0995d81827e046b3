#include "baton/base/draw.hpp"
#include "baton/base/time.hpp"
#include "baton/net/client.hpp"
#include "baton/report/answer.hpp"
#include "baton/report/body.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace baton::report {
namespace {

using namespace std::chrono_literals;

struct Case {
    const char* name;
    int http_status;
    Progress progress;
    Move move;
};

const Case kMoves[] = {
    {"what was accepted is decided", 200, {.tries = 1}, Move::stop},
    {"a faulty body stays faulty", 400, {.tries = 1}, Move::stop},
    {"who may not, may not", 403, {.tries = 1}, Move::stop},
    {"no such path", 404, {.tries = 1}, Move::stop},
    {"another conclusion stands", 409, {.tries = 1}, Move::stop},
    {"an unknown commit stays unknown", 422, {.tries = 1}, Move::stop},
    {"a relay that moved wants another --url", 301, {.tries = 1}, Move::stop},
    {"too many", 429, {.tries = 1}, Move::again},
    {"too slow", 408, {.tries = 1}, Move::again},
    {"a relay in trouble", 503, {.tries = 1}, Move::again},
    {"no answer", 0, {.tries = 1}, Move::again},
    {"a token that is not good may be too old",
     401,
     {.tries = 1, .token_renews = true},
     Move::fresh_token},
    {"a fresh one that is not good stays so",
     401,
     {.tries = 2, .token_renewed = true, .token_renews = true},
     Move::stop},
    {"one that was given cannot be renewed", 401, {.tries = 1}, Move::stop},
    {"too large is sent again with less", 413, {.tries = 1}, Move::smaller},
    {"but not with nothing", 413, {.tries = 6, .bytes_max = kReportBytesLeast}, Move::stop},
    {"tries are spent", 503, {.tries = 10}, Move::give_up},
    {"time is spent", 503, {.tries = 3, .age = 61s}, Move::give_up},
};

TEST(Decide, FollowsTheTable) {
    for (const auto& c : kMoves) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(decide({.http_status = c.http_status}, c.progress, {}, Draw{}).move, c.move);
    }
}

TEST(Decide, NeverComesBackBeforeTheTimeThatTheRelayNamed) {
    const Answer later{.http_status = 429, .retry_after = 7s};
    const auto low = decide(later, {.tries = 1}, {}, Draw{.bits = 0});
    const auto high = decide(later, {.tries = 1}, {}, Draw{.bits = ~std::uint64_t{0}});
    EXPECT_EQ(low.wait, 7s);
    EXPECT_GT(high.wait, 7s) << "the legs of a matrix come back apart";
    EXPECT_LT(high.wait, 9s);
}

TEST(Decide, GivesUpAtOnceWhenTheRelayNamesATimeThatIsTooLate) {
    EXPECT_EQ(
        decide({.http_status = 503, .retry_after = 3600s}, {.tries = 1}, {}, Draw{}).move,
        Move::give_up
    );
}

RC_GTEST_PROP(Decide, StaysWithinTimeAndTries, (std::uint64_t bits)) {
    const Patience patience{.timeout = 60s};
    Progress progress;
    while (true) {
        ++progress.tries;
        const auto decision = decide({.http_status = 500}, progress, patience, Draw{.bits = bits});
        if (decision.move == Move::give_up) {
            break;
        }
        RC_ASSERT(decision.move == Move::again);
        RC_ASSERT(decision.wait > 0ms);
        progress.age += decision.wait;
        RC_ASSERT(progress.age < patience.timeout);
    }
    RC_ASSERT(progress.tries >= 4);
    RC_ASSERT(progress.tries <= patience.tries_max);
}

TEST(Answer, IsReadFromWhatTheRelaySays) {
    const auto good =
        answer_in({.status = 200, .body = R"({"ok":true,"status":"in_progress","proceed":true})"});
    EXPECT_TRUE(good.accepted());
    EXPECT_TRUE(good.proceed);
    EXPECT_EQ(good.status, "in_progress");

    const auto turned_away = answer_in(
        {.status = 200,
         .body = R"({"ok":true,"duplicate":true,"proceed":false,"reason":"superseded"})"}
    );
    EXPECT_FALSE(turned_away.proceed);
    EXPECT_TRUE(turned_away.duplicate);
    EXPECT_EQ(turned_away.detail, "superseded");

    EXPECT_TRUE(answer_in({.status = 200, .body = R"({"stale":true})"}).stale);
}

TEST(Answer, ARefusalIsTheRelaysOwnSentenceMadeInert) {
    EXPECT_EQ(
        answer_in({.status = 403, .body = R"({"detail":"not listed"})"}).detail, "not listed"
    );
    EXPECT_EQ(
        answer_in({.status = 400, .body = R"({"detail":{"at":"/workflow"}})"}).detail,
        R"({"at":"/workflow"})"
    );
    EXPECT_EQ(
        answer_in({.status = 502, .body = "<html>\n\x1b[31m"}).detail, "<html>\\x0a\\x1b[31m"
    );
}

TEST(Answer, TellsWhatTheRelayDidNotTake) {
    const auto answer =
        answer_in({.status = 200, .body = R"({"ok":true,"notes":["/workflow/url: dropped",7]})"});
    EXPECT_EQ(answer.notes, std::vector<std::string>{"/workflow/url: dropped"});
}

TEST(Answer, AnyBodyOfA2xxIsAYes) {
    for (const auto* body :
         {"", "null", "[]", "OK", R"({"proceed":"no"})", R"({"proceed":null})"}) {
        SCOPED_TRACE(body);
        const auto answer = answer_in({.status = 200, .body = body});
        EXPECT_TRUE(answer.accepted());
        EXPECT_TRUE(answer.proceed);
    }
}

TEST(Answer, RetryAfterIsReadInSeconds) {
    const auto wait = [](const std::string& field) {
        return answer_in({.status = 429, .headers = {{"Retry-After", field}}, .body = ""})
            .retry_after;
    };
    EXPECT_EQ(wait("3"), 3s);
    EXPECT_EQ(wait("0"), 0s);
    EXPECT_EQ(wait("99999999999"), 24h);
    EXPECT_EQ(wait("soon"), std::nullopt);
    EXPECT_EQ(wait("Sun, 15 Nov 2026 13:30:00 GMT"), std::nullopt);
}

} // namespace
} // namespace baton::report
