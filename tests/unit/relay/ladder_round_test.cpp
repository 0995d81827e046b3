// One evaluation of everybody, as far as it is put together outside the rules themselves.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/profile.hpp"
#include "baton/relay/ladder_round.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace baton::relay {
namespace {

TEST(LadderRounds, JudgeNobodyWhoIsMadeToFail) {
    domain::Allowlist list;
    list.add({.repo = *RepoName::parse("a/one"), .level = domain::Level::l3});
    list.add({.repo = *RepoName::parse("a/probe"), .level = domain::Level::l3});
    const domain::Profile profile;
    const auto as_of = TimePoint(std::chrono::days{20'000});
    const auto result = judge_round({
        .upstream = *RepoName::parse("up/stream"),
        .probe = *RepoName::parse("a/probe"),
        .allowlist = list,
        .profile = profile,
        .as_of = as_of,
        .now = as_of,
        .evidence = {},
        .ladders = {},
        .sending = {},
    });
    ASSERT_EQ(result.commit.outcomes.size(), 1U);
    EXPECT_EQ(result.commit.outcomes[0].downstream.text(), "a/one");
    EXPECT_EQ(result.judged, 1U) << "nor is it one of those of whom half may fail";
}

TEST(LadderRounds, MoveNobodyWhileTheProbeOfTheRelayGoesWrong) {
    domain::Allowlist list;
    list.add({.repo = *RepoName::parse("a/one"), .level = domain::Level::l3});
    const domain::Profile profile;
    const auto as_of = TimePoint(std::chrono::days{20'000});
    domain::LadderEvidence evidence;
    for (int i = 1; i <= 3; ++i) {
        const auto sent = as_of - std::chrono::hours{i};
        evidence.events.push_back({
            .id = DispatchId{i},
            .downstream = *RepoName::parse("a/probe"),
            .event_type = "push",
            .head = HeadSha("aaaa"),
            .sent_at = sent,
            .silent_at = sent + std::chrono::minutes{30},
        });
    }
    const auto frozen_by = [&](const char* probe) {
        return judge_round({
                               .upstream = *RepoName::parse("up/stream"),
                               .probe = *RepoName::parse(probe),
                               .allowlist = list,
                               .profile = profile,
                               .as_of = as_of,
                               .now = as_of,
                               .evidence = evidence,
                               .ladders = {},
                               .sending = {},
                           })
            .frozen;
    };
    EXPECT_EQ(
        frozen_by("a/probe"),
        "3 of 3 runs of the relay's own probe did not end as they were made to"
    );
    EXPECT_EQ(frozen_by("a/other"), "");
}

} // namespace
} // namespace baton::relay
