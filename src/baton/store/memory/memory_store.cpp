#include "baton/store/memory/memory_store.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/store.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::store {

MemoryStore::Awaitable<bool> MemoryStore::insert_delivery(ports::NewDelivery delivery) {
    co_return locked([&] { return tables_.insert_delivery(std::move(delivery)); });
}

MemoryStore::Awaitable<std::vector<ports::DeliveryToPlan>>
MemoryStore::deliveries_to_plan(TimePoint now, std::size_t limit) {
    co_return locked([&] { return tables_.deliveries_to_plan(now, limit); });
}

MemoryStore::Awaitable<std::optional<domain::PullRequest>>
MemoryStore::pull_request(ports::PullRequestQuery query) {
    co_return locked([&] { return tables_.pull_request(query); });
}

MemoryStore::Awaitable<ports::PlanReceipt> MemoryStore::commit_plan(ports::PlanCommit commit) {
    co_return locked([&] { return tables_.commit_plan(commit); });
}

MemoryStore::Awaitable<ports::DueView> MemoryStore::due(ports::DueQuery query) {
    co_return locked([&] { return tables_.due(query); });
}

MemoryStore::Awaitable<std::vector<ports::LeasedDispatch>>
MemoryStore::lease(ports::LeaseQuery query) {
    co_return locked([&] { return tables_.lease(query); });
}

MemoryStore::Awaitable<domain::DispatchState> MemoryStore::settle(ports::Settlement settlement) {
    co_return locked([&] { return tables_.settle(settlement); });
}

MemoryStore::Awaitable<std::string> MemoryStore::body_of(DeliveryId id) {
    co_return locked([&] { return tables_.body_of(id); });
}

MemoryStore::Awaitable<std::size_t> MemoryStore::cancel_pending(
    RepoName upstream, RepoName downstream, std::string reason, TimePoint now
) {
    co_return locked([&] { return tables_.cancel_pending(upstream, downstream, reason, now); });
}

MemoryStore::Awaitable<ports::Adoption> MemoryStore::adopt(InstanceId instance, TimePoint now) {
    co_return locked([&] { return tables_.adopt(instance, now); });
}

MemoryStore::Awaitable<void> MemoryStore::record_allowlist(ports::AllowlistVersion version) {
    locked([&] { tables_.record_allowlist(std::move(version)); });
    co_return Result<void>{};
}

MemoryStore::Awaitable<std::optional<ports::AllowlistVersion>>
MemoryStore::last_allowlist(RepoName upstream) {
    co_return locked([&] { return tables_.last_allowlist(upstream); });
}

MemoryStore::Awaitable<std::vector<ports::SigningKey>> MemoryStore::signing_keys() {
    co_return locked([&] { return tables_.signing_keys(); });
}

MemoryStore::Awaitable<ports::SigningKey>
MemoryStore::add_signing_key(std::string secret, TimePoint now) {
    co_return locked([&] { return tables_.add_signing_key(std::move(secret), now); });
}

MemoryStore::Awaitable<std::optional<domain::Walk>> MemoryStore::last_walk() {
    co_return locked([&] { return tables_.last_walk(); });
}

MemoryStore::Awaitable<void> MemoryStore::note_hooks(std::vector<domain::HookTry> tries) {
    locked([&] { tables_.note_hooks(tries); });
    co_return Result<void>{};
}

MemoryStore::Awaitable<void> MemoryStore::end_walk(TimePoint until, TimePoint now) {
    locked([&] { tables_.end_walk(until, now); });
    co_return Result<void>{};
}

MemoryStore::Awaitable<std::vector<domain::SentHook>> MemoryStore::hooks_astray(std::size_t limit) {
    co_return locked([&] { return tables_.hooks_astray(limit); });
}

MemoryStore::Awaitable<bool> MemoryStore::note_asked(DeliveryId id, int asked, TimePoint now) {
    co_return locked([&] { return tables_.note_asked(id, asked, now); });
}

MemoryStore::Awaitable<void> MemoryStore::note_not_asked(DeliveryId id, int asked, TimePoint now) {
    locked([&] { tables_.note_not_asked(id, asked, now); });
    co_return Result<void>{};
}

