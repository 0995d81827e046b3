#include "baton/base/time.hpp"
#include "baton/domain/graduation.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace baton::domain {

namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using namespace std::chrono_literals;

const TimePoint kFrom = *parse_rfc3339("2026-10-17T00:00:00Z");
const TimePoint kAsOf = kFrom + 24h * 30;

/// A nightly each day at 03:00; letters say what comes of it: g green, t a red test, i machines,
/// m nobody starts it, f a flake, o still open, s skipped.
GraduationFacts facts(const std::string& nights) {
    GraduationFacts all{.from = kFrom, .as_of = kAsOf};
    for (std::size_t i = 0; i < nights.size(); ++i) {
        const auto sent_at = kFrom + 24h * static_cast<int>(i) + 3h;
        LadderEvent event{
            .id = DispatchId{static_cast<std::int64_t>(i) + 1},
            .event_type = "nightly",
            .sent_at = sent_at,
        };
        const auto attempt = [&](Conclusion conclusion, bool tests) {
            return LadderAttempt{
                .conclusion = conclusion,
                .started_at = sent_at + 10min,
                .ended_at = sent_at + 70min,
                .queue = Millis(10min),
                .tests_told = tests,
            };
        };
        LadderJob job{.workflow = "nightly", .name = "test"};
        switch (nights[i]) {
        case 'g':
            job.attempts = {attempt(Conclusion::success, true)};
            break;
        case 't':
            job.attempts = {attempt(Conclusion::failure, true)};
            break;
        case 'i':
            job.attempts = {attempt(Conclusion::failure, false)};
            break;
        case 'f':
            job.attempts = {attempt(Conclusion::failure, true), attempt(Conclusion::success, true)};
            break;
        case 's':
            job.attempts = {attempt(Conclusion::skipped, false)};
            break;
        case 'm':
            event.silent_at = sent_at + 2h;
            break;
        default:
            break;
        }
        if (!job.attempts.empty()) {
            event.jobs.push_back(job);
        }
        all.events.push_back(event);
    }
    return all;
}

std::string missed_criteria(const Graduation& graduation) {
    std::string out;
    for (const auto& criterion : graduation.criteria) {
        if (criterion.met == false) {
            out += (out.empty() ? "" : " ") + criterion.id;
        }
    }
    return out;
}

TEST(Graduation, ComesFromItsNightlies) {
    const struct {
        const char* name;
        std::string nights;
        std::optional<bool> ready;
        const char* missed;
    } cases[] = {
        {"all green", std::string(30, 'g'), true, ""},
        {"three red in thirty are ten in a hundred", "tgggggggggtgggggggggtggggggggg", true, ""},
        {"four are too many", "tgggggggggtgggggggggtgggtggggg", false, "passed"},
        {"machines count as well", "igggigggigggiggggggggggggggggg", false, "passed"},
        {"nobody starts it", "mgggmgggmgggmggggggggggggggggg", false, "passed answered"},
        {"two flakes in thirty", "fgggggggggfggggggggggggggggggg", false, "flaky"},
        {"one flake in thirty", "fggggggggggggggggggggggggggggg", true, ""},
        {"two days without a verdict", "giiggggggggggggggggggggggggggg", true, ""},
        {"nineteen tell nothing", std::string(19, 'g'), std::nullopt, ""},
        {"what is open or skipped is no nightly",
         std::string(19, 'g') + std::string(11, 'o'),
         std::nullopt,
         ""},
        {"skipped", std::string(19, 'g') + std::string(11, 's'), std::nullopt, ""},
        {"nothing at all", "", std::nullopt, ""},
    };

    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        const auto graduation = graduation_of(facts(c.nights));
        EXPECT_EQ(graduation.ready, c.ready);
        EXPECT_EQ(missed_criteria(graduation), c.missed);
    }
}

