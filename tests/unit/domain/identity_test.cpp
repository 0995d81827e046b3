#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/caller.hpp"
#include "baton/domain/identity.hpp"
#include "baton/domain/token_claims.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::domain {
namespace {

using std::chrono::seconds;
using testing::HasSubstr;

const TimePoint kNow = from_ms(1'800'000'000'000);
constexpr const char* kAudience = "relay";

TokenClaims claims_with(std::map<std::string, std::string, std::less<>> texts) {
    TokenClaims claims;
    claims.texts = std::move(texts);
    return claims;
}

TEST(CheckClaims, AllowsAMinuteOfSkewInEitherDirection) {
    struct Case {
        const char* name;
        seconds expires;
        std::optional<seconds> not_before;
        std::optional<seconds> issued;
        const char* why; // empty: good
    };

    const Case cases[] = {
        {"a fresh token", seconds(300), seconds(-5), seconds(-5), ""},
        {"without nbf and iat", seconds(300), {}, {}, ""},
        {"expired 59 s ago", seconds(-59), {}, {}, ""},
        {"expired 60 s ago", seconds(-60), {}, {}, "expired"},
        {"expired long ago", seconds(-86'400), {}, {}, "expired"},
        {"valid in 60 s", seconds(300), seconds(60), {}, ""},
        {"valid in 61 s", seconds(300), seconds(61), {}, "not valid before"},
        {"issued in 60 s", seconds(300), {}, seconds(60), ""},
        {"issued in 61 s", seconds(300), {}, seconds(61), "in the future"},
        {"issued next year", seconds(400 * 86'400), {}, seconds(365 * 86'400), "in the future"},
    };
    for (const auto& one : cases) {
        SCOPED_TRACE(one.name);
        TokenClaims claims;
        claims.audiences = {kAudience};
        claims.expires_at = kNow + one.expires;
        if (one.not_before) {
            claims.not_before = kNow + *one.not_before;
        }
        if (one.issued) {
            claims.issued_at = kNow + *one.issued;
        }
        const auto checked = check_claims(claims, kAudience, kNow);
        EXPECT_EQ(checked.has_value(), std::string(one.why).empty());
        if (!checked) {
            EXPECT_EQ(checked.error().code, Errc::unauthenticated);
            EXPECT_THAT(checked.error().detail, HasSubstr(one.why));
        }
    }
}

TEST(CheckClaims, WantsOurAudienceExactly) {
    struct Case {
        std::vector<std::string> audiences;
        bool good;
    };

    const Case cases[] = {
        {{"relay"}, true},
        {{"other", "relay"}, true},
        {{}, false},
        {{""}, false},
        {{"Relay"}, false},
        {{"relay2"}, false},
        {{"other"}, false},
    };
    for (const auto& one : cases) {
        TokenClaims claims;
        claims.audiences = one.audiences;
        claims.expires_at = kNow + seconds(60);
        const auto checked = check_claims(claims, kAudience, kNow);
        EXPECT_EQ(checked.has_value(), one.good) << testing::PrintToString(one.audiences);
        if (!checked) {
            EXPECT_THAT(checked.error().detail, HasSubstr("audience"));
        }
    }
}

TEST(GithubActions, NamesTheRepositoryItsIdsAndTheRun) {
    const auto caller = github_actions_caller(claims_with(
        {{"repository", "Org/Backend"},
         {"repository_id", "42"},
         {"repository_owner_id", "7"},
         {"run_id", "1234567890123"},
         {"run_attempt", "2"}}
    ));
    ASSERT_TRUE(caller) << caller.error().detail;
    EXPECT_EQ(
        *caller,
        (Caller{
            .provider = Provider::github_actions,
            .repo = RepoName::parse("org/backend").value(),
            .ids = ImmutableIds{.repository = 42, .owner = 7},
            .run_id = "1234567890123",
            .run_attempt = 2,
        })
    );
}

TEST(GithubActions, LacksNothingThatNamesIt) {
    const std::map<std::string, std::string, std::less<>> whole{
        {"repository", "org/backend"}, {"repository_id", "42"}, {"repository_owner_id", "7"}
    };
    const std::vector<std::pair<std::string, std::string>> spoilt{
        {"repository", ""},
        {"repository", "backend"},
        {"repository", "org/back/end"},
        {"repository", "org/back end"},
        {"repository_id", ""},
        {"repository_id", "0"},
        {"repository_id", "-1"},
        {"repository_id", "4x"},
        {"repository_id", "99999999999999999999"},
        {"repository_owner_id", ""},
        {"repository_owner_id", "seven"},
        {"run_attempt", "first"},
        {"run_attempt", "4294967297"},
    };
    for (const auto& [name, value] : spoilt) {
        auto texts = whole;
        texts[name] = value;
        const auto caller = github_actions_caller(claims_with(std::move(texts)));
        ASSERT_FALSE(caller) << name << " " << value;
        EXPECT_EQ(caller.error().code, Errc::unauthenticated);
        EXPECT_THAT(caller.error().detail, HasSubstr(name));
    }
    EXPECT_TRUE(github_actions_caller(claims_with(whole)));
}

constexpr const char* kOrganization = "0190b1c2-0000-4000-8000-00000000000A";
constexpr const char* kPipeline = "0190b1c2-0000-4000-8000-00000000000b";
constexpr const char* kPipelineKey =
    "0190b1c2-0000-4000-8000-00000000000a/0190b1c2-0000-4000-8000-00000000000b";

Pipelines one_pipeline(std::vector<RequiredClaim> required = {}) {
    return {
        {kPipelineKey,
         {.repo = RepoName::parse("org/backend").value(), .required = std::move(required)}}
    };
}

TEST(Buildkite, FindsTheRepositoryByTheTwoIdsInAnyCase) {
    const auto caller = buildkite_caller(
        claims_with({{"organization_id", kOrganization}, {"pipeline_id", kPipeline}}),
        one_pipeline()
    );
    ASSERT_TRUE(caller) << caller.error().detail;
    EXPECT_EQ(caller->repo.text(), "org/backend");
    EXPECT_EQ(caller->provider, Provider::buildkite);
    EXPECT_FALSE(caller->ids);
}

TEST(Buildkite, TellsAPipelineThatNobodyRegisteredWhatToDo) {
    const auto caller = buildkite_caller(
        claims_with({{"organization_id", kOrganization}, {"pipeline_id", kOrganization}}),
        one_pipeline()
    );
    ASSERT_FALSE(caller);
    EXPECT_EQ(caller.error().code, Errc::forbidden);
    EXPECT_THAT(caller.error().detail, HasSubstr("ask its operator to add the line"));
}

TEST(Buildkite, WithoutItsIdsIsNoPipeline) {
    for (const auto* missing : {"organization_id", "pipeline_id"}) {
        auto claims = claims_with({{"organization_id", kOrganization}, {"pipeline_id", kPipeline}});
        claims.texts.erase(missing);
        const auto caller = buildkite_caller(claims, one_pipeline());
        ASSERT_FALSE(caller);
        EXPECT_EQ(caller.error().code, Errc::unauthenticated);
        EXPECT_THAT(caller.error().detail, HasSubstr(missing));
    }
}

TEST(Buildkite, HoldsAPipelineToItsRequiredClaims) {
    struct Case {
        const char* name;
        std::vector<RequiredClaim> required;
        std::optional<std::string> branch;
        bool good;
    };

    const Case cases[] = {
        {"none required", {}, "feature", true},
        {"the one value", {{"build_branch", {"main"}}}, "main", true},
        {"another value", {{"build_branch", {"main"}}}, "feature", false},
        {"one of a list", {{"build_branch", {"main", "release"}}}, "release", true},
        {"none of a list", {{"build_branch", {"main", "release"}}}, "mai", false},
        {"another spelling", {{"build_branch", {"main"}}}, "Main", false},
        {"absent", {{"build_branch", {"main"}}}, std::nullopt, false},
        {"absent where absent is asked for", {{"build_branch", {""}}}, std::nullopt, true},
        {"there where absent is asked for", {{"build_branch", {""}}}, "main", false},
        {"one of two claims", {{"build_branch", {"main"}}, {"step_key", {"t"}}}, "main", false},
    };
    for (const auto& one : cases) {
        SCOPED_TRACE(one.name);
        auto claims = claims_with({{"organization_id", kOrganization}, {"pipeline_id", kPipeline}});
        if (one.branch) {
            claims.texts["build_branch"] = *one.branch;
        }
        const auto caller = buildkite_caller(claims, one_pipeline(one.required));
        EXPECT_EQ(caller.has_value(), one.good);
        if (!caller) {
            EXPECT_EQ(caller.error().code, Errc::forbidden);
            EXPECT_THAT(caller.error().detail, HasSubstr(one.required.back().name));
        }
    }
}

TEST(Gitlab, FindsTheRepositoryByItsProject) {
    const Projects projects{{"group/project", RepoName::parse("org/backend").value()}};
    const auto caller = gitlab_caller(
        claims_with(
            {{"project_path", "group/project"}, {"project_id", "20"}, {"namespace_id", "72"}}
        ),
        projects
    );
    ASSERT_TRUE(caller) << caller.error().detail;
    EXPECT_EQ(caller->repo.text(), "org/backend");
    EXPECT_EQ(caller->provider, Provider::gitlab);
    EXPECT_EQ(caller->ids, (ImmutableIds{.repository = 20, .owner = 72}));
}

TEST(Gitlab, TellsAProjectThatNobodyRegisteredWhatToDo) {
    const Projects projects{{"group/project", RepoName::parse("org/backend").value()}};
    const auto caller = gitlab_caller(
        claims_with({{"project_path", "group/other"}, {"project_id", "20"}, {"namespace_id", "7"}}),
        projects
    );
    ASSERT_FALSE(caller);
    EXPECT_EQ(caller.error().code, Errc::forbidden);
    EXPECT_THAT(caller.error().detail, HasSubstr("oidc.issuers.projects"));
}

TEST(Gitlab, LacksNoIds) {
    const Projects projects{{"group/project", RepoName::parse("org/backend").value()}};
    const auto caller = gitlab_caller(claims_with({{"project_path", "group/project"}}), projects);
    ASSERT_FALSE(caller);
    EXPECT_EQ(caller.error().code, Errc::unauthenticated);
}

} // namespace
} // namespace baton::domain
