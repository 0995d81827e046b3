#include "baton/sim/faults.hpp"

#include <gtest/gtest.h>

#include <string>

#include "unit/sim/support.hpp"

namespace baton::sim {
namespace {

using testing::repo;
using Ending = Fault::Ending;

TEST(Faults, AnswersPlainlyWithoutRules) {
    Faults faults(1);
    const auto fault = faults.decide("dispatches", repo("down/one"));
    EXPECT_EQ(fault.ending, Ending::answer);
    EXPECT_TRUE(fault.perform);
    EXPECT_EQ(fault.delay, Millis{0});
}

TEST(Faults, MeetsOnlyItsRouteAndRepository) {
    Faults faults(1);
    faults.add({.route = "dispatches", .repo = repo("down/one"), .fault = Fault::server_error(502)}
    );
    EXPECT_EQ(faults.decide("contents", repo("down/one")).ending, Ending::answer);
    EXPECT_EQ(faults.decide("dispatches", repo("down/two")).ending, Ending::answer);
    EXPECT_EQ(faults.decide("dispatches", std::nullopt).ending, Ending::answer);
    EXPECT_EQ(faults.decide("dispatches", repo("Down/ONE")).status, 502);
}

TEST(Faults, EndsAfterTheNextSoMany) {
    Faults faults(1);
    faults.add({.fault = Fault::server_error(500), .times = 2});
    EXPECT_EQ(faults.decide("app", std::nullopt).status, 500);
    EXPECT_EQ(faults.decide("app", std::nullopt).status, 500);
    EXPECT_EQ(faults.decide("app", std::nullopt).ending, Ending::answer);
}

TEST(Faults, LetsTheFirstRuleThatFiresDecide) {
    Faults faults(1);
    const auto first = faults.add({.fault = Fault::server_error(500), .times = 1});
    faults.add({.fault = Fault::slow(Millis{70})});
    EXPECT_EQ(faults.decide("app", std::nullopt).status, 500);
    EXPECT_EQ(faults.decide("app", std::nullopt).delay, Millis{70});
    EXPECT_TRUE(faults.remove(first));
    EXPECT_FALSE(faults.remove(first));
    faults.clear();
    EXPECT_EQ(faults.decide("app", std::nullopt).delay, Millis{0});
}

std::string pattern(std::uint64_t seed, double probability) {
    Faults faults(seed);
    faults.add({.fault = Fault::lost_reply(), .probability = probability});
    std::string out;
    for (int i = 0; i < 1000; ++i) {
        out += faults.decide("app", std::nullopt).ending == Ending::reset ? 'x' : '.';
    }
    return out;
}

TEST(Faults, DrawFromTheSeed) {
    EXPECT_EQ(pattern(3, 0.2), pattern(3, 0.2));
    EXPECT_NE(pattern(3, 0.2), pattern(4, 0.2));
    EXPECT_NEAR(static_cast<double>(std::ranges::count(pattern(3, 0.2), 'x')), 200.0, 50.0);
    EXPECT_EQ(pattern(3, 0.0).find('x'), std::string::npos);
    EXPECT_EQ(pattern(3, 1.0).find('.'), std::string::npos);
}

TEST(Faults, SayWhetherTheEffectHappens) {
    EXPECT_FALSE(Fault::server_error(502).perform);
    EXPECT_TRUE(Fault::lost_behind(502).perform);
    EXPECT_TRUE(Fault::lost_reply().perform);
    EXPECT_FALSE(Fault::secondary_limit(std::chrono::seconds{60}).perform);
}

} // namespace
} // namespace baton::sim
