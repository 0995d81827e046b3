#pragma once

#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/profile.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "unit/domain/ladder_story.hpp"

/// A downstream and its days, good and bad, for tests of what moves it.
namespace baton::domain::ladder_story {

/// A downstream that lives through days, one evaluation after each.
class Life {
public:
    explicit Life(Level listed, Profile profile = rules())
        : profile_(std::move(profile)) {
        facts_.listed = listed;
        facts_.history = history({});
    }

    LadderVerdict live(const std::function<LadderDay(int)>& day_of, int days = 1) {
        LadderVerdict verdict;
        for (int i = 0; i < days; ++i) {
            facts_.history.days.push_back(day_of(now_));
            ++now_;
            verdict = judge_level(facts_, profile_, kMonday + now_ * kDay, frozen_);
            for (const auto& moved : verdict.transitions) {
                moves_.push_back(std::to_string(now_) + " " + std::string(name_of(moved.move)));
            }
            facts_.standing = verdict.standing;
        }
        return verdict;
    }

    /// "7 watched": the day and the move, of all until now.
    const std::vector<std::string>& moves() const { return moves_; }

    LadderFacts& facts() { return facts_; }

    Profile& profile() { return profile_; }

    void freeze(std::string why) { frozen_ = std::move(why); }

private:
    Profile profile_;
    LadderFacts facts_;
    int now_{0};
    std::string frozen_;
    std::vector<std::string> moves_;
};

inline LadderDay good(int number) {
    return day(number, 20, 0);
}

inline LadderDay bad(int number) {
    return day(number, 0, 20);
}

inline LadderDay doubtful(int number) { // 80 %: violated, and no reason to hurry
    return day(number, 16, 4);
}

inline LadderDay middling(int number) { // 93 %: watched only
    return day(number, 93, 7);
}

inline LadderDay few(int number) {
    return day(number, 1, 1);
}

inline LadderDay mute(int number) {
    return silent_day(number, 20);
}

inline LadderDay nothing(int number) {
    return day(number, 0, 0);
}

using Moves = std::vector<std::string>;

} // namespace baton::domain::ladder_story
