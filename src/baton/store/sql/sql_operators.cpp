#include "baton/store/sql/sql_operators.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job.hpp"
#include "baton/store/sql/operators.hpp"
#include "baton/store/sql/sql_inside.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace baton::store::sql {

template <class T, class Verb> SqlOperators::Awaitable<T> SqlOperators::write(Verb verb) {
    auto work = [verb = std::move(verb)](Connection& db) { return answer_of<T>(verb, db); };
    return writer_.submit<T>(Undo::alone, std::move(work));
}

template <class T, class Verb> SqlOperators::Awaitable<T> SqlOperators::read(Verb verb) {
    auto work = [verb = std::move(verb)](Connection& db) { return answer_of<T>(verb, db); };
    return readers_.submit<T>(std::move(work));
}

SqlOperators::Awaitable<std::vector<ports::RefusalGroup>>
SqlOperators::refusals(ports::RefusalQuery query) {
    return read<std::vector<ports::RefusalGroup>>([query = std::move(query)](Connection& db) {
        return operators::refusals(db, query);
    });
}

SqlOperators::Awaitable<std::vector<ports::RefusalTotal>>
SqlOperators::refusal_totals(TimePoint from) {
    return read<std::vector<ports::RefusalTotal>>([from](Connection& db) {
        return operators::refusal_totals(db, from);
    });
}

SqlOperators::Awaitable<ports::GivenUpPage> SqlOperators::given_up(ports::GivenUpQuery query) {
    return read<ports::GivenUpPage>([query = std::move(query)](Connection& db) {
        return operators::given_up(db, query);
    });
}

SqlOperators::Awaitable<ports::LetterViewPage>
SqlOperators::dead_letters(ports::LetterViewQuery query) {
    return read<ports::LetterViewPage>([query = std::move(query)](Connection& db) {
        return operators::dead_letters(db, query);
    });
}

SqlOperators::Awaitable<std::map<std::int64_t, std::vector<ports::DispatchStanding>>>
SqlOperators::standings(std::vector<std::int64_t> deliveries) {
    return read<std::map<std::int64_t, std::vector<ports::DispatchStanding>>>(
        [deliveries = std::move(deliveries)](Connection& db) {
            return operators::standings(db, deliveries);
        }
    );
}

SqlOperators::Awaitable<std::vector<ports::DownstreamEvent>>
SqlOperators::downstream_events(RepoName downstream, std::size_t limit) {
    return read<std::vector<ports::DownstreamEvent>>([downstream = std::move(downstream),
                                                      limit](Connection& db) {
        return operators::downstream_events(db, downstream, limit);
    });
}

SqlOperators::Awaitable<std::vector<ports::AllowlistVersion>>
SqlOperators::allowlist_versions(RepoName upstream, std::size_t limit) {
    return read<std::vector<ports::AllowlistVersion>>([upstream = std::move(upstream),
                                                       limit](Connection& db) {
        return operators::allowlist_versions(db, upstream, limit);
    });
}

SqlOperators::Awaitable<ports::StoreState>
SqlOperators::state(std::vector<std::string> sinks, TimePoint now) {
    return read<ports::StoreState>([sinks = std::move(sinks), now](Connection& db) {
        return operators::state(db, sinks, now);
    });
}

SqlOperators::Awaitable<std::vector<ports::Note>> SqlOperators::notes(ports::NoteQuery query) {
    return read<std::vector<ports::Note>>([query = std::move(query)](Connection& db) {
        return operators::notes(db, query);
    });
}

SqlOperators::Awaitable<std::vector<ports::Acknowledgement>>
SqlOperators::acknowledgements(TimePoint now) {
    return read<std::vector<ports::Acknowledgement>>([now](Connection& db) {
        return operators::acknowledgements(db, now);
    });
}

SqlOperators::Awaitable<std::vector<ports::LedgerLine>> SqlOperators::acts(ports::ActQuery query) {
    return read<std::vector<ports::LedgerLine>>([query = std::move(query)](Connection& db) {
        return operators::acts(db, query);
    });
}

SqlOperators::Awaitable<void> SqlOperators::keep_refusals(std::vector<ports::Refusal> refusals) {
    return write<void>([refusals = std::move(refusals)](Connection& db) {
        return operators::keep_refusals(db, refusals);
    });
}

SqlOperators::Awaitable<ports::Note> SqlOperators::annotate(ports::Note note, ports::ActedBy by) {
    return write<ports::Note>([note = std::move(note), by = std::move(by)](Connection& db) {
        return operators::annotate(db, note, by);
    });
}

SqlOperators::Awaitable<ports::Note> SqlOperators::remove_note(std::int64_t id, ports::ActedBy by) {
    return write<ports::Note>([id, by = std::move(by)](Connection& db) {
        return operators::remove_note(db, id, by);
    });
}

SqlOperators::Awaitable<void>
SqlOperators::acknowledge(ports::Acknowledgement acknowledgement, ports::ActedBy by) {
    return write<void>([acknowledgement = std::move(acknowledgement),
                        by = std::move(by)](Connection& db) {
        return operators::acknowledge(db, acknowledgement, by);
    });
}

SqlOperators::Awaitable<bool>
SqlOperators::lift_acknowledgement(std::string key, ports::ActedBy by) {
    return write<bool>([key = std::move(key), by = std::move(by)](Connection& db) {
        return operators::lift_acknowledgement(db, key, by);
    });
}

SqlOperators::Awaitable<bool> SqlOperators::order_rerun(domain::NewRerun order, ports::ActedBy by) {
    return write<bool>([order = std::move(order), by = std::move(by)](Connection& db) {
        return operators::order_rerun(db, order, by);
    });
}

SqlOperators::Awaitable<void>
SqlOperators::suspend(domain::Suspension suspension, ports::ActedBy by) {
    return write<void>([suspension = std::move(suspension), by = std::move(by)](Connection& db) {
        return operators::suspend(db, suspension, by);
    });
}

SqlOperators::Awaitable<std::size_t>
SqlOperators::resume(ports::Resumption resumption, ports::ActedBy by) {
    return write<std::size_t>([resumption = std::move(resumption),
                               by = std::move(by)](Connection& db) {
        return operators::resume(db, resumption, by);
    });
}

SqlOperators::Awaitable<std::size_t>
SqlOperators::redeliver(ports::RedeliverQuery query, ports::ActedBy by) {
    return write<std::size_t>([query = std::move(query), by = std::move(by)](Connection& db) {
        return operators::redeliver(db, query, by);
    });
}

} // namespace baton::store::sql
