#include "baton/store/sql/sql_operators.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sql/asking.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/operators.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace baton::store::sql {

SqlOperators::Awaitable<std::vector<ports::RefusalGroup>>
SqlOperators::refusals(ports::RefusalQuery query) {
    return ask<std::vector<ports::RefusalGroup>>(
        readers_,
        [query = std::move(query)](Connection& db) { return operators::refusals(db, query); }
    );
}

SqlOperators::Awaitable<std::vector<ports::RefusalTotal>>
SqlOperators::refusal_totals(TimePoint from) {
    return ask<std::vector<ports::RefusalTotal>>(readers_, [from](Connection& db) {
        return operators::refusal_totals(db, from);
    });
}

SqlOperators::Awaitable<ports::GivenUpPage> SqlOperators::given_up(ports::GivenUpQuery query) {
    return ask<ports::GivenUpPage>(readers_, [query = std::move(query)](Connection& db) {
        return operators::given_up(db, query);
    });
}

SqlOperators::Awaitable<ports::LetterViewPage>
SqlOperators::dead_letters(ports::LetterViewQuery query) {
    return ask<ports::LetterViewPage>(readers_, [query = std::move(query)](Connection& db) {
        return operators::dead_letters(db, query);
    });
}

SqlOperators::Awaitable<std::map<std::int64_t, std::vector<ports::DispatchStanding>>>
SqlOperators::standings(std::vector<std::int64_t> deliveries) {
    return ask<std::map<std::int64_t, std::vector<ports::DispatchStanding>>>(
        readers_,
        [deliveries = std::move(deliveries)](Connection& db) {
            return operators::standings(db, deliveries);
        }
    );
}

SqlOperators::Awaitable<std::vector<ports::DownstreamEvent>>
SqlOperators::downstream_events(RepoName downstream, std::size_t limit) {
    return ask<std::vector<ports::DownstreamEvent>>(
        readers_,
        [downstream = std::move(downstream), limit](Connection& db) {
            return operators::downstream_events(db, downstream, limit);
        }
    );
}

SqlOperators::Awaitable<std::vector<ports::AllowlistVersion>>
SqlOperators::allowlist_versions(RepoName upstream, std::size_t limit) {
    return ask<std::vector<ports::AllowlistVersion>>(
        readers_,
        [upstream = std::move(upstream), limit](Connection& db) {
            return operators::allowlist_versions(db, upstream, limit);
        }
    );
}

SqlOperators::Awaitable<ports::StoreState>
SqlOperators::state(std::vector<std::string> sinks, TimePoint now) {
    return ask<ports::StoreState>(readers_, [sinks = std::move(sinks), now](Connection& db) {
        return operators::state(db, sinks, now);
    });
}

SqlOperators::Awaitable<std::vector<ports::Note>> SqlOperators::notes(ports::NoteQuery query) {
    return ask<std::vector<ports::Note>>(readers_, [query = std::move(query)](Connection& db) {
        return operators::notes(db, query);
    });
}

SqlOperators::Awaitable<std::vector<ports::Acknowledgement>>
SqlOperators::acknowledgements(TimePoint now) {
    return ask<std::vector<ports::Acknowledgement>>(readers_, [now](Connection& db) {
        return operators::acknowledgements(db, now);
    });
}

SqlOperators::Awaitable<std::vector<ports::LedgerLine>> SqlOperators::acts(ports::ActQuery query) {
    return ask<std::vector<ports::LedgerLine>>(
        readers_, [query = std::move(query)](Connection& db) { return operators::acts(db, query); }
    );
}

SqlOperators::Awaitable<void> SqlOperators::keep_refusals(std::vector<ports::Refusal> refusals) {
    return ask<void>(writer_, [refusals = std::move(refusals)](Connection& db) {
        return operators::keep_refusals(db, refusals);
    });
}

SqlOperators::Awaitable<ports::Note> SqlOperators::annotate(ports::Note note, ports::ActedBy by) {
    return ask<ports::Note>(writer_, [note = std::move(note), by = std::move(by)](Connection& db) {
        return operators::annotate(db, note, by);
    });
}

SqlOperators::Awaitable<ports::Note> SqlOperators::remove_note(std::int64_t id, ports::ActedBy by) {
    return ask<ports::Note>(writer_, [id, by = std::move(by)](Connection& db) {
        return operators::remove_note(db, id, by);
    });
}

SqlOperators::Awaitable<void>
SqlOperators::acknowledge(ports::Acknowledgement acknowledgement, ports::ActedBy by) {
    return ask<void>(
        writer_,
        [acknowledgement = std::move(acknowledgement), by = std::move(by)](Connection& db) {
            return operators::acknowledge(db, acknowledgement, by);
        }
    );
}

SqlOperators::Awaitable<bool>
SqlOperators::lift_acknowledgement(std::string key, ports::ActedBy by) {
    return ask<bool>(writer_, [key = std::move(key), by = std::move(by)](Connection& db) {
        return operators::lift_acknowledgement(db, key, by);
    });
}

SqlOperators::Awaitable<bool> SqlOperators::order_rerun(domain::NewRerun order, ports::ActedBy by) {
    return ask<bool>(writer_, [order = std::move(order), by = std::move(by)](Connection& db) {
        return operators::order_rerun(db, order, by);
    });
}

SqlOperators::Awaitable<void>
SqlOperators::suspend(domain::Suspension suspension, ports::ActedBy by) {
    return ask<void>(
        writer_,
        [suspension = std::move(suspension), by = std::move(by)](Connection& db) {
            return operators::suspend(db, suspension, by);
        }
    );
}

SqlOperators::Awaitable<std::size_t>
SqlOperators::resume(ports::Resumption resumption, ports::ActedBy by) {
    return ask<std::size_t>(
        writer_,
        [resumption = std::move(resumption), by = std::move(by)](Connection& db) {
            return operators::resume(db, resumption, by);
        }
    );
}

SqlOperators::Awaitable<std::size_t>
SqlOperators::redeliver(ports::RedeliverQuery query, ports::ActedBy by) {
    return ask<std::size_t>(
        writer_,
        [query = std::move(query), by = std::move(by)](Connection& db) {
            return operators::redeliver(db, query, by);
        }
    );
}

} // namespace baton::store::sql
