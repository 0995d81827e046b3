#pragma once

#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/profile.hpp"

#include <string>
#include <vector>

/// What one evaluation weighs, before anything moves.
namespace baton::domain {

struct LadderWeights {
    std::vector<CriterionVerdict> watch;
    std::vector<CriterionVerdict> demotion;
    std::vector<CriterionVerdict> at_once;
    std::vector<CriterionVerdict> restore;
    std::vector<CriterionVerdict> next;

    bool violated() const;
    bool troubled() const;      // violated, or only watched
    bool tells_nothing() const; // not troubled, and whether runs pass is not known
    std::vector<CriterionVerdict> lowering() const; // at once and demotion
    std::vector<CriterionVerdict> against() const;  // those, and what is only watched
};

LadderWeights weights_of(const LadderFacts& facts, const Profile& profile, TimePoint as_of);
/// Few samples, and what they tell would bring it back.
bool is_clean_with_few(const LadderFacts& facts, const Profile& profile, TimePoint as_of);
/// What may lower it: a return forgives what was before.
LadderHistory since_raised(const LadderFacts& facts);
const std::vector<Criterion>& criteria_above(Level level, const Profile& profile);

bool any_is(const std::vector<CriterionVerdict>& verdicts, Met met);
bool all_are(const std::vector<CriterionVerdict>& verdicts, Met met);
void append(std::vector<CriterionVerdict>& to, const std::vector<CriterionVerdict>& more);

std::vector<std::string> ids_of(const std::vector<CriterionVerdict>& verdicts);
std::vector<CriterionVerdict> missed_of(const std::vector<CriterionVerdict>& verdicts);
/// "pass_adj 84.1 % of 132 in 7 days, asked >= 90.0 %; ..."
std::string missed_text(const std::vector<CriterionVerdict>& verdicts);

} // namespace baton::domain