TEST(Graduation, TellsCausesApart) {
    const auto all = graduation_of(facts("gggtgggiggmggggggfgggggggggggo"));
    EXPECT_EQ(all.nightlies, 29U);
    EXPECT_EQ(all.passed, (BoundedShare{.k = 26, .n = 29}));
    EXPECT_EQ(all.passed_tests, (BoundedShare{.k = 26, .n = 27}));
    EXPECT_EQ(all.machines, (BoundedShare{.k = 2, .n = 29}));
    EXPECT_EQ(all.missed, 1U);
    EXPECT_EQ(all.flaky, (BoundedShare{.k = 1, .n = 26}));
    EXPECT_EQ(all.queue.size(), 28U);
    EXPECT_EQ(all.ran.front(), Millis(1h));
    ASSERT_EQ(all.weeks.size(), 5U);
    EXPECT_EQ(all.weeks.front().passed, (BoundedShare{.k = 6, .n = 7}));
    EXPECT_EQ(all.weeks.back().passed, (BoundedShare{.k = 1, .n = 1}));
}

TEST(Graduation, ALongOutageStandsInTheWay) {
    // due on the 4th day at 03:00, over on the 7th at 04:10: 73 h 10 min
    const auto all = graduation_of(facts("gggiiigggggggggggggggggggggggg"));
    ASSERT_EQ(all.outages.size(), 1U);
    EXPECT_EQ(all.outages.front().bad, 3U);
    EXPECT_EQ(all.outages.front().length, Millis(73h + 10min));
    EXPECT_EQ(missed_criteria(all), "outage");
}

TEST(Graduation, PlannedPausesAreCutOut) {
    auto paused = facts("gggiiigggggggggggggggggggggggg");
    paused.planned.push_back({.from = kFrom + 24h * 3, .until = kFrom + 24h * 6});
    const auto all = graduation_of(paused);
    EXPECT_EQ(all.nightlies, 27U);
    EXPECT_THAT(all.outages, IsEmpty());
    EXPECT_EQ(all.ready, true);

    auto marked = facts("gggiiigggggggggggggggggggggggg");
    for (auto& event : marked.events) {
        event.paused = event.jobs.front().attempts.front().conclusion == Conclusion::failure;
    }
    EXPECT_EQ(graduation_of(marked).ready, true);
}

TEST(Graduation, LooksAtNightliesOfTheWindowAlone) {
    auto more = facts(std::string(30, 'g'));
    auto before = facts("t").events.front();
    before.sent_at = kFrom - 1ms;
    auto push = facts("t").events.front();
    push.event_type = "push";
    auto after = facts("t").events.front();
    after.sent_at = kAsOf;
    more.events.insert(more.events.end(), {before, push, after});
    std::ranges::reverse(more.events);
    EXPECT_EQ(graduation_of(more).passed, (BoundedShare{.k = 30, .n = 30}));
}

TEST(Graduation, OnlyRequiredJobsDecide) {
    auto two = facts(std::string(30, 'g'));
    for (auto& event : two.events) {
        auto extra = event.jobs.front();
        extra.name = "experiment";
        extra.attempts.front().conclusion = Conclusion::failure;
        event.jobs.push_back(extra);
    }
    EXPECT_EQ(graduation_of(two).passed.k, 0U);
    two.required_jobs = {"test"};
    EXPECT_EQ(graduation_of(two).passed.k, 30U);
}

TEST(ImageDigests, AreFoundWhereverTheyStand) {
    const auto a = "sha256:" + std::string(64, 'a');
    const auto b = "sha256:" + std::string(64, 'b');
    EXPECT_THAT(
        image_digests_in(fmt::format(R"({{"image":"registry/x@{}","more":["{}","{}"]}})", b, a, b)),
        ElementsAre(b, a)
    );
    EXPECT_THAT(image_digests_in(""), IsEmpty());
    EXPECT_THAT(image_digests_in("sha256:"), IsEmpty());
    EXPECT_THAT(image_digests_in("sha256:" + std::string(63, 'a')), IsEmpty());
    EXPECT_THAT(image_digests_in("sha256:" + std::string(65, 'a')), IsEmpty());
    EXPECT_THAT(image_digests_in("sha256:" + std::string(64, 'A')), IsEmpty());
}

TEST(Graduation, TellsWhichImagesRan) {
    auto with = facts("g");
    with.images = {"sha256:b", "sha256:a", "sha256:b"};
    with.images_asked = 4;
    const auto all = graduation_of(with);
    EXPECT_THAT(all.images, ElementsAre("sha256:a", "sha256:b"));
    EXPECT_EQ(all.images_told, (BoundedShare{.k = 3, .n = 4}));
}

} // namespace
} // namespace baton::domain
