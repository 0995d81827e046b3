#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/ports/levels.hpp"
#include "baton/store/sql/sql_store.hpp"

#include <string>

#include "contract/results_fixture.hpp"
#include "contract/store_fixture.hpp"
#include "contract/views_fixture.hpp"

namespace baton::test {

/// What the ladder reads and keeps.
class LevelsContract : public ViewsContract {
protected:
    ports::Levels& levels() { return static_cast<store::SqlStore&>(store()).levels(); }

    domain::LadderEvidence evidence(TimePoint from, TimePoint until) {
        return must(
            levels().evidence({.upstream = upstream(), .window = {.from = from, .until = until}})
        );
    }

    /// One dispatch to a/one, sent right away.
    domain::Dispatch sent(
        const std::string& delivery,
        TimePoint now,
        const std::string& event_type = "pull_request",
        const std::string& action = "opened"
    ) {
        auto heard = a_delivery(delivery, now);
        heard.action = action;
        must(store().insert_delivery(heard));
        auto dispatch = a_dispatch(delivery, "a/one");
        dispatch.event_type = event_type;
        must(store().commit_plan(a_plan(delivery, {dispatch}, now)));
        return sent_one("a/one", now);
    }
};

} // namespace baton::test
