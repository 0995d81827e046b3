#include "baton/base/limits.hpp"
#include "baton/crypto/hmac.hpp"
#include "baton/crypto/webhook_signature.hpp"
#include "baton/wire/webhook.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace baton::wire {

namespace {

constexpr std::string_view kHeadSha = "6dcb09b5b57875f334f61aebed695e2e4193db5e";
constexpr std::string_view kBaseSha = "e5bd3914e2e596debea16f433f57875b5b90bcd6";
constexpr std::string_view kZeros = "0000000000000000000000000000000000000000";

// Out of GitHub's order on purpose, with a deleted fork and text from everywhere.
constexpr std::string_view kPullRequest = R"({
  "sender": {"login": "fay", "id": 7, "type": "User"},
  "pull_request": {
    "updated_at": "2026-11-15T13:30:00Z",
    "author_association": "CONTRIBUTOR",
    "title": "Größere Kerne 漢字 🚀 \u00e9\ud83d\ude80",
    "body": null,
    "labels": [{"id": 1, "name": "ciflow/crcr/npu", "color": "ededed"}, {"name": "triaged"}],
    "base": {"ref": "main", "sha": "e5bd3914e2e596debea16f433f57875b5b90bcd6"},
    "head": {"repo": null, "sha": "6dcb09b5b57875f334f61aebed695e2e4193db5e", "ref": "fix/kernels"},
    "draft": true,
    "user": {"login": "octo-ann", "id": 1},
    "state": "open",
    "merged_at": null,
    "number": 4711,
    "id": 18446744073709551615
  },
  "number": 4711,
  "label": {"name": "ciflow/crcr/npu"},
  "action": "labeled",
  "repository": {"id": 65600975, "full_name": "pytorch/pytorch", "private": false},
  "installation": {"id": 1}
})";

constexpr std::string_view kPush = R"({
  "ref": "refs/heads/main",
  "before": "e5bd3914e2e596debea16f433f57875b5b90bcd6",
  "after": "6dcb09b5b57875f334f61aebed695e2e4193db5e",
  "created": false, "deleted": false, "forced": false, "base_ref": null,
  "repository": {"full_name": "pytorch/pytorch"},
  "sender": {"login": "fay"},
  "commits": [
    {"id": "a", "added": ["torch/new.py"], "modified": ["README.md"], "removed": []},
    {"id": "b", "added": [], "modified": ["README.md"], "removed": ["torch/old.py"]}
  ],
  "head_commit": {"id": "b"}
})";

Result<domain::Event> parse(std::string_view event, std::string_view body) {
    const WebhookHead head{.event = std::string(event), .delivery = DeliveryId("d-1")};
    return parse_stored_event(head, body);
}

std::string with(std::string_view body, std::string_view from, std::string_view to) {
    std::string changed(body);
    const auto at = changed.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return changed.replace(at, from.size(), to);
}

std::string hex(std::string_view bytes) {
    std::string out;
    for (const char c : bytes) {
        out += fmt::format("{:02x}", static_cast<unsigned char>(c));
    }
    return out;
}

TEST(Webhook, ReadsAPullRequestWhateverTheOrderOfItsFields) {
    const auto event = parse("pull_request", kPullRequest);
    ASSERT_TRUE(event.has_value()) << event.error().detail;
    const domain::PullRequestFacts facts{
        .number = PrNumber{4711},
        .head = HeadSha(std::string(kHeadSha)),
        .head_ref = "fix/kernels",
        .base = HeadSha(std::string(kBaseSha)),
        .base_ref = "main",
        .open = true,
        .draft = true,
        .labels = {"ciflow/crcr/npu", "triaged"},
        .label = "ciflow/crcr/npu",
        .author = Login("octo-ann"),
        .title = "Größere Kerne 漢字 🚀 é🚀",
        .association = domain::Association::contributor,
        .updated_at = *parse_rfc3339("2026-11-15T13:30:00Z"),
    };
    const domain::Event expected{
        .delivery = DeliveryId("d-1"),
        .name = "pull_request",
        .action = "labeled",
        .repository = *RepoName::parse("pytorch/pytorch"),
        .sender = Login("fay"),
        .facts = facts,
    };
    EXPECT_EQ(*event, expected);
}

