#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <ostream>
#include <tuple>
#include <vector>

#include "contract/store_kinds.hpp"
#include "contract/store_player.hpp"

namespace baton::test {

static void showValue(const Step& step, std::ostream& out) {
    out << "{verb " << step.verb << ", +" << step.seconds << " s, draw " << step.draw << "}";
}

} // namespace baton::test

template <> struct rc::Arbitrary<baton::test::Step> {
    static Gen<baton::test::Step> arbitrary() {
        return gen::build<baton::test::Step>(
            gen::set(&baton::test::Step::verb, gen::inRange(0, baton::test::kVerbs)),
            gen::set(
                &baton::test::Step::seconds,
                gen::weightedOneOf<int>({{30, gen::inRange(0, 12)}, {1, gen::inRange(0, 40'000)}})
            ),
            gen::set(&baton::test::Step::draw, gen::arbitrary<std::uint64_t>())
        );
    }
};

namespace baton::test {

TEST(StoreModel, AnswersAlikeFromMemoryAndFromSqlite) {
    const auto agree = rc::check("memory and SQLite give the same answers", [] {
        const auto some_steps = rc::gen::resize(100, rc::gen::arbitrary<std::vector<Step>>());
        const auto parts = *rc::gen::tuple(some_steps, some_steps, some_steps);
        std::vector<Step> steps = std::get<0>(parts);
        steps.insert(steps.end(), std::get<1>(parts).begin(), std::get<1>(parts).end());
        steps.insert(steps.end(), std::get<2>(parts).begin(), std::get<2>(parts).end());
        auto memory = open_memory_store();
        auto sqlite = open_sqlite_store();
        Player expected(*memory.store);
        Player found(*sqlite.store);
        for (const auto& step : steps) {
            RC_ASSERT(found.play(step) == expected.play(step));
        }
        RC_ASSERT(found.picture() == expected.picture());
    });
    EXPECT_TRUE(agree);
}

} // namespace baton::test
