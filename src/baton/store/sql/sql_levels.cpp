#include "baton/store/sql/sql_levels.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/job.hpp"
#include "baton/store/sql/levels.hpp"
#include "baton/store/sql/sql_inside.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace baton::store::sql {

template <class T, class Verb> SqlLevels::Awaitable<T> SqlLevels::write(Verb verb) {
    auto work = [verb = std::move(verb)](Connection& db) { return answer_of<T>(verb, db); };
    return writer_.submit<T>(Undo::alone, std::move(work));
}

template <class T, class Verb> SqlLevels::Awaitable<T> SqlLevels::read(Verb verb) {
    auto work = [verb = std::move(verb)](Connection& db) { return answer_of<T>(verb, db); };
    return readers_.submit<T>(std::move(work));
}

SqlLevels::Awaitable<domain::LadderEvidence> SqlLevels::evidence(ports::EvidenceQuery query) {
    return read<domain::LadderEvidence>([query = std::move(query)](Connection& db) {
        return levels::evidence(db, query);
    });
}

SqlLevels::Awaitable<ports::SendingHealth>
SqlLevels::sending(RepoName upstream, ports::ViewWindow window) {
    return read<ports::SendingHealth>([upstream = std::move(upstream), window](Connection& db) {
        return levels::sending(db, upstream, window);
    });
}

SqlLevels::Awaitable<std::vector<ports::KeptLadder>>
SqlLevels::ladders(RepoName upstream, ports::ViewWindow window) {
    return read<std::vector<ports::KeptLadder>>([upstream = std::move(upstream),
                                                 window](Connection& db) {
        return levels::ladders(db, upstream, window);
    });
}

SqlLevels::Awaitable<void> SqlLevels::commit(ports::LadderCommit commit) {
    return write<void>([commit = std::move(commit)](Connection& db) {
        return levels::commit(db, commit);
    });
}

SqlLevels::Awaitable<std::vector<ports::KeptEvaluation>>
SqlLevels::evaluations(RepoName upstream, RepoName downstream, std::size_t limit) {
    return read<std::vector<ports::KeptEvaluation>>(
        [upstream = std::move(upstream), downstream = std::move(downstream), limit](Connection& db
        ) { return levels::evaluations(db, upstream, downstream, limit); }
    );
}

SqlLevels::Awaitable<std::vector<ports::KeptTransition>>
SqlLevels::transitions(ports::TransitionQuery query) {
    return read<std::vector<ports::KeptTransition>>([query = std::move(query)](Connection& db) {
        return levels::transitions(db, query);
    });
}

SqlLevels::Awaitable<void> SqlLevels::note_pull(ports::ProposalPull pull) {
    return write<void>([pull = std::move(pull)](Connection& db) {
        return levels::note_pull(db, pull);
    });
}

SqlLevels::Awaitable<ports::RedView> SqlLevels::reds(ports::RedQuery query) {
    return read<ports::RedView>([query = std::move(query)](Connection& db) {
        return levels::reds(db, query);
    });
}

SqlLevels::Awaitable<void> SqlLevels::rule(domain::LadderRuling ruling) {
    return write<void>([ruling = std::move(ruling)](Connection& db) {
        return levels::rule(db, ruling);
    });
}

} // namespace baton::store::sql