TEST(Webhook, ReadsAClosedPullRequestOfADeletedAccount) {
    auto body = with(kPullRequest, R"("state": "open")", R"("state": "closed")");
    body = with(body, R"("user": {"login": "octo-ann", "id": 1})", R"("user": null)");
    body = with(body, R"("draft": true,)", "");
    body = with(body, R"("label": {"name": "ciflow/crcr/npu"},)", "");
    const auto event = parse("pull_request", body);
    ASSERT_TRUE(event.has_value()) << event.error().detail;
    const auto& facts = std::get<domain::PullRequestFacts>(event->facts);
    EXPECT_FALSE(facts.open);
    EXPECT_FALSE(facts.draft);
    EXPECT_TRUE(facts.author.empty());
    EXPECT_EQ(facts.label, "");
    EXPECT_EQ(facts.merged_at, std::nullopt);
}

TEST(Webhook, ReadsWhenAPullRequestWasMerged) {
    auto body = with(kPullRequest, R"("state": "open")", R"("state": "closed")");
    body = with(
        body,
        R"("merged_at": null)",
        R"("merged_at": "2026-11-15T13:29:59Z", "closed_at": "2026-11-15T13:30:00Z")"
    );
    const auto event = parse("pull_request", body);
    ASSERT_TRUE(event.has_value()) << event.error().detail;
    const auto& facts = std::get<domain::PullRequestFacts>(event->facts);
    EXPECT_EQ(facts.merged_at, *parse_rfc3339("2026-11-15T13:29:59Z"));
    EXPECT_EQ(facts.closed_at, *parse_rfc3339("2026-11-15T13:30:00Z"));
    const auto broken = parse(
        "pull_request", with(kPullRequest, R"("merged_at": null)", R"("merged_at": "yesterday")")
    );
    ASSERT_FALSE(broken.has_value());
    EXPECT_THAT(
        broken.error().detail, testing::HasSubstr("/pull_request/merged_at: expected a time")
    );
}

TEST(Webhook, ReadsAPushWithEachFileOnce) {
    const auto event = parse("push", kPush);
    ASSERT_TRUE(event.has_value()) << event.error().detail;
    EXPECT_EQ(event->action, "");
    const domain::PushFacts expected{
        .ref = "refs/heads/main",
        .before = HeadSha(std::string(kBaseSha)),
        .after = HeadSha(std::string(kHeadSha)),
        .deleted = false,
        .files = {"torch/new.py", "README.md", "torch/old.py"},
        .files_complete = true,
    };
    EXPECT_EQ(std::get<domain::PushFacts>(event->facts), expected);
}

struct CompleteCase {
    std::string_view name;
    std::string body;
    bool complete;
};

std::string push_of(std::size_t commits, std::string_view extra = "") {
    std::string list;
    for (std::size_t i = 0; i < commits; ++i) {
        list += fmt::format(
            "{}{{\"added\":[\"f{}\"],\"modified\":[],\"removed\":[]}}", i == 0 ? "" : ",", i
        );
    }
    return fmt::format(
        R"({{"ref":"refs/heads/main","before":"{}","after":"{}",{}"commits":[{}]}})",
        kBaseSha,
        kHeadSha,
        extra,
        list
    );
}

