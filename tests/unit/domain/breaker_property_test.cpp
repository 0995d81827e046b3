#include "baton/domain/breaker.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "unit/domain/breaker_story.hpp"

namespace baton::domain {

namespace {

using namespace breaker_story;
using enum What;
using Move = BreakerVerdict::Move;

constexpr int kWhats = static_cast<int>(untold);

rc::Gen<SeenRun> run_from(bool strangers) {
    return rc::gen::exec([strangers] {
        const auto what = static_cast<What>(*rc::gen::inRange(1, kWhats + 1));
        const auto ago = std::chrono::minutes(*rc::gen::inRange(31, 600));
        const auto pr = *rc::gen::inRange(1, 6);
        switch (*rc::gen::inRange(0, 3)) {
        case 0:
            return seen(what, canary(ago));
        case 1:
            return seen(what, base(ago));
        default:
            return seen(
                what, strangers && *rc::gen::arbitrary<bool>() ? stranger(pr, ago) : writer(pr, ago)
            );
        }
    });
}

std::vector<SeenRun> any_history(bool strangers) {
    return *rc::gen::container<std::vector<SeenRun>>(run_from(strangers));
}

void put(std::vector<SeenRun>& recent, SeenRun one) {
    const auto at = *rc::gen::inRange<std::size_t>(0, recent.size() + 1);
    recent.insert(recent.begin() + static_cast<std::ptrdiff_t>(at), std::move(one));
}

RC_GTEST_PROP(BreakerProperty, MoreBadEvidenceNeverLifts, ()) {
    auto recent = any_history(true);
    RC_PRE(judge_breaker(suspended_since(5h, recent), {}, kNow).move == Move::none);
    const auto bad = *rc::gen::element(silent, called, red, timed_out, lost, stuck);
    const auto from = *rc::gen::element(canary(), base(), writer(1), stranger(1));
    put(recent, seen(bad, from));
    RC_ASSERT(judge_breaker(suspended_since(5h, recent), {}, kNow).move == Move::none);
}

RC_GTEST_PROP(BreakerProperty, NobodyWithoutWriteAccessMakesItMoveByHowHisRunsEnd, ()) {
    auto recent = any_history(false);
    const bool is_suspended = *rc::gen::arbitrary<bool>();
    const auto move = [&] {
        const auto facts = is_suspended ? suspended_since(5h, recent) : history(recent);
        return judge_breaker(facts, {}, kNow).move;
    };
    RC_PRE(move() == Move::none);
    const auto runs = *rc::gen::inRange(1, 10);
    for (int i = 0; i < runs; ++i) {
        const auto what = *rc::gen::element(clean, red, timed_out, lost, stuck, stopped, running);
        put(recent, seen(what, stranger(*rc::gen::inRange(1, 6))));
    }
    RC_ASSERT(move() == Move::none);
}

RC_GTEST_PROP(BreakerProperty, SilenceOlderThanTheNewestStartNeverCounts, ()) {
    auto recent = any_history(true);
    auto alive = seen(running, canary());
    alive.run.jobs[0].started_at = kNow;
    put(recent, alive);
    const auto verdict = judge_breaker(history(recent), {}, kNow);
    RC_ASSERT(!verdict.evidence.starts_with(R"({"rule":"silent")"));
}

RC_GTEST_PROP(BreakerProperty, WhatTellsNothingChangesNothing, ()) {
    auto recent = any_history(true);
    const auto before = judge_breaker(history(recent), {}, kNow);
    put(recent, seen(*rc::gen::element(superseded, cancelled, pending, untold), writer(1)));
    RC_ASSERT(judge_breaker(history(recent), {}, kNow) == before);
}

} // namespace

} // namespace baton::domain
