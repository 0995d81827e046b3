#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/report.hpp"
#include "baton/github/check_body.hpp"
#include "baton/ports/github.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <gtest/gtest.h>

#include <string>

namespace baton::github {
namespace {

namespace json = boost::json;

ports::CheckCall ended() {
    return {
        .repo = *RepoName::parse("up/stream"),
        .head = HeadSha(std::string(40, 'a')),
        .id = std::nullopt,
        .check =
            {
                .name = "crcr/o/r/ci/test",
                .external_id = "9:5",
                .details_url = "https://github.com/o/r/actions/runs/9",
                .status = domain::CheckStatus::completed,
                .conclusion = domain::Conclusion::timed_out,
                .started_at = from_ms(1'800'000'000'000),
                .completed_at = from_ms(1'800'000'060'000),
                .title = "timed out",
                .summary = "after \"a minute\"\n",
            },
    };
}

TEST(CheckBody, SaysAllThatIsKnownOfACheckThatEnded) {
    EXPECT_EQ(
        check_body(ended()),
        R"({"name":"crcr/o/r/ci/test","head_sha":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",)"
        R"("external_id":"9:5","details_url":"https://github.com/o/r/actions/runs/9",)"
        R"("status":"completed","started_at":"2027-01-15T08:00:00.000Z",)"
        R"("conclusion":"timed_out","completed_at":"2027-01-15T08:01:00.000Z",)"
        R"("output":{"title":"timed out","summary":"after \"a minute\"\n"}})"
    );
}

TEST(CheckBody, AChangeNamesNoCommit) {
    auto call = ended();
    call.id = 4;
    EXPECT_EQ(check_body(call).find("head_sha"), std::string::npos);
}

TEST(CheckBody, ACheckThatRunsAgainHasNoConclusion) {
    auto call = ended();
    call.check.status = domain::CheckStatus::in_progress;
    const auto body = check_body(call);
    EXPECT_EQ(body.find("conclusion"), std::string::npos) << "GitHub would end it";
    EXPECT_EQ(body.find("completed_at"), std::string::npos);
}

TEST(CheckBody, SendsNothingThatIsNotThere) {
    ports::CheckCall call{.repo = {}, .head = HeadSha("a"), .check = {.name = "n"}};
    EXPECT_EQ(check_body(call), R"({"name":"n","head_sha":"a","status":"queued"})");
}

TEST(CheckBody, StaysWithinGithubsLimitsWhateverTheTexts) {
    auto call = ended();
    call.check.title = std::string(400, 't');
    for (int i = 0; i < 40'000; ++i) {
        call.check.summary += "é";
    }
    call.check.summary += '\xff';
    const auto body = json::parse(check_body(call)); // throws when it is broken
    const auto& output = body.at("output");
    EXPECT_EQ(output.at("title").as_string().size(), kCheckTitleMax);
    EXPECT_LE(output.at("summary").as_string().size(), kCheckSummaryMax);
    const auto comment = json::parse(comment_body({.text = std::string(100'000, 'c')}));
    EXPECT_EQ(comment.at("body").as_string().size(), kCommentMax);
}

} // namespace
} // namespace baton::github