TEST(Webhook, SaysWhetherAPushListsAllItsFiles) {
    const std::vector<CompleteCase> cases{
        {"a few commits", push_of(3), true},
        {"as many as the push has", push_of(3, R"("size":3,"distinct_size":2,)"), true},
        {"fewer than the push has", push_of(3, R"("size":4,)"), false},
        {"exactly GitHub's old cap", push_of(20), false},
        {"the old cap, but the size agrees", push_of(20, R"("size":20,)"), true},
        {"one past the old cap", push_of(21), true},
        {"GitHub's cap", push_of(2048), false},
        {"no commit listed", push_of(0), false},
        {"a new branch", push_of(1, R"("created":true,)"), false},
        {"a forced push", push_of(1, R"("forced":true,)"), false},
        {"a tag", with(push_of(1), "refs/heads/main", "refs/tags/v1"), false},
        {"a commit that names no files", with(push_of(1), R"("added":["f0"],)", ""), false},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto event = parse("push", c.body);
        ASSERT_TRUE(event.has_value()) << event.error().detail;
        EXPECT_EQ(std::get<domain::PushFacts>(event->facts).files_complete, c.complete);
    }
}

TEST(Webhook, KeepsABoundedNumberOfPushedFiles) {
    std::string names;
    for (std::size_t i = 0; i <= limits::kPushFilesMax; ++i) {
        names += fmt::format("{}\"f{}\"", i == 0 ? "" : ",", i);
    }
    const auto event = parse("push", with(push_of(1), R"("f0")", names));
    ASSERT_TRUE(event.has_value()) << event.error().detail;
    const auto& facts = std::get<domain::PushFacts>(event->facts);
    EXPECT_EQ(facts.files.size(), limits::kPushFilesMax);
    EXPECT_FALSE(facts.files_complete);
}

TEST(Webhook, KnowsADeletionByTheFlagOrByTheZeros) {
    const auto flagged = parse("push", with(kPush, R"("deleted": false)", R"("deleted": true)"));
    ASSERT_TRUE(flagged.has_value());
    EXPECT_TRUE(std::get<domain::PushFacts>(flagged->facts).deleted);
    const auto zeros = parse("push", with(kPush, kHeadSha, kZeros));
    ASSERT_TRUE(zeros.has_value());
    EXPECT_TRUE(std::get<domain::PushFacts>(zeros->facts).deleted);
}

TEST(Webhook, KeepsWhatACommentSays) {
    const auto event = parse(
        "issue_comment",
        R"({"action":"created","comment":{"body":"@baton rerun npu"},
            "issue":{"number":5,"pull_request":{"url":"x"}},"repository":{"full_name":"a/b"}})"
    );
    ASSERT_TRUE(event.has_value()) << event.error().detail;
    const domain::CommentFacts expected{
        .number = PrNumber{5}, .text = "@baton rerun npu", .on_pull_request = true
    };
    EXPECT_EQ(std::get<domain::CommentFacts>(event->facts), expected);
    const auto on_issue = parse(
        "issue_comment", R"({"action":"created","comment":{"body":null},"issue":{"number":5}})"
    );
    ASSERT_TRUE(on_issue.has_value()) << on_issue.error().detail;
    EXPECT_EQ(
        std::get<domain::CommentFacts>(on_issue->facts), domain::CommentFacts{.number = PrNumber{5}}
    );
}

TEST(Webhook, KeepsOnlyTheHeadOfALongComment) {
    std::string text = "@baton rerun ";
    while (text.size() <= limits::kCommandBytesMax) {
        text += "\u00e9";
    }
    const auto event = parse(
        "issue_comment",
        fmt::format(
            R"({{"action":"created","comment":{{"body":"{}"}},"issue":{{"number":5}}}})", text
        )
    );
    ASSERT_TRUE(event.has_value()) << event.error().detail;
    const auto& kept = std::get<domain::CommentFacts>(event->facts).text;
    EXPECT_EQ(kept.size(), limits::kCommandBytesMax - 1) << "no half character";
    EXPECT_TRUE(text.starts_with(kept));
}

constexpr std::string_view kCheckRun =
    R"({"action":"rerequested","check_run":{"id":4,"name":"crcr/o/r/ci/test","external_id":"9:5",
        "head_sha":"6dcb09b5b57875f334f61aebed695e2e4193db5e","app":{"id":29310}}})";
