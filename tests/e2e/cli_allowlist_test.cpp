#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "e2e/cli_support.hpp"

namespace baton::test {

namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kList = R"(L1:
  - org1/always
  - org1/sleeping: {pause: {until: "2999-01-01T00:00:00Z", reason: moving house}}
L2:
  - org2/releases: {push_refs: ["release/*"], oncalls: [ann]}
  - org2/docs: {paths: ["docs/**"], oncalls: [ann]}
L3:
  npu:
    org3/scarce: {trigger: label, oncalls: [bob]}
L4:
  - org4/careful: {device: gpu, trust: write, oncalls: [cy]}
)";

class AllowlistCommand : public ::testing::Test {
protected:
    std::string list(const std::string& text) const { return folder_.write("allowlist.yml", text); }

    Finished explain(std::vector<std::string> more, const std::string& text = kList) const {
        more.insert(more.begin(), {"allowlist", "explain", list(text)});
        return baton(std::move(more));
    }

    TemporaryFolder folder_;
};

TEST_F(AllowlistCommand, LintIsContentWithAGoodFile) {
    const auto linted = baton({"allowlist", "lint", list("L1: [a/b, c/d]\nL2: [e/f: [ann]]\n")});
    EXPECT_EQ(linted.exit_code, 0) << linted.out;
    EXPECT_THAT(linted.out, HasSubstr("allowlist.yml: good: 3 downstreams (L1 2, L2 1)\n"));
}

TEST_F(AllowlistCommand, LintPrintsErrorsWithTheirPlace) {
    const auto linted = baton({"allowlist", "lint", list("L1:\n  - a/b: {trigge: label}\n")});
    EXPECT_EQ(linted.exit_code, 1);
    EXPECT_THAT(
        linted.out,
        AllOf(
            HasSubstr("allowlist.yml:2:11: error: unknown key \"trigge\"; did you mean \"trigger\"?"
            ),
            HasSubstr("allowlist.yml: 1 error, 0 warnings\n")
        )
    );
}

TEST_F(AllowlistCommand, WarningsFailOnlyWhenAsked) {
    const auto path = list("L1: [a/b]\nL9: [c/d]\n");
    const auto linted = baton({"allowlist", "lint", path});
    EXPECT_EQ(linted.exit_code, 0);
    EXPECT_THAT(linted.out, HasSubstr("allowlist.yml:2:1: warning: "));
    EXPECT_THAT(linted.out, HasSubstr("allowlist.yml: good, 1 warning: 1 downstream (L1 1)\n"));
    const auto strict = baton({"allowlist", "lint", "--strict", path});
    EXPECT_EQ(strict.exit_code, 1);
    EXPECT_THAT(strict.out, Not(HasSubstr("good")));
    EXPECT_THAT(strict.out, HasSubstr("allowlist.yml: 1 warning, which --strict does not pass: "));
}

TEST_F(AllowlistCommand, LintWarnsOfAListOfNobody) {
    const auto linted = baton({"allowlist", "lint", list("{}\n")});
    EXPECT_EQ(linted.exit_code, 0);
    EXPECT_THAT(linted.out, HasSubstr("warning: lists nobody"));
}

TEST_F(AllowlistCommand, LintAnnotatesForGithub) {
    const auto path = folder_.write("a,b:50%.yml", "L1:\n  - a/b: {trigge: label}\n");
    const auto linted = baton({"allowlist", "lint", "--format", "github", path});
    EXPECT_EQ(linted.exit_code, 1);
    EXPECT_THAT(
        linted.out, ContainsRegex("^::error file=[^,:]*/a%2Cb%3A50%25.yml,line=2,col=11::unk")
    );
    EXPECT_EQ(linted.out.find('\n'), linted.out.size() - 1) << "annotations and nothing else";
}

TEST_F(AllowlistCommand, LintSpeaksJsonForSeveralFiles) {
    const auto good = folder_.write("good.yml", "L1: [a/b]\n");
    const auto bad = folder_.write("bad.yml", "L1: [nonsense]\n");
    const auto linted = baton({"allowlist", "lint", "--json", good, bad});
    EXPECT_EQ(linted.exit_code, 1);
    auto parsed = json_in(linted);
    EXPECT_FALSE(parsed["ok"].as_bool());
    ASSERT_EQ(parsed["files"].as_array().size(), 2U);
    EXPECT_EQ(parsed["files"].at(0).at("downstreams").as_int64(), 1);
    EXPECT_EQ(parsed["files"].at(1).at("errors").as_int64(), 1);
}

TEST_F(AllowlistCommand, AFileThatCannotBeReadIsUnusableAndTheOthersAreStillRead) {
    const auto bad = folder_.write("bad.yml", "L1: [nonsense]\n");
    const auto linted = baton({"allowlist", "lint", folder_.file("nothing.yml"), bad});
    EXPECT_EQ(linted.exit_code, 2);
    EXPECT_THAT(linted.out, HasSubstr("nothing.yml: error: cannot be read: "));
    EXPECT_EQ(linted.err, "");
    EXPECT_THAT(linted.out, HasSubstr("bad.yml:1:"));
    EXPECT_EQ(baton({"allowlist", "lint", folder_.path()}).exit_code, 2) << "a folder is no list";
}

