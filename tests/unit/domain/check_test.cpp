#include "baton/domain/check.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace baton::domain {

TEST(Check, EveryStatusIsReadAsItIsWritten) {
    for (const auto status :
         {CheckStatus::queued, CheckStatus::in_progress, CheckStatus::completed}) {
        EXPECT_EQ(check_status_named(name_of(status)), status);
    }
    EXPECT_EQ(check_status_named("stale"), std::nullopt);
}

} // namespace baton::domain
