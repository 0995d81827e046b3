#include "baton/domain/dispatch.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace baton::domain {
namespace {

TEST(DispatchState, NamesGoThereAndBack) {
    for (const auto state : kDispatchStates) {
        EXPECT_EQ(dispatch_state_named(name_of(state)), state);
    }
    EXPECT_EQ(dispatch_state_named("lost"), std::nullopt);
}

TEST(DispatchState, NothingGoesBackToPendingOnceItHasRested) {
    for (const auto state : kDispatchStates) {
        if (is_at_rest(state)) {
            EXPECT_FALSE(may_become(state, DispatchState::pending)) << name_of(state);
        }
    }
}

TEST(DispatchState, WhatWasSentOrThoughtLostCanOnlyStartOrFinish) {
    for (const auto from : {DispatchState::sent, DispatchState::failed, DispatchState::dead}) {
        for (const auto to : kDispatchStates) {
            const bool expected = to == DispatchState::started || to == DispatchState::finished;
            EXPECT_EQ(may_become(from, to), expected) << name_of(from) << " -> " << name_of(to);
        }
    }
}

TEST(DispatchState, WhatIsFinishedMayBeRunAgain) {
    for (const auto to : kDispatchStates) {
        EXPECT_EQ(may_become(DispatchState::finished, to), to == DispatchState::started);
        EXPECT_EQ(may_become(DispatchState::started, to), to == DispatchState::finished);
    }
}

TEST(DispatchState, WhatWasPutAwayStaysThere) {
    for (const auto end : {DispatchState::superseded, DispatchState::cancelled}) {
        for (const auto to : kDispatchStates) {
            EXPECT_FALSE(may_become(end, to)) << name_of(end) << " -> " << name_of(to);
        }
    }
}

} // namespace
} // namespace baton::domain
