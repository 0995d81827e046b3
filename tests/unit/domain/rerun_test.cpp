#include "baton/domain/check.hpp"
#include "baton/domain/rerun.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace baton::domain {

TEST(Rerun, EveryWordIsReadAsItIsWritten) {
    for (const auto scope : {RerunScope::failed, RerunScope::all}) {
        EXPECT_EQ(rerun_scope_named(name_of(scope)), scope);
    }
    for (const auto cause : {RerunCause::person, RerunCause::infrastructure}) {
        EXPECT_EQ(rerun_cause_named(name_of(cause)), cause);
    }
    for (const auto state :
         {RerunState::waiting, RerunState::asked, RerunState::dispatched, RerunState::refused}) {
        EXPECT_EQ(rerun_state_named(name_of(state)), state);
    }
}

TEST(Rerun, NoOtherWordIsOne) {
    EXPECT_EQ(rerun_scope_named("some"), std::nullopt);
    EXPECT_EQ(rerun_cause_named(""), std::nullopt);
    EXPECT_EQ(rerun_state_named("Waiting"), std::nullopt);
}

} // namespace baton::domain
