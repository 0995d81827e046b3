// The verbs about checks: looks, postings, re-runs and the gate.

#include "baton/base/time.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/sql_inside.hpp"
#include "baton/store/sql/sql_store.hpp"
#include "baton/store/sql/verbs.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace baton::store {

using namespace sql;

SqlStore::Awaitable<std::vector<ports::Look>> SqlStore::looks(TimePoint now, std::size_t limit) {
    return inside_->read<std::vector<ports::Look>>([now, limit](Connection& db) {
        return verbs::looks(db, now, limit);
    });
}

SqlStore::Awaitable<std::vector<domain::Run>> SqlStore::runs(ports::RunsQuery query) {
    return inside_->read<std::vector<domain::Run>>([query = std::move(query)](Connection& db) {
        return verbs::runs(db, query);
    });
}

SqlStore::Awaitable<std::vector<ports::KeptPosting>> SqlStore::postings_of(domain::Subject subject
) {
    return inside_->read<std::vector<ports::KeptPosting>>(
        [subject = std::move(subject)](Connection& db) { return verbs::postings_of(db, subject); }
    );
}

SqlStore::Awaitable<std::vector<domain::Rerun>> SqlStore::reruns_of(domain::Subject subject) {
    return inside_->read<std::vector<domain::Rerun>>([subject = std::move(subject)](Connection& db
                                                     ) { return verbs::reruns_of(db, subject); });
}

SqlStore::Awaitable<ports::PostingReceipt> SqlStore::commit_postings(ports::PostingCommit commit) {
    return inside_->write<ports::PostingReceipt>([commit = std::move(commit)](Connection& db) {
        return verbs::commit_postings(db, commit);
    });
}

SqlStore::Awaitable<std::vector<ports::TakenPosting>>
SqlStore::take_postings(ports::PostingQuery query) {
    return inside_->write<std::vector<ports::TakenPosting>>(
        [query = std::move(query)](Connection& db) { return verbs::take_postings(db, query); }
    );
}

SqlStore::Awaitable<void> SqlStore::end_posting(ports::PostingEnd end) {
    return inside_->write<void>([end = std::move(end)](Connection& db) {
        return verbs::end_posting(db, end);
    });
}

SqlStore::Awaitable<std::size_t> SqlStore::look_again(ports::LookAgain again) {
    return inside_->write<std::size_t>([again = std::move(again)](Connection& db) {
        return verbs::look_again(db, again);
    });
}

SqlStore::Awaitable<std::vector<ports::TakenRerun>> SqlStore::take_reruns(ports::RerunQuery query) {
    return inside_->write<std::vector<ports::TakenRerun>>(
        [query = std::move(query)](Connection& db) { return verbs::take_reruns(db, query); }
    );
}

SqlStore::Awaitable<void> SqlStore::end_rerun(ports::RerunEnd end) {
    return inside_->write<void>([end = std::move(end)](Connection& db) {
        return verbs::end_rerun(db, end);
    });
}

SqlStore::Awaitable<std::vector<domain::GateSuspension>> SqlStore::gate_suspensions() {
    return inside_->read<std::vector<domain::GateSuspension>>([](Connection& db) {
        return verbs::gate_suspensions(db);
    });
}

SqlStore::Awaitable<bool> SqlStore::suspend_gate(domain::GateSuspension suspension) {
    return inside_->write<bool>([suspension = std::move(suspension)](Connection& db) {
        return verbs::suspend_gate(db, suspension);
    });
}

SqlStore::Awaitable<bool> SqlStore::resume_gate(ports::GateResumption resumption) {
    return inside_->write<bool>([resumption = std::move(resumption)](Connection& db) {
        return verbs::resume_gate(db, resumption);
    });
}

SqlStore::Awaitable<ports::CheckCounts> SqlStore::check_counts() {
    return inside_->read<ports::CheckCounts>([](Connection& db) { return verbs::check_counts(db); }
    );
}

} // namespace baton::store
