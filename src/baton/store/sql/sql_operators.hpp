#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sql/queue.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace baton::store::sql {

/// ports::Operators over the store's writer and the readers for pages, which outlive it.
class SqlOperators final : public ports::Operators {
public:
    SqlOperators(Queue& writer, Queue& readers)
        : writer_(writer)
        , readers_(readers) {}

    Awaitable<void> keep_refusals(std::vector<ports::Refusal> refusals) override;
    Awaitable<std::vector<ports::RefusalGroup>> refusals(ports::RefusalQuery query) override;
    Awaitable<std::vector<ports::RefusalTotal>> refusal_totals(TimePoint from) override;
    Awaitable<ports::GivenUpPage> given_up(ports::GivenUpQuery query) override;
    Awaitable<ports::LetterViewPage> dead_letters(ports::LetterViewQuery query) override;
    Awaitable<std::map<std::int64_t, std::vector<ports::DispatchStanding>>>
    standings(std::vector<std::int64_t> deliveries) override;
    Awaitable<std::vector<ports::DownstreamEvent>>
    downstream_events(RepoName downstream, std::size_t limit) override;
    Awaitable<std::vector<ports::AllowlistVersion>>
    allowlist_versions(RepoName upstream, std::size_t limit) override;
    Awaitable<ports::StoreState> state(std::vector<std::string> sinks, TimePoint now) override;
    Awaitable<std::vector<ports::Note>> notes(ports::NoteQuery query) override;
    Awaitable<std::vector<ports::Acknowledgement>> acknowledgements(TimePoint now) override;
    Awaitable<std::vector<ports::LedgerLine>> acts(ports::ActQuery query) override;
    Awaitable<ports::Note> annotate(ports::Note note, ports::ActedBy by) override;
    Awaitable<ports::Note> remove_note(std::int64_t id, ports::ActedBy by) override;
    Awaitable<void> acknowledge(ports::Acknowledgement acknowledgement, ports::ActedBy by) override;
    Awaitable<bool> lift_acknowledgement(std::string key, ports::ActedBy by) override;
    Awaitable<bool> order_rerun(domain::NewRerun order, ports::ActedBy by) override;
    Awaitable<void> suspend(domain::Suspension suspension, ports::ActedBy by) override;
    Awaitable<std::size_t> resume(ports::Resumption resumption, ports::ActedBy by) override;
    Awaitable<std::size_t> redeliver(ports::RedeliverQuery query, ports::ActedBy by) override;

private:
    Queue& writer_;
    Queue& readers_;
};

} // namespace baton::store::sql
