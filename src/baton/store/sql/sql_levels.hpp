#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/store/sql/queue.hpp"

#include <cstddef>
#include <vector>

namespace baton::store::sql {

/// ports::Levels over the store's writer and the readers for pages, which outlive it.
class SqlLevels final : public ports::Levels {
public:
    SqlLevels(Queue& writer, Queue& readers)
        : writer_(writer)
        , readers_(readers) {}

    Awaitable<domain::LadderEvidence> evidence(ports::EvidenceQuery query) override;
    Awaitable<ports::SendingHealth> sending(RepoName upstream, ports::ViewWindow window) override;
    Awaitable<std::vector<ports::KeptLadder>>
    ladders(RepoName upstream, ports::ViewWindow window) override;
    Awaitable<void> commit(ports::LadderCommit commit) override;
    Awaitable<std::vector<ports::KeptEvaluation>>
    evaluations(RepoName upstream, RepoName downstream, std::size_t limit) override;
    Awaitable<std::vector<ports::KeptTransition>> transitions(ports::TransitionQuery query
    ) override;
    Awaitable<void> note_pull(ports::ProposalPull pull) override;
    Awaitable<ports::RedView> reds(ports::RedQuery query) override;
    Awaitable<void> rule(domain::LadderRuling ruling) override;
    Awaitable<void> note_rehearsal(ports::NewRehearsal rehearsal) override;
    Awaitable<void> note_answer(ports::NewAnswer answer) override;

private:
    Queue& writer_;
    Queue& readers_;
};

} // namespace baton::store::sql
