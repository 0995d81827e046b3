#include "baton/store/sqlite/sqlite_levels.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/store/sqlite/connection.hpp"
#include "baton/store/sqlite/job.hpp"
#include "baton/store/sqlite/levels.hpp"
#include "baton/store/sqlite/sqlite_inside.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace baton::store::sqlite {

template <class T, class Verb> SqliteLevels::Awaitable<T> SqliteLevels::write(Verb verb) {
    auto work = [verb = std::move(verb)](Connection& db) { return answer_of<T>(verb, db); };
    return writer_.submit<T>(Undo::alone, std::move(work));
}

template <class T, class Verb> SqliteLevels::Awaitable<T> SqliteLevels::read(Verb verb) {
    auto work = [verb = std::move(verb)](Connection& db) { return answer_of<T>(verb, db); };
    return readers_.submit<T>(std::move(work));
}

SqliteLevels::Awaitable<domain::LadderEvidence> SqliteLevels::evidence(ports::EvidenceQuery query) {
    return read<domain::LadderEvidence>([query = std::move(query)](Connection& db) {
        return levels::evidence(db, query);
    });
}

SqliteLevels::Awaitable<ports::SendingHealth>
SqliteLevels::sending(RepoName upstream, ports::ViewWindow window) {
    return read<ports::SendingHealth>([upstream = std::move(upstream), window](Connection& db) {
        return levels::sending(db, upstream, window);
    });
}

SqliteLevels::Awaitable<std::vector<ports::KeptLadder>>
SqliteLevels::ladders(RepoName upstream, ports::ViewWindow window) {
    return read<std::vector<ports::KeptLadder>>([upstream = std::move(upstream),
                                                 window](Connection& db) {
        return levels::ladders(db, upstream, window);
    });
}

SqliteLevels::Awaitable<void> SqliteLevels::commit(ports::LadderCommit commit) {
    return write<void>([commit = std::move(commit)](Connection& db) {
        return levels::commit(db, commit);
    });
}

SqliteLevels::Awaitable<std::vector<ports::KeptEvaluation>>
SqliteLevels::evaluations(RepoName upstream, RepoName downstream, std::size_t limit) {
    return read<std::vector<ports::KeptEvaluation>>(
        [upstream = std::move(upstream), downstream = std::move(downstream), limit](Connection& db
        ) { return levels::evaluations(db, upstream, downstream, limit); }
    );
}

SqliteLevels::Awaitable<std::vector<ports::KeptTransition>>
SqliteLevels::transitions(ports::TransitionQuery query) {
    return read<std::vector<ports::KeptTransition>>([query = std::move(query)](Connection& db) {
        return levels::transitions(db, query);
    });
}

SqliteLevels::Awaitable<void> SqliteLevels::note_pull(ports::ProposalPull pull) {
    return write<void>([pull = std::move(pull)](Connection& db) {
        return levels::note_pull(db, pull);
    });
}

SqliteLevels::Awaitable<ports::RedView> SqliteLevels::reds(ports::RedQuery query) {
    return read<ports::RedView>([query = std::move(query)](Connection& db) {
        return levels::reds(db, query);
    });
}

SqliteLevels::Awaitable<void> SqliteLevels::rule(domain::LadderRuling ruling) {
    return write<void>([ruling = std::move(ruling)](Connection& db) {
        return levels::rule(db, ruling);
    });
}

} // namespace baton::store::sqlite
