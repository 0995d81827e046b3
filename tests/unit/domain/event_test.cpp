#include "baton/base/ids.hpp"
#include "baton/domain/event.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace baton::domain {
namespace {

const RepoName kUpstream = *RepoName::parse("Up/Stream");

const Interests kInterests{
    .upstreams = {kUpstream},
    .files = {{.repo = *RepoName::parse("up/lists"), .path = "crcr/list.yml", .ref = "main"}}
};

Event event(std::string name, std::string action, std::string_view repo = "up/stream") {
    Event one;
    one.delivery = DeliveryId("d-1");
    one.name = std::move(name);
    one.action = std::move(action);
    if (!repo.empty()) {
        one.repository = *RepoName::parse(repo);
    }
    if (one.name == "pull_request") {
        one.facts = PullRequestFacts{};
    } else if (one.name == "push") {
        one.facts = PushFacts{};
    } else {
        one.facts = OtherFacts{};
    }
    return one;
}

struct Case {
    std::string name;
    Event event;
    std::string reason; // empty: ours
    bool forwarded;
};

Event push(bool deleted) {
    auto one = event("push", "");
    std::get<PushFacts>(one.facts).deleted = deleted;
    return one;
}

Event push_to_lists(std::string ref, std::vector<std::string> files, bool complete = true) {
    auto one = event("push", "", "Up/Lists");
    one.facts =
        PushFacts{.ref = std::move(ref), .files = std::move(files), .files_complete = complete};
    return one;
}

Event comment(std::string text, bool on_pull_request) {
    auto one = event("issue_comment", "created");
    one.facts = CommentFacts{
        .number = PrNumber{7}, .text = std::move(text), .on_pull_request = on_pull_request
    };
    return one;
}

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {"opened goes out", event("pull_request", "opened"), "", true},
        {"reopened goes out", event("pull_request", "reopened"), "", true},
        {"a new commit goes out", event("pull_request", "synchronize"), "", true},
        {"closed goes out", event("pull_request", "closed"), "", true},
        {"a push goes out", push(false), "", true},
        {"a deleted ref does not", push(true), "ref deleted", false},
        {"a label is noted", event("pull_request", "labeled"), "", false},
        {"a label taken off is noted", event("pull_request", "unlabeled"), "", false},
        {"ready for review is noted", event("pull_request", "ready_for_review"), "", false},
        {"back to draft is noted", event("pull_request", "converted_to_draft"), "", false},
        {"an edited title is not ours", event("pull_request", "edited"), "action not handled", false
        },
        {"a re-run of a check is noted", event("check_run", "rerequested"), "", false},
        {"a finished check is not ours",
         event("check_run", "completed"),
         "action not handled",
         false},
        {"a re-run of a suite is noted", event("check_suite", "rerequested"), "", false},
        {"a merge group is noted", event("merge_group", "checks_requested"), "", false},
        {"an installation is noted without a repository",
         event("installation", "created", ""),
         "",
         false},
        {"so are its repositories", event("installation_repositories", "added", ""), "", false},
        {"a ping is a ping", event("ping", ""), "ping", false},
        {"a star is not ours", event("star", "created"), "event not handled", false},
        {"another repository is not ours",
         event("push", "", "some/body"),
         "repository is not an upstream",
         false},
        {"no repository is not ours", event("push", "", ""), "repository is not an upstream", false
        },
        {"a command is noted", comment("@baton rerun npu", true), "", false},
        {"a chat is not ours", comment("thanks @baton", true), "comment is not a command", false},
        {"a command on an issue is not ours",
         comment("@baton status", false),
         "comment is not on a pull request",
         false},
    };
    return all;
}

TEST(Event, ConcernsUsOrIsIgnoredUnderItsOwnReason) {
    for (const auto& c : cases()) {
        SCOPED_TRACE(c.name);
        const auto concern = concern_of(c.event, kInterests);
        EXPECT_EQ(concern.reason, c.reason);
        EXPECT_EQ(concern.ours, c.reason.empty());
        EXPECT_EQ(concern.ours && is_forwarded(c.event), c.forwarded);
    }
}

TEST(Event, IsOursWhenAnAllowlistKeptInAnotherRepositoryMayHaveChanged) {
    struct Push {
        const char* name;
        Event event;
        bool ours;
    };

    const Push pushes[] = {
        {"the file", push_to_lists("refs/heads/main", {"README.md", "crcr/list.yml"}), true},
        {"perhaps the file", push_to_lists("refs/heads/main", {"README.md"}, false), true},
        {"other files", push_to_lists("refs/heads/main", {"README.md"}), false},
        {"another branch", push_to_lists("refs/heads/draft", {"crcr/list.yml"}), false},
    };
    for (const auto& c : pushes) {
        SCOPED_TRACE(c.name);
        const auto concern = concern_of(c.event, kInterests);
        EXPECT_EQ(concern.ours, c.ours);
        EXPECT_EQ(concern.reason, c.ours ? "" : "repository is not an upstream");
    }
}

TEST(Event, ReadsGithubsWordForTheAuthorAndDoubtsUnknownOnes) {
    EXPECT_EQ(association_named("MEMBER"), Association::member);
    EXPECT_EQ(association_named("FIRST_TIME_CONTRIBUTOR"), Association::first_time_contributor);
    EXPECT_EQ(association_named("member"), Association::none);
    EXPECT_EQ(association_named("MANNEQUIN"), Association::none);
}

} // namespace
} // namespace baton::domain
