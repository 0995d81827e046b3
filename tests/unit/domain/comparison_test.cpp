#include "baton/domain/comparison.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace baton::domain {

namespace {

using namespace std::chrono_literals;

constexpr TimePoint kNow = from_ms(1'800'000'000'000);

OwnDecision ours(const std::string& delivery, const std::string& repo, bool sends) {
    return {
        .delivery = DeliveryId(delivery),
        .downstream = *RepoName::parse(repo),
        .sends = sends,
        .event_type = "push",
        .reason = sends ? "listed" : "paused",
        .at = kNow,
    };
}

OtherDispatch theirs(const std::string& delivery, const std::string& repo) {
    return {
        .delivery = DeliveryId(delivery),
        .downstream = *RepoName::parse(repo),
        .event_type = "",
        .at = std::nullopt,
    };
}

Difference difference(const std::string& delivery, const std::string& repo, std::string reason) {
    return {
        .delivery = DeliveryId(delivery),
        .downstream = *RepoName::parse(repo),
        .reason = std::move(reason),
    };
}

TEST(Comparison, OfTwoThatSentNothingIsAlike) {
    EXPECT_TRUE(compare({}, {}).is_alike());
    EXPECT_TRUE(compare({ours("d", "a/a", false)}, {}).is_alike()) << "both withheld it";
}

TEST(Comparison, CountsWhatBothSentWhateverTheSpellingAndHoweverOften) {
    const auto result = compare({ours("d", "a/a", true)}, {theirs("d", "A/A"), theirs("d", "a/a")});
    EXPECT_TRUE(result.is_alike());
    EXPECT_EQ(result.agreed, 1U);
}

TEST(Comparison, TellsOurReasonForEachDifference) {
    const auto result = compare(
        {ours("d1", "a/a", true), ours("d2", "a/a", false)},
        {theirs("d2", "a/a"), theirs("d3", "a/a")}
    );
    EXPECT_FALSE(result.is_alike());
    EXPECT_EQ(result.agreed, 0U);
    EXPECT_EQ(result.only_we, std::vector{difference("d1", "a/a", "listed")});
    EXPECT_EQ(
        result.only_they,
        (std::vector{
            difference("d2", "a/a", "paused"),
            difference("d3", "a/a", "we have no such delivery, or the downstream is not listed"),
        })
    );
}

TEST(Comparison, BelievesALaterYesOfOurs) {
    const auto result =
        compare({ours("d", "a/a", false), ours("d", "a/a", true)}, {theirs("d", "a/a")});
    EXPECT_TRUE(result.is_alike());
}

TEST(Comparison, SeesAnotherEventType) {
    auto other = theirs("d", "a/a");
    other.event_type = "pull_request";
    const auto result = compare({ours("d", "a/a", true)}, {other});
    EXPECT_EQ(
        result.other_event, std::vector{difference("d", "a/a", "push here, pull_request there")}
    );
    EXPECT_FALSE(result.is_alike());
}

TEST(Comparison, MeasuresHowFarApartTheyWere) {
    auto late = theirs("d1", "a/a");
    late.at = kNow + 250ms;
    auto early = theirs("d2", "a/a");
    early.at = kNow - 10ms;
    const auto result = compare({ours("d1", "a/a", true), ours("d2", "a/a", true)}, {late, early});
    EXPECT_EQ(result.apart, (std::vector<Millis>{-10ms, 250ms}));
}

} // namespace

} // namespace baton::domain