TEST_F(AllowlistCommand, ExplainSaysWhoGetsAPullRequestAndWhy) {
    const auto told = explain({"--event", "pull_request"});
    EXPECT_EQ(told.exit_code, 0) << told.err;
    EXPECT_THAT(
        told.out,
        AllOf(
            HasSubstr("pull_request opened: sent to 3 of 6 downstreams"),
            ContainsRegex("org1/always +L1 +- +sent\n"),
            ContainsRegex("org1/sleeping +L1 +- +not sent +paused until .*: moving house\n"),
            ContainsRegex("org3/scarce +L3 +npu +not sent +waits for the label ciflow/crcr/npu\n"),
            ContainsRegex("org4/careful +L4 +gpu +not sent +trust: write, and author has no write"),
            HasSubstr("L3: forward_event true, display_on_hud true, display_on_pr label_only, "
                      "block_pr false\n"),
            HasSubstr(
                "L4: forward_event true, display_on_hud true, display_on_pr always, block_pr true"
            )
        )
    );
}

TEST_F(AllowlistCommand, ExplainTakesLabelsAndRights) {
    const auto told =
        explain({"--event", "pull_request", "--label", "ciflow/oot/npu", "--permission", "write"});
    EXPECT_THAT(told.out, ContainsRegex("org3/scarce +L3 +npu +sent\n"));
    EXPECT_THAT(told.out, ContainsRegex("org4/careful +L4 +gpu +sent\n"));
}

TEST_F(AllowlistCommand, ExplainKnowsThatALabelSendsOnlyToThoseWhoWaited) {
    const auto told =
        explain({"--event", "pull_request", "--action", "labeled", "--label", "ciflow/crcr/npu"});
    EXPECT_THAT(told.out, ContainsRegex("org3/scarce +L3 +npu +sent\n"));
    EXPECT_THAT(told.out, ContainsRegex("org1/always +L1 +- +not sent +had it already"));
}

TEST_F(AllowlistCommand, ExplainKnowsTrustThatALabelGave) {
    const auto* const list = "L2: [a/b: {trust: approved, oncalls: [ann]}]\n";
    const std::vector<std::string> pushed{"--event", "pull_request", "--action", "synchronize"};
    EXPECT_THAT(explain(pushed, list).out, HasSubstr("sent to 0 of 1"));
    auto labelled = pushed;
    labelled.insert(labelled.end(), {"--label", "anything"});
    EXPECT_THAT(explain(labelled, list).out, HasSubstr("sent to 1 of 1"));
    auto member = pushed;
    member.insert(member.end(), {"--author-association", "MEMBER"});
    EXPECT_THAT(explain(member, list).out, HasSubstr("sent to 1 of 1"));
}

TEST_F(AllowlistCommand, ExplainSaysWhoGetsAPush) {
    const auto told = explain({"--event", "push", "--ref", "refs/heads/main"});
    EXPECT_THAT(
        told.out,
        ContainsRegex("org2/releases +L2 +- +not sent +refs/heads/main is not among its push")
    );
    EXPECT_THAT(
        told.out, ContainsRegex("org2/docs +L2 +- +sent +if a changed file is among its paths")
    );
    const auto code = explain({"--event", "push", "--file", "src/a.cpp", "--file", "b.txt"});
    EXPECT_THAT(
        code.out, ContainsRegex("org2/docs +L2 +- +not sent +no changed file is among its paths")
    );
    const auto docs = explain({"--event", "push", "--file", "docs/a.md"});
    EXPECT_THAT(docs.out, ContainsRegex("org2/docs +L2 +- +sent\n"));
}

TEST_F(AllowlistCommand, ExplainAnswersForOneRepoListedOrNot) {
    const auto told =
        json_in(explain({"--event", "push", "--repo", "ORG1/Always", "--repo", "no/body", "--json"})
        );
    const auto& rows = told.at("downstreams").as_array();
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_TRUE(rows[0].at("sent").as_bool());
    EXPECT_EQ(rows[0].at("policy").at("display_on_pr").as_string(), "false");
    EXPECT_FALSE(rows[1].at("listed").as_bool());
    EXPECT_EQ(rows[1].at("reason").as_string(), "is not listed");
}

TEST_F(AllowlistCommand, ExplainRefusesWhatItCannotUse) {
    EXPECT_EQ(explain({"--event", "pull_request"}, "L1: [nonsense]\n").exit_code, 1);
    EXPECT_EQ(explain({"--event", "nightly"}).exit_code, 2);
    EXPECT_EQ(explain({"--event", "push", "--action", "opened"}).exit_code, 2);
    EXPECT_EQ(explain({"--event", "pull_request", "--action", "labeled"}).exit_code, 2);
    EXPECT_EQ(explain({"--event", "push", "--repo", "nonsense"}).exit_code, 2);
    EXPECT_EQ(
        baton({"allowlist", "explain", folder_.file("no.yml"), "--event", "push"}).exit_code, 2
    );
}

TEST_F(AllowlistCommand, WhatAStrangerWroteStaysInert) {
    const auto told = explain(
        {"--event", "push"},
        "L1: [a/b: {pause: {until: \"2999-01-01T00:00:00Z\", reason: \"\\u202Eevil\"}}]\n"
    );
    EXPECT_THAT(told.out, Not(HasSubstr("\u202E")));
}

} // namespace

} // namespace baton::test
