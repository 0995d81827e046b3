#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/view_window.hpp"
#include "baton/store/sqlite/readers.hpp"
#include "baton/store/sqlite/writer.hpp"

#include <cstddef>
#include <vector>

namespace baton::store::sqlite {

/// ports::Levels over the store's writer and the views' readers, which outlive it.
class SqliteLevels final : public ports::Levels {
public:
    SqliteLevels(Writer& writer, Readers& readers)
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

private:
    template <class T, class Verb> Awaitable<T> write(Verb verb);
    template <class T, class Verb> Awaitable<T> read(Verb verb);

    Writer& writer_;
    Readers& readers_;
};

} // namespace baton::store::sqlite