MemoryStore::Awaitable<domain::Completeness>
MemoryStore::completeness(TimePoint from, TimePoint until) {
    co_return locked([&] { return tables_.completeness(from, until); });
}

MemoryStore::Awaitable<bool>
MemoryStore::record_completeness(domain::Completeness day, TimePoint now) {
    co_return locked([&] { return tables_.record_completeness(day, now); });
}

MemoryStore::Awaitable<std::vector<PrNumber>> MemoryStore::open_pull_requests(RepoName upstream) {
    co_return locked([&] { return tables_.open_pull_requests(upstream); });
}

MemoryStore::Awaitable<std::vector<ports::Delivery>>
MemoryStore::list_deliveries(ports::DeliveryPageQuery query) {
    co_return locked([&] { return tables_.list_deliveries(query); });
}

MemoryStore::Awaitable<ports::DeliveryHistory> MemoryStore::delivery_history(DeliveryId id) {
    co_return locked([&] { return tables_.delivery_history(id); });
}

MemoryStore::Awaitable<std::size_t> MemoryStore::redeliver(ports::RedeliverQuery query) {
    co_return locked([&] { return tables_.redeliver(query); });
}

MemoryStore::Awaitable<ports::Counts> MemoryStore::counts() {
    co_return locked([&] { return tables_.counts(); });
}

MemoryStore::Awaitable<std::vector<domain::Suspension>> MemoryStore::suspensions(TimePoint now) {
    co_return locked([&] { return tables_.suspensions(now); });
}

MemoryStore::Awaitable<void> MemoryStore::suspend(domain::Suspension suspension) {
    locked([&] { tables_.suspend(suspension); });
    co_return Result<void>{};
}

MemoryStore::Awaitable<std::size_t> MemoryStore::resume(ports::Resumption resumption) {
    co_return locked([&] { return tables_.resume(resumption); });
}

MemoryStore::Awaitable<void> MemoryStore::insert_test(ports::TestDispatch test) {
    co_return locked([&] { return tables_.insert_test(test); });
}

MemoryStore::Awaitable<std::optional<ports::Pin>> MemoryStore::pin_of(RepoName repo) {
    co_return locked([&] { return tables_.pin_of(repo); });
}

MemoryStore::Awaitable<std::optional<ports::Pin>> MemoryStore::repin(ports::Pin pin) {
    co_return locked([&] { return tables_.repin(pin); });
}

MemoryStore::Awaitable<std::vector<ports::DownstreamFigures>>
MemoryStore::downstream_figures(TimePoint now) {
    co_return locked([&] { return tables_.downstream_figures(now); });
}

MemoryStore::Awaitable<std::vector<ports::AllowlistVersion>>
MemoryStore::allowlists_at(TimePoint when) {
    co_return locked([&] { return tables_.allowlists_at(when); });
}

MemoryStore::Awaitable<ports::ModeChange> MemoryStore::enter_mode(ports::Mode mode, TimePoint now) {
    co_return locked([&] { return tables_.enter_mode(mode, now); });
}

MemoryStore::Awaitable<ports::PruneStep> MemoryStore::prune_bodies(ports::PruneQuery query) {
    co_return locked([&] { return tables_.prune_bodies(query); });
}

MemoryStore::Awaitable<ports::PruneStep> MemoryStore::prune_results(ports::PruneQuery query) {
    co_return locked([&] { return tables_.prune_results(query); });
}

MemoryStore::Awaitable<ports::PruneStep> MemoryStore::prune_dispatches(ports::PruneQuery query) {
    co_return locked([&] { return tables_.prune_dispatches(query); });
}

MemoryStore::Awaitable<std::size_t> MemoryStore::bytes_of(ports::StoredKind /*kind*/) {
    co_return std::size_t{0}; // it takes no room on disk
}

MemoryStore::Awaitable<void> MemoryStore::keep_sizes(ports::StoreSizes /*sizes*/) {
    co_return Result<void>{};
}

} // namespace baton::store