constexpr std::string_view kCheckSuite =
    R"({"action":"rerequested","check_suite":{"id":4,
        "head_sha":"6dcb09b5b57875f334f61aebed695e2e4193db5e","app":{"id":29310}}})";
constexpr std::string_view kMergeGroup =
    R"({"action":"checks_requested","merge_group":{"base_ref":"refs/heads/main",
        "head_sha":"6dcb09b5b57875f334f61aebed695e2e4193db5e"}})";

TEST(Webhook, KnowsWhatShallRunAgain) {
    const auto check = parse("check_run", std::string(kCheckRun));
    ASSERT_TRUE(check.has_value()) << check.error().detail;
    domain::RerequestFacts expected{
        .head = HeadSha(std::string(kHeadSha)),
        .check = "crcr/o/r/ci/test",
        .external_id = "9:5",
        .app_id = 29310,
    };
    EXPECT_EQ(std::get<domain::RerequestFacts>(check->facts), expected);

    const auto foreign = parse(
        "check_run", with(with(kCheckRun, R"({"id":29310})", "null"), R"("external_id":"9:5",)", "")
    );
    ASSERT_TRUE(foreign.has_value()) << foreign.error().detail;
    expected.external_id = "";
    expected.app_id = 0;
    EXPECT_EQ(std::get<domain::RerequestFacts>(foreign->facts), expected);

    const auto suite = parse("check_suite", std::string(kCheckSuite));
    ASSERT_TRUE(suite.has_value()) << suite.error().detail;
    expected.check = "";
    expected.app_id = 29310;
    EXPECT_EQ(std::get<domain::RerequestFacts>(suite->facts), expected);
}

TEST(Webhook, KnowsWhatTheMergeQueueAsksFor) {
    const auto event = parse("merge_group", std::string(kMergeGroup));
    ASSERT_TRUE(event.has_value()) << event.error().detail;
    const domain::MergeGroupFacts expected{
        .head = HeadSha(std::string(kHeadSha)), .base_ref = "refs/heads/main"
    };
    EXPECT_EQ(std::get<domain::MergeGroupFacts>(event->facts), expected);
}

TEST(Webhook, TakesEveryOtherEventWithoutAskingMuch) {
    const auto ping = parse("ping", R"({"zen":"Keep it logically awesome.","hook_id":1})");
    ASSERT_TRUE(ping.has_value());
    EXPECT_FALSE(ping->repository.has_value());
    EXPECT_TRUE(ping->sender.empty());
    const auto run = parse(
        "check_run",
        R"({"action":"completed","repository":{"full_name":"PyTorch/PyTorch"},"check_run":{}})"
    );
    ASSERT_TRUE(run.has_value());
    EXPECT_EQ(run->action, "completed");
    EXPECT_EQ(std::get<domain::OtherFacts>(run->facts), domain::OtherFacts{});
    EXPECT_EQ(run->repository, *RepoName::parse("pytorch/pytorch"));
}

struct FaultCase {
    std::string_view name;
    std::string_view event;
    std::string body;
    std::string_view detail;
};

