#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/ladder_day.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

/// What tells one counting of a day from another.
namespace baton::relay {

/// The rows behind the days of everybody, as text: each outcome with its attempts, what it was
/// taken for and why. Equal rows are equal bytes, whatever their order.
class DayRows {
public:
    DayRows(
        const domain::LadderEvidence& evidence,
        const std::vector<domain::JudgedOutcome>& outcomes,
        Millis day_length
    );

    /// SHA-256, in hex, of its rows and of what no row tells: reports, merges and answers.
    std::string digest_of(const RepoName& downstream, const domain::LadderDay& day) const;

private:
    std::map<std::pair<RepoName, TimePoint>, std::vector<std::string>> rows_;
};

/// Of all days of a history together.
std::string digest_of(const std::vector<domain::LadderDay>& days);

} // namespace baton::relay
