#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/profile.hpp"
#include "baton/wire/ladder_json.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "unit/domain/ladder_story.hpp"

namespace baton::wire {

namespace {

using namespace domain::ladder_story;

TEST(LadderJson, HasItsKeysInOneOrder) {
    const domain::LadderFacts facts{
        .listed = domain::Level::l3,
        .history = history({day(0, 0, 20)}),
    };
    auto profile = rules();
    profile.watch.clear();
    profile.demotion.clear();
    profile.to_l4.clear();
    profile.restore.clear();
    profile.at_once.pop_back();
    const auto verdict = judge_level(facts, profile, kMonday + kDay, "");
    EXPECT_EQ(
        verdict_json(verdict),
        R"({"as_of":"2026-09-08T00:00:00.000Z","standing":{"listed":"L3","effective":"L2",)"
        R"("state":"temporary","since":"2026-09-08T00:00:00.000Z",)"
        R"("as_of":"2026-09-08T00:00:00.000Z","violated":1,"clean":0,"ready":-1,)"
        R"("temporaries":["2026-09-08T00:00:00.000Z"],"raised_at":null,)"
        R"("lowered_at":"2026-09-08T00:00:00.000Z","proposal":null},"violated":true,)"
        R"("insufficient":false,"ready_for":null,"earliest":null,"forecast":"","demotion":[)"
        R"({"id":"once.pass","figure":"pass_adj","unit":"share","window":7,"comparison":">=",)"
        R"("target":0.5,"least":20,"bound":"none","text":"","value":0,"n":20,"lower":0,)"
        R"("upper":0.11917)" // as far as the bound is round
            + verdict_json(verdict).substr(verdict_json(verdict).find("0.11917") + 7)
    );
    EXPECT_NE(
        verdict_json(verdict).find(R"("met":"missed","advice":"20 more good ones in a row")"),
        std::string::npos
    );
}

TEST(LadderJson, ReadsWhatItWrote) {
    for (const auto listed : {domain::Level::l2, domain::Level::l3, domain::Level::l4}) {
        domain::LadderFacts facts{.listed = listed, .history = history({})};
        for (int now = 1; now < 30; ++now) {
            facts.history.days.push_back(now % 9 < 3 ? day(now - 1, 3, 17) : day(now - 1, 60, 1));
            const auto verdict = judge_level(facts, rules(), kMonday + now * kDay, "");
            const auto read = read_verdict(verdict_json(verdict));
            ASSERT_TRUE(read) << read.error().detail;
            EXPECT_EQ(*read, verdict);
            const auto figures = read_figures(figures_json(verdict.demotion));
            ASSERT_TRUE(figures) << figures.error().detail;
            EXPECT_EQ(*figures, verdict.demotion);
            facts.standing = verdict.standing;
        }
    }
}

TEST(LadderJson, SaysWhatIsWrong) {
    EXPECT_EQ(read_verdict("[]").error().detail, "Body is not a JSON object");
    EXPECT_EQ(read_verdict("{}").error().detail, "/standing: expected an object");
    EXPECT_EQ(read_figures(R"({"criteria":7})").error().detail, "/criteria: expected a list");
    EXPECT_EQ(read_figures(R"({"criteria":[7]})").error().detail, "expected an object");
    EXPECT_EQ(
        read_figures(R"({"criteria":[{"id":"a","figure":"what"}]})").error().detail,
        "/figure: expected a known word"
    );
}

} // namespace

} // namespace baton::wire
