#include "baton/domain/event.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/wire/webhook.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <variant>
#include <vector>

#include "unit/sim/support.hpp"

namespace baton::sim {
namespace {

namespace json = boost::json;
using testing::furnish;
using testing::kStart;
using testing::repo;

struct Model : ::testing::Test {
    Model() { furnish(model); }

    Webhook open(OpenPull what = {}) {
        what.repo = repo("up/stream");
        what.author = Login("ann");
        what.now = kStart;
        return model.open_pull(what).value();
    }

    Result<Webhook> act(PullVerb verb, std::string label = {}) {
        return model.act({
            .repo = repo("up/stream"),
            .number = PrNumber{1},
            .verb = verb,
            .by = Login("bob"),
            .label = std::move(label),
            .now = kStart + std::chrono::seconds{90},
        });
    }

    GithubModel model{{.seed = 5, .site = {}}};
};

std::string text(const json::value& in, std::string_view pointer) {
    return std::string(in.at_pointer(pointer).as_string());
}

TEST_F(Model, OpensAPullRequestWithEverythingDownstreamsRelyOn) {
    const auto webhook = open({.title = "Speed", .draft = true, .labels = {"ciflow/crcr/npu"}});
    EXPECT_EQ(webhook.event, "pull_request");
    EXPECT_EQ(webhook.action, "opened");
    const auto body = json::parse(webhook.body);
    EXPECT_EQ(text(body, "/action"), "opened");
    EXPECT_EQ(body.at_pointer("/number").as_int64(), 1);
    EXPECT_EQ(body.at_pointer("/pull_request/number").as_int64(), 1);
    EXPECT_EQ(text(body, "/pull_request/title"), "Speed");
    EXPECT_EQ(text(body, "/pull_request/state"), "open");
    EXPECT_TRUE(body.at_pointer("/pull_request/draft").as_bool());
    EXPECT_FALSE(body.at_pointer("/pull_request/merged").as_bool());
    EXPECT_EQ(text(body, "/pull_request/labels/0/name"), "ciflow/crcr/npu");
    EXPECT_TRUE(std::regex_match(text(body, "/pull_request/head/sha"), std::regex("[0-9a-f]{40}")));
    EXPECT_EQ(text(body, "/pull_request/head/sha"), webhook.head.text());
    EXPECT_EQ(text(body, "/pull_request/head/ref"), "change");
    EXPECT_EQ(text(body, "/pull_request/head/repo/full_name"), "ann/stream");
    EXPECT_TRUE(body.at_pointer("/pull_request/head/repo/fork").as_bool());
    EXPECT_EQ(text(body, "/pull_request/base/ref"), "main");
    EXPECT_EQ(text(body, "/pull_request/base/repo/full_name"), "up/stream");
    EXPECT_EQ(text(body, "/pull_request/user/login"), "ann");
    EXPECT_EQ(text(body, "/pull_request/author_association"), "FIRST_TIME_CONTRIBUTOR");
    EXPECT_EQ(text(body, "/pull_request/updated_at"), "2026-11-15T13:40:00Z");
    EXPECT_EQ(text(body, "/repository/full_name"), "up/stream");
    EXPECT_EQ(text(body, "/organization/login"), "up");
    EXPECT_EQ(text(body, "/sender/login"), "ann");
    EXPECT_GT(body.at_pointer("/installation/id").as_int64(), 0);
}

TEST_F(Model, GivesDeliveriesUuids) {
    const std::regex uuid("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
    EXPECT_TRUE(std::regex_match(open().id.text(), uuid));
}

TEST_F(Model, WritesWebhooksOfGithubsSize) {
    const auto usual = open().body.size();
    EXPECT_GE(usual, 20'000U);
    EXPECT_LE(usual, 27'000U);
}

TEST_F(Model, WritesLargerWebhooksWhenAsked) {
    const auto large = open({.body_bytes_min = 200'000}).body.size();
    EXPECT_GE(large, 200'000U);
    EXPECT_LE(large, 240'000U);
    EXPECT_GE(act(PullVerb::closed)->body.size(), 200'000U) << "the description stays";
}

TEST_F(Model, MovesTheHeadWhenACommitIsPushed) {
    const auto before = open().head;
    const auto webhook = act(PullVerb::synchronize).value();
    const auto body = json::parse(webhook.body);
    EXPECT_EQ(text(body, "/action"), "synchronize");
    EXPECT_EQ(text(body, "/before"), before.text());
    EXPECT_EQ(text(body, "/after"), webhook.head.text());
    EXPECT_EQ(text(body, "/pull_request/head/sha"), webhook.head.text());
    EXPECT_EQ(text(body, "/pull_request/updated_at"), "2026-11-15T13:41:30Z");
    EXPECT_NE(webhook.head, before);
}

TEST_F(Model, LabelsAndUnlabels) {
    open();
    const auto labeled = json::parse(act(PullVerb::labeled, "ciflow/crcr/npu")->body);
    EXPECT_EQ(text(labeled, "/label/name"), "ciflow/crcr/npu");
    EXPECT_EQ(text(labeled, "/pull_request/labels/0/name"), "ciflow/crcr/npu");
    EXPECT_EQ(text(labeled, "/sender/login"), "bob");
    const auto unlabeled = json::parse(act(PullVerb::unlabeled, "ciflow/crcr/npu")->body);
    EXPECT_EQ(text(unlabeled, "/action"), "unlabeled");
    EXPECT_EQ(text(unlabeled, "/label/name"), "ciflow/crcr/npu");
    EXPECT_TRUE(unlabeled.at_pointer("/pull_request/labels").as_array().empty());
}

TEST_F(Model, SaysClosedForAMergedPullRequest) {
    open();
    const auto merged = act(PullVerb::merged).value();
    EXPECT_EQ(merged.action, "closed");
    const auto body = json::parse(merged.body);
    EXPECT_EQ(text(body, "/action"), "closed");
    EXPECT_EQ(text(body, "/pull_request/state"), "closed");
    EXPECT_TRUE(body.at_pointer("/pull_request/merged").as_bool());
    EXPECT_EQ(act(PullVerb::reopened).error().code, Errc::invalid);
}

TEST_F(Model, KnowsAuthorsWhoContributedBefore) {
    open();
    static_cast<void>(act(PullVerb::merged).value());
    EXPECT_EQ(text(json::parse(open().body), "/pull_request/author_association"), "CONTRIBUTOR");
    ASSERT_TRUE(model.set_permission(repo("up/stream"), Login("ann"), domain::Permission::write));
    EXPECT_EQ(text(json::parse(open().body), "/pull_request/author_association"), "MEMBER");
}

struct RefusedAction {
    const char* name;
    std::vector<PullVerb> before;
    PullVerb verb;
};

TEST_F(Model, RefusesWhatGithubWouldRefuse) {
    const RefusedAction cases[] = {
        {"a closed one gets no commits", {PullVerb::closed}, PullVerb::synchronize},
        {"a closed one cannot be closed", {PullVerb::closed}, PullVerb::closed},
        {"an open one cannot be reopened", {}, PullVerb::reopened},
        {"a ready one cannot become ready", {}, PullVerb::ready_for_review},
        {"a draft cannot become a draft",
         {PullVerb::converted_to_draft},
         PullVerb::converted_to_draft},
        {"a label it has not cannot go", {}, PullVerb::unlabeled},
        {"a label needs a name", {}, PullVerb::labeled},
    };
    for (const auto& each : cases) {
        SCOPED_TRACE(each.name);
        GithubModel fresh({.site = {}});
        furnish(fresh);
        static_cast<void>(
            fresh.open_pull({.repo = repo("up/stream"), .author = Login("ann"), .now = kStart})
        );
        PullAction what{.repo = repo("up/stream"), .number = PrNumber{1}, .now = kStart};
        for (const auto verb : each.before) {
            what.verb = verb;
            ASSERT_TRUE(fresh.act(what));
        }
        const auto sent = fresh.hooks().made();
        what.verb = each.verb;
        const auto refused = fresh.act(what);
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, Errc::invalid);
        EXPECT_EQ(fresh.hooks().made(), sent);
    }
}

TEST_F(Model, SendsNothingAboutARepositoryWithoutTheApp) {
    const auto refused =
        model.open_pull({.repo = repo("down/absent"), .author = Login("ann"), .now = kStart});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::forbidden);
    EXPECT_EQ(model.hooks().made(), 0U);
}

TEST_F(Model, PushesFilesToARef) {
    const auto webhook = model.push({
        .repo = repo("up/stream"),
        .by = Login("ann"),
        .changes = {{".github/allowlist.yml", "L1: [down/one]"}, {"gone.txt", std::nullopt}},
        .commits = 3,
        .now = kStart,
    });
    ASSERT_TRUE(webhook);
    const auto body = json::parse(webhook->body);
    EXPECT_EQ(text(body, "/ref"), "refs/heads/main");
    EXPECT_EQ(text(body, "/after"), webhook->head.text());
    EXPECT_EQ(text(body, "/head_commit/id"), webhook->head.text());
    EXPECT_EQ(body.at_pointer("/commits").as_array().size(), 3U);
    EXPECT_EQ(text(body, "/commits/2/modified/0"), ".github/allowlist.yml");
    EXPECT_EQ(text(body, "/commits/2/removed/0"), "gone.txt");
    EXPECT_FALSE(body.at_pointer("/deleted").as_bool());
    const auto* const branch = GithubModel::branch(*model.repo(repo("up/stream")), "main");
    EXPECT_EQ(branch->files.at(".github/allowlist.yml"), "L1: [down/one]");
    EXPECT_EQ(branch->head, webhook->head);
}

TEST_F(Model, CreatesAndDeletesRefs) {
    PushAction tag{
        .repo = repo("up/stream"), .ref = "refs/tags/v1", .by = Login("ann"), .now = kStart
    };
    const auto created = json::parse(model.push(tag)->body);
    EXPECT_TRUE(created.at_pointer("/created").as_bool());
    EXPECT_EQ(text(created, "/before"), std::string(40, '0'));
    tag.remove = true;
    const auto deleted = json::parse(model.push(tag)->body);
    EXPECT_TRUE(deleted.at_pointer("/deleted").as_bool());
    EXPECT_EQ(text(deleted, "/after"), std::string(40, '0'));
    EXPECT_TRUE(deleted.at_pointer("/head_commit").is_null());
    EXPECT_EQ(model.push(tag).error().code, Errc::invalid) << "it is gone";
}

TEST_F(Model, TellsWhichRepositoriesTheAppCameTo) {
    const auto webhook = model.set_installed(repo("down/absent"), true, kStart);
    ASSERT_TRUE(webhook);
    EXPECT_EQ(webhook->event, "installation_repositories");
    const auto body = json::parse(webhook->body);
    EXPECT_EQ(text(body, "/action"), "added");
    EXPECT_EQ(text(body, "/repositories_added/0/full_name"), "down/absent");
    EXPECT_TRUE(body.at_pointer("/repositories_removed").as_array().empty());
    const auto id = model.repo(repo("down/absent"))->id;
    EXPECT_EQ(model.dispatch(id, R"({"event_type":"push"})", kStart).status, 204);
}

TEST_F(Model, RedirectsFromAnOldName) {
    const auto id = model.repo(repo("down/one"))->id;
    ASSERT_TRUE(model.rename(repo("down/one"), repo("moved/here")));
    EXPECT_EQ(model.repo(repo("down/one")), nullptr);
    EXPECT_EQ(model.moved(repo("down/one")), id);
    EXPECT_EQ(model.repo(repo("moved/here"))->id, id);
    EXPECT_EQ(model.rename(repo("down/two"), repo("moved/here")).error().code, Errc::conflict);
}

TEST_F(Model, KeepsEachTryToDeliver) {
    const auto webhook = open();
    ASSERT_TRUE(model.hooks().record(
        {.delivery = webhook.id, .at = kStart, .status_code = 503, .status = "x"}
    ));
    ASSERT_TRUE(model.hooks().record(
        {.delivery = webhook.id, .at = kStart, .redelivery = true, .status_code = 202}
    ));
    const auto lines = model.hooks().page({.now = kStart});
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].status_code, 202);
    EXPECT_TRUE(lines[0].redelivery);
    EXPECT_EQ(lines[1].status_code, 503);
    EXPECT_EQ(model.hooks().page({.now = kStart + HookLog::kKept}).size(), 0U)
        << "three days are over";
    ASSERT_TRUE(model.redeliver(lines[1].id, kStart));
    EXPECT_EQ(model.take_redeliveries(), std::vector{webhook.id});
    EXPECT_TRUE(model.take_redeliveries().empty());
    EXPECT_EQ(model.redeliver(999, kStart).error().code, Errc::not_found);
}

TEST_F(Model, WritesWhatBatonReads) {
    const auto opened = open({.labels = {"ciflow/crcr/npu"}});
    const auto event = wire::parse_stored_event({opened.event, opened.id}, opened.body);
    ASSERT_TRUE(event) << event.error().detail;
    EXPECT_EQ(event->repository, repo("up/stream"));
    EXPECT_EQ(event->sender, Login("ann"));
    const auto& facts = std::get<domain::PullRequestFacts>(event->facts);
    EXPECT_EQ(facts.head, opened.head);
    EXPECT_EQ(facts.labels, std::vector<std::string>{"ciflow/crcr/npu"});
    EXPECT_EQ(facts.association, domain::Association::first_time_contributor);
    EXPECT_EQ(facts.updated_at, kStart);
    PushAction push{.repo = repo("up/stream"), .by = Login("ann"), .now = kStart};
    push.changes = {{"a.txt", "A"}, {"b.txt", std::nullopt}};
    const auto pushed = model.push(push).value();
    const auto read = wire::parse_stored_event({pushed.event, pushed.id}, pushed.body);
    ASSERT_TRUE(read) << read.error().detail;
    EXPECT_EQ(std::get<domain::PushFacts>(read->facts).after, pushed.head);
    EXPECT_EQ(
        std::get<domain::PushFacts>(read->facts).files, (std::vector<std::string>{"a.txt", "b.txt"})
    );
}

/// A little of everything, as one text.
std::string story(std::uint64_t seed) {
    GithubModel model({.seed = seed, .site = {}});
    furnish(model);
    std::string out;
    const auto add = [&](const Result<Webhook>& webhook) {
        out += webhook->id.text() + webhook->body;
    };
    add(model.open_pull(
        {.repo = repo("up/stream"), .author = Login("ann"), .body_bytes_min = 60'000, .now = kStart}
    ));
    PullAction act{
        .repo = repo("up/stream"),
        .number = PrNumber{1},
        .by = Login("bob"),
        .label = "x",
        .now = kStart
    };
    for (const auto verb :
         {PullVerb::synchronize, PullVerb::labeled, PullVerb::closed, PullVerb::reopened}) {
        act.verb = verb;
        add(model.act(act));
    }
    add(model.push({.repo = repo("up/stream"), .by = Login("ann"), .commits = 2, .now = kStart}));
    return out;
}

TEST(ModelDeterminism, SameSeedAndActionsGiveTheSameBytes) {
    EXPECT_EQ(story(11), story(11));
    EXPECT_NE(story(11), story(12));
}

} // namespace
} // namespace baton::sim
