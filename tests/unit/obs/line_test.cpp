#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/retry.hpp"
#include "baton/obs/line.hpp"
#include "baton/ports/journal.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "unit/obs/entries.hpp"

namespace baton::obs {

namespace {

using test::kNoon;

TEST(Line, TellsAnAttemptWithEverythingItTakesToFindIt) {
    EXPECT_EQ(
        to_logfmt(line_of(test::sent_dispatch(), kNoon + Millis{123})),
        "2026-11-15T12:00:00.123Z info dispatch.attempted dispatch=17 delivery=d-1 "
        "downstream=org2/Backend "
        "level=L2 attempt=1 outcome=accepted status=204 state=sent took_ms=12 age_ms=80"
    );
}

TEST(Line, SaysWhenTheNextTryIs) {
    EXPECT_EQ(
        to_logfmt(line_of(test::lost_answer(), kNoon)),
        "2026-11-15T12:00:00.000Z warn dispatch.attempted dispatch=17 delivery=d-1 "
        "downstream=org2/Backend "
        "level=L2 attempt=1 outcome=unknown state=pending next_try=2026-11-15T12:00:01.500Z "
        "detail=\"no answer within 15 s\" took_ms=12 age_ms=80"
    );
}

TEST(Line, NamesEveryKindOfEntry) {
    const std::pair<ports::JournalEntry, std::string> cases[] = {
        {test::accepted_webhook(),
         "debug webhook.answered delivery=d-1 event=pull_request action=opened status=202 "
         "outcome=accepted "
         "body_bytes=25249 took_us=840"},
        {test::recorded_callback(),
         "debug callback.answered downstream=org2/Backend delivery=d-1 job=\"ci / test\" "
         "status=200 "
         "outcome=recorded body_bytes=25600 took_us=1200"},
        {ports::DeliveryPlanned{
             .delivery = DeliveryId("d-1"),
             .event = "push",
             .created = 3,
             .superseded = 1,
             .cancelled = 0,
             .waited = Millis{4}
         },
         "info delivery.planned delivery=d-1 event=push created=3 superseded=1 cancelled=0 "
         "waited_ms=4"},
        {ports::AllowlistInForce{
             .upstream = test::repo("up/stream"), .source = "file:allowlist.yml", .downstreams = 12
         },
         "info allowlist.in_force upstream=up/stream source=file:allowlist.yml downstreams=12"},
        {ports::AllowlistRefused{
             .upstream = test::repo("up/stream"), .source = "file:a.yml", .detail = "3:1: not a map"
         },
         "error allowlist.refused upstream=up/stream source=file:a.yml detail=\"3:1: not a map\""},
        {ports::SilenceNoted{
             .dispatch = DispatchId{17}, .downstream = test::repo("org/b"), .superseded = false
         },
         "warn dispatch.silent dispatch=17 downstream=org/b"},
        {ports::JobTimedOut{
             .job = JobId{4}, .downstream = test::repo("org/b"), .workflow = "ci", .name = "test"
         },
         "warn job.timed_out job=4 downstream=org/b workflow=ci name=test"},
        {ports::Pruned{.bodies = 12, .jobs = 3, .dispatches = 2, .took = Millis{40}},
         "info retention.pruned bodies=12 jobs=3 dispatches=2 took_ms=40"},
        {ports::ScheduleTurned{
             .upstream = test::repo("up/stream"),
             .downstream = test::repo("org/b"),
             .event = "nightly",
             .due = kNoon,
             .outcome = ports::ScheduleTurned::Outcome::missed,
             .reason = "GitHub was away"
         },
         "error schedule.missed upstream=up/stream downstream=org/b event=nightly "
         "due=2026-11-15T12:00:00.000Z reason=\"GitHub was away\""},
        {ports::LetterAttempted{
             .sink = "pytorch-hud",
             .letter = 9,
             .downstream = test::repo("org/b"),
             .attempt = 2,
             .status = 503,
             .fate = domain::LetterFate::again,
             .next_try = kNoon,
             .detail = "deploying",
             .took = Millis{20},
             .age = Millis{900}
         },
         "warn letter.attempted sink=pytorch-hud letter=9 downstream=org/b attempt=2 status=503 "
         "outcome=again next_try=2026-11-15T12:00:00.000Z detail=deploying took_ms=20 age_ms=900"},
        {ports::Trouble{.healed = false, .where = "store", .detail = "disk full"},
         "error trouble where=store detail=\"disk full\""},
        {ports::LifeTurn{.what = "started", .detail = ""}, "info life what=started"},
    };
    for (const auto& [entry, text] : cases) {
        EXPECT_EQ(to_logfmt(line_of(entry, kNoon)), "2026-11-15T12:00:00.000Z " + text);
    }
}

TEST(Line, HasTheSameKeysInJson) {
    EXPECT_EQ(
        to_json(line_of(test::lost_answer(), kNoon)),
        R"({"time":"2026-11-15T12:00:00.000Z","severity":"warn","event":"dispatch.attempted","dispatch":17,)"
        R"("delivery":"d-1","downstream":"org2/Backend","level":"L2","attempt":1,"outcome":"unknown",)"
        R"("state":"pending","next_try":"2026-11-15T12:00:01.500Z","detail":"no answer within 15 s",)"
        R"("took_ms":12,"age_ms":80})"
    );
}

TEST(Line, UntrustedTextCannotMakeALineOfItsOwn) {
    auto entry = test::accepted_webhook();
    entry.action =
        "opened\n2026-11-15T12:00:00.000Z error trouble where=store detail=\"all is lost\"";
    const auto line = line_of(entry, kNoon);
    EXPECT_EQ(to_logfmt(line).find('\n'), std::string::npos);
    EXPECT_NE(
        to_logfmt(line).find(
            R"(action="opened\\x0a2026-11-15T12:00:00.000Z error trouble where=store)"
        ),
        std::string::npos
    );
    EXPECT_NE(to_json(line).find(R"(detail=\"all is lost\"",)"), std::string::npos);
}

RC_GTEST_PROP(Line, NoInputBreaksTheLineOrItsQuotes, (const std::string& text)) {
    const auto line = line_of(ports::Trouble{.healed = true, .where = "x", .detail = text}, kNoon);
    for (const auto& printed : {to_logfmt(line), to_json(line)}) {
        RC_ASSERT(std::ranges::none_of(printed, [](unsigned char c) {
            return c < 0x20 || c == 0x7f;
        }));
        std::size_t quotes = 0;
        for (std::size_t i = 0; i < printed.size(); ++i) {
            if (printed[i] == '\\') {
                ++i; // the escaped one does not count
            } else if (printed[i] == '"') {
                ++quotes;
            }
        }
        RC_ASSERT(quotes % 2 == 0);
    }
}

struct AttemptCase {
    const char* name;
    domain::Outcome outcome;
    domain::DispatchState state;
    Loudness loudness;
};

constexpr AttemptCase kAttemptCases[] = {
    {"sent", domain::Outcome::accepted, domain::DispatchState::sent, Loudness::info},
    {"will be tried again", domain::Outcome::unknown, domain::DispatchState::pending, Loudness::warn
    },
    {"wait as told", domain::Outcome::throttled, domain::DispatchState::pending, Loudness::warn},
    {"a no that stays a no", domain::Outcome::refused, domain::DispatchState::failed, Loudness::warn
    },
    {"no longer wanted",
     domain::Outcome::not_sent,
     domain::DispatchState::superseded,
     Loudness::info},
    {"closed meanwhile", domain::Outcome::not_sent, domain::DispatchState::cancelled, Loudness::info
    },
    {"given up", domain::Outcome::not_sent, domain::DispatchState::dead, Loudness::error},
    {"our own key",
     domain::Outcome::unauthenticated,
     domain::DispatchState::pending,
     Loudness::error},
};

TEST(Loudness, FollowsWhatBecameOfAnAttempt) {
    for (const auto& c : kAttemptCases) {
        SCOPED_TRACE(c.name);
        auto entry = test::sent_dispatch();
        entry.answer.outcome = c.outcome;
        entry.state = c.state;
        EXPECT_EQ(loudness_of(entry), c.loudness);
    }
}

TEST(Loudness, KeepsWebhooksThatWentWellOutOfTheStory) {
    const std::pair<int, Loudness> cases[] = {
        {202, Loudness::debug}, {200, Loudness::debug}, {401, Loudness::info}, {503, Loudness::warn}
    };
    for (const auto& [status, loudness] : cases) {
        auto entry = test::accepted_webhook();
        entry.status = status;
        EXPECT_EQ(loudness_of(entry), loudness) << status;
    }
}

TEST(Loudness, AsksForAPersonOnlyWhenTroubleStays) {
    EXPECT_EQ(
        loudness_of(ports::Trouble{.healed = true, .where = "x", .detail = ""}), Loudness::warn
    );
    EXPECT_EQ(
        loudness_of(ports::Trouble{.healed = false, .where = "x", .detail = ""}), Loudness::error
    );
}

} // namespace

} // namespace baton::obs