TEST(Webhook, NamesTheFieldThatIsMissingOrOfTheWrongKind) {
    const std::vector<FaultCase> cases{
        {"a check without a commit",
         "check_run",
         with(kCheckRun, kHeadSha, "main"),
         "/check_run/head_sha: expected 40 hex digits"},
        {"a check without a name",
         "check_run",
         with(kCheckRun, R"("name":"crcr/o/r/ci/test",)", ""),
         "/check_run/name: expected text"},
        {"a check of an App without a number",
         "check_run",
         with(kCheckRun, "29310", R"("29310")"),
         "/check_run/app/id: expected a whole number from 1"},
        {"no suite",
         "check_suite",
         R"({"action":"rerequested"})",
         "/check_suite: expected an object"},
        {"a comment on nothing",
         "issue_comment",
         R"({"action":"created","comment":{"body":"x"},"issue":{}})",
         "/issue/number: expected a whole number from 1"},
        {"a merge group without a commit",
         "merge_group",
         with(kMergeGroup, kHeadSha, ""),
         "/merge_group/head_sha: expected 40 hex digits"},
        {"no sha",
         "pull_request",
         with(kPullRequest, R"("sha": "6dcb09b5b57875f334f61aebed695e2e4193db5e",)", ""),
         "/pull_request/head/sha: expected text"},
        {"a sha of another kind",
         "pull_request",
         with(kPullRequest, R"("6dcb09b5b57875f334f61aebed695e2e4193db5e")", "7"),
         "/pull_request/head/sha: expected text"},
        {"a sha that is none",
         "pull_request",
         with(kPullRequest, kHeadSha, "main"),
         "/pull_request/head/sha: expected 40 hex digits"},
        {"no pull request",
         "pull_request",
         R"({"action":"opened"})",
         "/pull_request: expected an object"},
        {"a pull request that is a list",
         "pull_request",
         R"({"pull_request":[]})",
         "/pull_request: expected an object"},
        {"a negative number",
         "pull_request",
         with(kPullRequest, R"("number": 4711,)", R"("number": -1,)"),
         "/pull_request/number: expected a whole number from 1"},
        {"a fraction",
         "pull_request",
         with(kPullRequest, R"("number": 4711,)", R"("number": 4711.0,)"),
         "/pull_request/number: expected a whole number from 1"},
        {"a number beyond what JSON keeps exact",
         "pull_request",
         with(kPullRequest, R"("number": 4711,)", R"("number": 9223372036854775807,)"),
         "/pull_request/number: expected a whole number from 1"},
        {"a time that is none",
         "pull_request",
         with(kPullRequest, "2026-11-15T13:30:00Z", "yesterday"),
         "/pull_request/updated_at: expected a time like 2026-11-15T13:30:00Z"},
        {"a state nobody knows",
         "pull_request",
         with(kPullRequest, R"("state": "open")", R"("state": "ajar")"),
         "/pull_request/state: expected open or closed"},
        {"a label without a name",
         "pull_request",
         with(kPullRequest, R"({"name": "triaged"})", "{}"),
         "/pull_request/labels/1/name: expected text"},
        {"labels that are no list",
         "pull_request",
         with(kPullRequest, R"("labels": [)", R"("labels": {}, "x": [)"),
         "/pull_request/labels: expected a list"},
        {"a draft that is text",
         "pull_request",
         with(kPullRequest, R"("draft": true)", R"("draft": "no")"),
         "/pull_request/draft: expected true or false"},
        {"an action that is a number", "ping", R"({"action":1})", "/action: expected text"},
        {"a repository without a name",
         "ping",
         R"({"repository":{}})",
         "/repository/full_name: expected text"},
        {"a repository name that is none",
         "ping",
         R"({"repository":{"full_name":"../../etc"}})",
         "/repository/full_name: expected owner/repo"},
        {"a push without a ref",
         "push",
         with(kPush, R"("ref": "refs/heads/main",)", ""),
         "/ref: expected text"},
        {"a commit that is a number",
         "push",
         with(kPush, R"({"id": "a",)", R"(7, {"id": "a",)"),
         "/commits/0: expected an object"},
        {"a file that is a number",
         "push",
         with(kPush, R"(["torch/new.py"])", "[1]"),
         "/commits/0/added: expected a list of file names"},
        {"no comment", "issue_comment", R"({"action":"created"})", "/comment: expected an object"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto event = parse(c.event, c.body);
        ASSERT_FALSE(event.has_value());
        EXPECT_EQ(event.error().code, Errc::invalid);
        EXPECT_EQ(event.error().detail, c.detail);
    }
}

TEST(Webhook, RefusesWhatIsNotJsonInFixedWords) {
    const std::string huge = "{\"a\":" + std::string(400, '9') + "}";
    for (const std::string_view body :
         {"",
          " ",
          "{",
          "{\"a\":}",
          "{}x",
          "\xff\xfe",
          "{\"a\":\"\xc3\"}",
          "{'a':1}",
          "nul",
          huge.c_str()}) {
        SCOPED_TRACE(body);
        const auto event = parse("ping", body);
        ASSERT_FALSE(event.has_value());
        EXPECT_EQ(event.error().detail, "Invalid JSON body");
    }
    for (const std::string_view body : {"[]", "1", "\"text\"", "null", "true"}) {
        SCOPED_TRACE(body);
        const auto event = parse("ping", body);
        ASSERT_FALSE(event.has_value());
        EXPECT_EQ(event.error().detail, "Body is not a JSON object");
    }
}

TEST(Webhook, BoundsTheDepthOfABody) {
    const auto nested = [](std::size_t depth) {
        return "{\"a\":" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + "}";
    };
    EXPECT_TRUE(parse("ping", nested(limits::kJsonDepthMax - 1)).has_value());
    EXPECT_FALSE(parse("ping", nested(limits::kJsonDepthMax + 1)).has_value());
    EXPECT_FALSE(parse("ping", nested(2'000'000)).has_value());
    EXPECT_TRUE(parse("ping", "{}").has_value()) << "one refusal must not spoil the parser";
}

TEST(Webhook, TakesAGiantBodyAndGoesOn) {
    const auto body =
        with(kPullRequest, R"("body": null)", "\"body\": \"" + std::string(3'000'000, 'x') + "\"");
    ASSERT_TRUE(parse("pull_request", body).has_value());
    ASSERT_TRUE(parse("pull_request", kPullRequest).has_value());
}

TEST(VerifiedWebhook, IsParsedWithOrWithoutSpareCapacity) {
    const auto keys = crypto::SignatureKeys::make({"secret"});
    ASSERT_TRUE(keys.has_value());
    for (const std::size_t spare : {0U, 64U}) {
        std::string body;
        body.reserve(kPush.size() + spare);
        body = kPush;
        crypto::SignatureCheck check(*keys);
        check.update(body);
        const auto digest = crypto::HmacKey("secret").sign(body);
        const auto proof = check.finish("sha256=" + hex(crypto::view_of(digest)));
        ASSERT_TRUE(proof.has_value());
        const VerifiedWebhook webhook(
            *proof, {.event = "push", .delivery = DeliveryId("d-9")}, std::move(body)
        );
        const auto event = parse_event(webhook);
        ASSERT_TRUE(event.has_value()) << event.error().detail;
        EXPECT_EQ(event->delivery, DeliveryId("d-9"));
        EXPECT_EQ(webhook.secret_index(), 0U);
    }
}

RC_GTEST_PROP(Webhook, AnyBytesGetAnAnswer, (const std::string& body)) {
    for (const auto* event :
         {"pull_request", "push", "issue_comment", "check_run", "merge_group", "ping"}) {
        static_cast<void>(parse(event, body).has_value());
    }
}

RC_GTEST_PROP(Webhook, ADamagedBodyGetsAnAnswer, ()) {
    std::string body(*rc::gen::element(kPullRequest, kPush, kCheckRun, kCheckSuite, kMergeGroup));
    const auto at = *rc::gen::inRange<std::size_t>(0, body.size());
    const auto length = *rc::gen::inRange<std::size_t>(0, 40);
    body.replace(
        at, length, *rc::gen::element<std::string>("", "null", "{}", "[]", "\"", "1e9", "\xff")
    );
    for (const auto* event :
         {"pull_request", "push", "issue_comment", "check_run", "check_suite", "merge_group"}) {
        const auto parsed = parse(event, body);
        RC_ASSERT(parsed.has_value() || parsed.error().code == Errc::invalid);
    }
}

} // namespace

} // namespace baton::wire
