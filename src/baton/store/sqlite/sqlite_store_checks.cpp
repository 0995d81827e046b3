// The verbs about checks: looks, postings, re-runs and the gate.

#include "baton/base/time.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sqlite/connection.hpp"
#include "baton/store/sqlite/sqlite_inside.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"
#include "baton/store/sqlite/verbs.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace baton::store {

using namespace sqlite;

SqliteStore::Awaitable<std::vector<ports::Look>>
SqliteStore::looks(TimePoint now, std::size_t limit) {
    return inside_->read<std::vector<ports::Look>>([now, limit](Connection& db) {
        return verbs::looks(db, now, limit);
    });
}

SqliteStore::Awaitable<std::vector<domain::Run>> SqliteStore::runs(ports::RunsQuery query) {
    return inside_->read<std::vector<domain::Run>>([query = std::move(query)](Connection& db) {
        return verbs::runs(db, query);
    });
}

SqliteStore::Awaitable<std::vector<ports::KeptPosting>>
SqliteStore::postings_of(domain::Subject subject) {
    return inside_->read<std::vector<ports::KeptPosting>>(
        [subject = std::move(subject)](Connection& db) { return verbs::postings_of(db, subject); }
    );
}

SqliteStore::Awaitable<std::vector<domain::Rerun>> SqliteStore::reruns_of(domain::Subject subject) {
    return inside_->read<std::vector<domain::Rerun>>([subject = std::move(subject)](Connection& db
                                                     ) { return verbs::reruns_of(db, subject); });
}

SqliteStore::Awaitable<ports::PostingReceipt>
SqliteStore::commit_postings(ports::PostingCommit commit) {
    return inside_->write<ports::PostingReceipt>([commit = std::move(commit)](Connection& db) {
        return verbs::commit_postings(db, commit);
    });
}

SqliteStore::Awaitable<std::vector<ports::TakenPosting>>
SqliteStore::take_postings(ports::PostingQuery query) {
    return inside_->write<std::vector<ports::TakenPosting>>(
        [query = std::move(query)](Connection& db) { return verbs::take_postings(db, query); }
    );
}

SqliteStore::Awaitable<void> SqliteStore::end_posting(ports::PostingEnd end) {
    return inside_->write<void>([end = std::move(end)](Connection& db) {
        return verbs::end_posting(db, end);
    });
}

SqliteStore::Awaitable<std::size_t> SqliteStore::look_again(ports::LookAgain again) {
    return inside_->write<std::size_t>([again = std::move(again)](Connection& db) {
        return verbs::look_again(db, again);
    });
}

SqliteStore::Awaitable<std::vector<ports::TakenRerun>>
SqliteStore::take_reruns(ports::RerunQuery query) {
    return inside_->write<std::vector<ports::TakenRerun>>(
        [query = std::move(query)](Connection& db) { return verbs::take_reruns(db, query); }
    );
}

SqliteStore::Awaitable<void> SqliteStore::end_rerun(ports::RerunEnd end) {
    return inside_->write<void>([end = std::move(end)](Connection& db) {
        return verbs::end_rerun(db, end);
    });
}

SqliteStore::Awaitable<std::vector<domain::GateSuspension>> SqliteStore::gate_suspensions() {
    return inside_->read<std::vector<domain::GateSuspension>>([](Connection& db) {
        return verbs::gate_suspensions(db);
    });
}

SqliteStore::Awaitable<bool> SqliteStore::suspend_gate(domain::GateSuspension suspension) {
    return inside_->write<bool>([suspension = std::move(suspension)](Connection& db) {
        return verbs::suspend_gate(db, suspension);
    });
}

SqliteStore::Awaitable<bool> SqliteStore::resume_gate(ports::GateResumption resumption) {
    return inside_->write<bool>([resumption = std::move(resumption)](Connection& db) {
        return verbs::resume_gate(db, resumption);
    });
}

SqliteStore::Awaitable<ports::CheckCounts> SqliteStore::check_counts() {
    return inside_->read<ports::CheckCounts>([](Connection& db) { return verbs::check_counts(db); }
    );
}

} // namespace baton::store
