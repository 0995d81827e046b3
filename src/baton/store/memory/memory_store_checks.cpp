// The verbs about checks: looks, postings, re-runs and the gate.

#include "baton/base/time.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/memory/memory_store.hpp"

#include <cstddef>
#include <vector>

namespace baton::store {

MemoryStore::Awaitable<std::vector<ports::Look>>
MemoryStore::looks(TimePoint now, std::size_t limit) {
    co_return locked([&] { return tables_.looks(now, limit); });
}

MemoryStore::Awaitable<std::vector<domain::Run>> MemoryStore::runs(ports::RunsQuery query) {
    co_return locked([&] { return tables_.runs(query); });
}

MemoryStore::Awaitable<std::vector<ports::KeptPosting>>
MemoryStore::postings_of(domain::Subject subject) {
    co_return locked([&] { return tables_.postings_of(subject); });
}

MemoryStore::Awaitable<std::vector<domain::Rerun>> MemoryStore::reruns_of(domain::Subject subject) {
    co_return locked([&] { return tables_.reruns_of(subject); });
}

MemoryStore::Awaitable<ports::PostingReceipt>
MemoryStore::commit_postings(ports::PostingCommit commit) {
    co_return locked([&] { return tables_.commit_postings(commit); });
}

MemoryStore::Awaitable<std::vector<ports::TakenPosting>>
MemoryStore::take_postings(ports::PostingQuery query) {
    co_return locked([&] { return tables_.take_postings(query); });
}

MemoryStore::Awaitable<void> MemoryStore::end_posting(ports::PostingEnd end) {
    co_return locked([&] { return tables_.end_posting(end); });
}

MemoryStore::Awaitable<std::size_t> MemoryStore::look_again(ports::LookAgain again) {
    co_return locked([&] { return tables_.look_again(again); });
}

MemoryStore::Awaitable<std::vector<ports::TakenRerun>>
MemoryStore::take_reruns(ports::RerunQuery query) {
    co_return locked([&] { return tables_.take_reruns(query); });
}

MemoryStore::Awaitable<void> MemoryStore::end_rerun(ports::RerunEnd end) {
    co_return locked([&] { return tables_.end_rerun(end); });
}

MemoryStore::Awaitable<std::vector<domain::GateSuspension>> MemoryStore::gate_suspensions() {
    co_return locked([&] { return tables_.gate_suspensions(); });
}

MemoryStore::Awaitable<bool> MemoryStore::suspend_gate(domain::GateSuspension suspension) {
    co_return locked([&] { return tables_.suspend_gate(suspension); });
}

MemoryStore::Awaitable<bool> MemoryStore::resume_gate(ports::GateResumption resumption) {
    co_return locked([&] { return tables_.resume_gate(resumption); });
}

MemoryStore::Awaitable<ports::CheckCounts> MemoryStore::check_counts() {
    co_return locked([&] { return tables_.check_counts(); });
}

} // namespace baton::store
