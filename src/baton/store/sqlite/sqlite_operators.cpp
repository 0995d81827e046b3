#include "baton/store/sqlite/sqlite_operators.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sqlite/connection.hpp"
#include "baton/store/sqlite/job.hpp"
#include "baton/store/sqlite/operators.hpp"
#include "baton/store/sqlite/sqlite_inside.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace baton::store::sqlite {

template <class T, class Verb> SqliteOperators::Awaitable<T> SqliteOperators::write(Verb verb) {
    auto work = [verb = std::move(verb)](Connection& db) { return answer_of<T>(verb, db); };
    return writer_.submit<T>(Undo::alone, std::move(work));
}

template <class T, class Verb> SqliteOperators::Awaitable<T> SqliteOperators::read(Verb verb) {
    auto work = [verb = std::move(verb)](Connection& db) { return answer_of<T>(verb, db); };
    return readers_.submit<T>(std::move(work));
}

SqliteOperators::Awaitable<std::vector<ports::RefusalGroup>>
SqliteOperators::refusals(ports::RefusalQuery query) {
    return read<std::vector<ports::RefusalGroup>>([query = std::move(query)](Connection& db) {
        return operators::refusals(db, query);
    });
}

SqliteOperators::Awaitable<std::vector<ports::RefusalTotal>>
SqliteOperators::refusal_totals(TimePoint from) {
    return read<std::vector<ports::RefusalTotal>>([from](Connection& db) {
        return operators::refusal_totals(db, from);
    });
}

SqliteOperators::Awaitable<ports::GivenUpPage> SqliteOperators::given_up(ports::GivenUpQuery query
) {
    return read<ports::GivenUpPage>([query = std::move(query)](Connection& db) {
        return operators::given_up(db, query);
    });
}

SqliteOperators::Awaitable<ports::LetterViewPage>
SqliteOperators::dead_letters(ports::LetterViewQuery query) {
    return read<ports::LetterViewPage>([query = std::move(query)](Connection& db) {
        return operators::dead_letters(db, query);
    });
}

SqliteOperators::Awaitable<std::map<std::int64_t, std::vector<ports::DispatchStanding>>>
SqliteOperators::standings(std::vector<std::int64_t> deliveries) {
    return read<std::map<std::int64_t, std::vector<ports::DispatchStanding>>>(
        [deliveries = std::move(deliveries)](Connection& db) {
            return operators::standings(db, deliveries);
        }
    );
}

SqliteOperators::Awaitable<std::vector<ports::DownstreamEvent>>
SqliteOperators::downstream_events(RepoName downstream, std::size_t limit) {
    return read<std::vector<ports::DownstreamEvent>>([downstream = std::move(downstream),
                                                      limit](Connection& db) {
        return operators::downstream_events(db, downstream, limit);
    });
}

SqliteOperators::Awaitable<std::vector<ports::AllowlistVersion>>
SqliteOperators::allowlist_versions(RepoName upstream, std::size_t limit) {
    return read<std::vector<ports::AllowlistVersion>>([upstream = std::move(upstream),
                                                       limit](Connection& db) {
        return operators::allowlist_versions(db, upstream, limit);
    });
}

SqliteOperators::Awaitable<ports::StoreState>
SqliteOperators::state(std::vector<std::string> sinks, TimePoint now) {
    return read<ports::StoreState>([sinks = std::move(sinks), now](Connection& db) {
        return operators::state(db, sinks, now);
    });
}

SqliteOperators::Awaitable<std::vector<ports::Note>> SqliteOperators::notes(ports::NoteQuery query
) {
    return read<std::vector<ports::Note>>([query = std::move(query)](Connection& db) {
        return operators::notes(db, query);
    });
}

SqliteOperators::Awaitable<std::vector<ports::Acknowledgement>>
SqliteOperators::acknowledgements(TimePoint now) {
    return read<std::vector<ports::Acknowledgement>>([now](Connection& db) {
        return operators::acknowledgements(db, now);
    });
}

SqliteOperators::Awaitable<std::vector<ports::LedgerLine>>
SqliteOperators::acts(ports::ActQuery query) {
    return read<std::vector<ports::LedgerLine>>([query = std::move(query)](Connection& db) {
        return operators::acts(db, query);
    });
}

SqliteOperators::Awaitable<void> SqliteOperators::keep_refusals(std::vector<ports::Refusal> refusals
) {
    return write<void>([refusals = std::move(refusals)](Connection& db) {
        return operators::keep_refusals(db, refusals);
    });
}

SqliteOperators::Awaitable<ports::Note>
SqliteOperators::annotate(ports::Note note, ports::ActedBy by) {
    return write<ports::Note>([note = std::move(note), by = std::move(by)](Connection& db) {
        return operators::annotate(db, note, by);
    });
}

SqliteOperators::Awaitable<ports::Note>
SqliteOperators::remove_note(std::int64_t id, ports::ActedBy by) {
    return write<ports::Note>([id, by = std::move(by)](Connection& db) {
        return operators::remove_note(db, id, by);
    });
}

SqliteOperators::Awaitable<void>
SqliteOperators::acknowledge(ports::Acknowledgement acknowledgement, ports::ActedBy by) {
    return write<void>([acknowledgement = std::move(acknowledgement),
                        by = std::move(by)](Connection& db) {
        return operators::acknowledge(db, acknowledgement, by);
    });
}

SqliteOperators::Awaitable<bool>
SqliteOperators::lift_acknowledgement(std::string key, ports::ActedBy by) {
    return write<bool>([key = std::move(key), by = std::move(by)](Connection& db) {
        return operators::lift_acknowledgement(db, key, by);
    });
}

SqliteOperators::Awaitable<bool>
SqliteOperators::order_rerun(domain::NewRerun order, ports::ActedBy by) {
    return write<bool>([order = std::move(order), by = std::move(by)](Connection& db) {
        return operators::order_rerun(db, order, by);
    });
}

SqliteOperators::Awaitable<void>
SqliteOperators::suspend(domain::Suspension suspension, ports::ActedBy by) {
    return write<void>([suspension = std::move(suspension), by = std::move(by)](Connection& db) {
        return operators::suspend(db, suspension, by);
    });
}

SqliteOperators::Awaitable<std::size_t>
SqliteOperators::resume(ports::Resumption resumption, ports::ActedBy by) {
    return write<std::size_t>([resumption = std::move(resumption),
                               by = std::move(by)](Connection& db) {
        return operators::resume(db, resumption, by);
    });
}

SqliteOperators::Awaitable<std::size_t>
SqliteOperators::redeliver(ports::RedeliverQuery query, ports::ActedBy by) {
    return write<std::size_t>([query = std::move(query), by = std::move(by)](Connection& db) {
        return operators::redeliver(db, query, by);
    });
}

} // namespace baton::store::sqlite
