#include "baton/base/ids.hpp"
#include "baton/store/sql/recent_ids.hpp"

#include <gtest/gtest.h>

#include <string>

namespace baton::store::sql {
namespace {

TEST(RecentIds, RemembersAtLeastAHalfAndForgetsWhatIsOlderThanTwo) {
    RecentIds recent(10);
    for (int i = 0; i < 100; ++i) {
        recent.add(DeliveryId("d" + std::to_string(i)));
        for (int newer = i; newer >= 0 && newer > i - 10; --newer) {
            EXPECT_TRUE(recent.contains(DeliveryId("d" + std::to_string(newer)))) << i;
        }
        if (i >= 20) {
            EXPECT_FALSE(recent.contains(DeliveryId("d" + std::to_string(i - 20)))) << i;
        }
    }
}

} // namespace
} // namespace baton::store::sql
