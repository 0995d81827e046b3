#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/notification.hpp"
#include "baton/ports/levels.hpp"

#include <optional>
#include <string>
#include <vector>

namespace baton::relay {

/// Whom one evaluation concerns: a message for each who was lowered, came back or is proposed to be
/// listed otherwise, and one for all together who are only watched; private ones have their own.
/// Who was watched within the last seven days is not told of again: it comes and goes.
class LadderNotes {
public:
    LadderNotes(RepoName upstream, TimePoint now, Millis day_length);

    /// `before`: where it stood until now.
    void
    add(const domain::Downstream& listed,
        const std::optional<domain::LadderStanding>& before,
        const ports::LadderOutcome& outcome);

    std::vector<domain::Notification> take() &&;

private:
    void watch(const domain::Downstream& listed, const domain::LadderTransition& transition);

    RepoName upstream_;
    TimePoint now_;
    Millis day_length_;
    std::vector<domain::Notification> notifications_;
    domain::Notification watched_;
    std::string entries_; // of its evidence
};

} // namespace baton::relay
