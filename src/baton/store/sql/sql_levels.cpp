#include "baton/store/sql/sql_levels.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/store/sql/asking.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/levels.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace baton::store::sql {

SqlLevels::Awaitable<domain::LadderEvidence> SqlLevels::evidence(ports::EvidenceQuery query) {
    return ask<domain::LadderEvidence>(readers_, [query = std::move(query)](Connection& db) {
        return levels::evidence(db, query);
    });
}

SqlLevels::Awaitable<ports::SendingHealth>
SqlLevels::sending(RepoName upstream, ports::ViewWindow window) {
    return ask<ports::SendingHealth>(
        readers_,
        [upstream = std::move(upstream), window](Connection& db) {
            return levels::sending(db, upstream, window);
        }
    );
}

SqlLevels::Awaitable<std::vector<ports::KeptLadder>>
SqlLevels::ladders(RepoName upstream, ports::ViewWindow window) {
    return ask<std::vector<ports::KeptLadder>>(
        readers_,
        [upstream = std::move(upstream), window](Connection& db) {
            return levels::ladders(db, upstream, window);
        }
    );
}

SqlLevels::Awaitable<void> SqlLevels::commit(ports::LadderCommit commit) {
    return ask<void>(writer_, [commit = std::move(commit)](Connection& db) {
        return levels::commit(db, commit);
    });
}

SqlLevels::Awaitable<std::vector<ports::KeptEvaluation>>
SqlLevels::evaluations(RepoName upstream, RepoName downstream, std::size_t limit) {
    return ask<std::vector<ports::KeptEvaluation>>(
        readers_,
        [upstream = std::move(upstream), downstream = std::move(downstream), limit](Connection& db
        ) { return levels::evaluations(db, upstream, downstream, limit); }
    );
}

SqlLevels::Awaitable<std::vector<ports::KeptTransition>>
SqlLevels::transitions(ports::TransitionQuery query) {
    return ask<std::vector<ports::KeptTransition>>(
        readers_,
        [query = std::move(query)](Connection& db) { return levels::transitions(db, query); }
    );
}

SqlLevels::Awaitable<void> SqlLevels::note_pull(ports::ProposalPull pull) {
    return ask<void>(writer_, [pull = std::move(pull)](Connection& db) {
        return levels::note_pull(db, pull);
    });
}

SqlLevels::Awaitable<ports::RedView> SqlLevels::reds(ports::RedQuery query) {
    return ask<ports::RedView>(readers_, [query = std::move(query)](Connection& db) {
        return levels::reds(db, query);
    });
}

SqlLevels::Awaitable<void> SqlLevels::rule(domain::LadderRuling ruling) {
    return ask<void>(writer_, [ruling = std::move(ruling)](Connection& db) {
        return levels::rule(db, ruling);
    });
}

SqlLevels::Awaitable<void> SqlLevels::note_rehearsal(ports::NewRehearsal rehearsal) {
    return ask<void>(writer_, [rehearsal](Connection& db) {
        return levels::note_rehearsal(db, rehearsal);
    });
}

SqlLevels::Awaitable<void> SqlLevels::note_answer(ports::NewAnswer answer) {
    return ask<void>(writer_, [answer = std::move(answer)](Connection& db) {
        return levels::note_answer(db, answer);
    });
}

} // namespace baton::store::sql
