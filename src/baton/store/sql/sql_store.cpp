#include "baton/store/sql/sql_store.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/measuring.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/views.hpp"
#include "baton/store/sql/body.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/sql_inside.hpp"
#include "baton/store/sql/verbs.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::store {

using namespace sql;

namespace {

/// A webhook on its way into the store. Those of one batch are sent together, then their bodies.
struct TakingIn {
    ports::NewDelivery delivery; // without its body
    std::string packed;
    std::size_t body_bytes;
    Later sent;

    void send_ahead(Connection& db) { sent = verbs::send_delivery(db, delivery, body_bytes); }

    /// Whether it is new.
    Result<bool> operator()(Connection& db) const {
        return verbs::keep_body(db, sent, delivery, packed);
    }
};

} // namespace

SqlStore::SqlStore(sql::Queues queues)
    : inside_(std::make_unique<Inside>(queues)) {}

SqlStore::~SqlStore() = default;

ports::Views& SqlStore::views() {
    return inside_->views;
}

ports::Operators& SqlStore::operators() {
    return inside_->operators;
}

ports::Levels& SqlStore::levels() {
    return inside_->levels;
}

ports::Measuring& SqlStore::measuring() {
    return inside_->measuring;
}

SqlStore::Awaitable<void> SqlStore::tell_others() {
    co_return Result<void>{};
}

SqlStore::Awaitable<bool> SqlStore::insert_delivery(ports::NewDelivery delivery) {
    const auto id = delivery.id;
    const auto recent = inside_->recent; // the result may come when this store is gone
    if (recent->contains(id)) {
        co_return false;
    }
    TakingIn taking{
        .delivery = {},
        .packed = compress(delivery.body), // here: the writer has better things to do
        .body_bytes = delivery.body.size(),
        .sent = nullptr
    };
    delivery.body = {};
    taking.delivery = std::move(delivery);
    auto inserted =
        co_await inside_->queues.intake.submit<bool>(Undo::with_the_batch, std::move(taking));
    if (inserted) { // now or before: on disk
        recent->add(id);
    }
    co_return inserted;
}

SqlStore::Awaitable<std::vector<ports::DeliveryToPlan>>
SqlStore::deliveries_to_plan(TimePoint now, std::size_t limit) {
    return inside_->read<std::vector<ports::DeliveryToPlan>>([now, limit](Connection& db) {
        return verbs::deliveries_to_plan(db, now, limit);
    });
}

SqlStore::Awaitable<std::optional<domain::PullRequest>>
SqlStore::pull_request(ports::PullRequestQuery query) {
    return inside_->read<std::optional<domain::PullRequest>>(
        [query = std::move(query)](Connection& db) { return verbs::pull_request(db, query); }
    );
}

SqlStore::Awaitable<ports::PlanReceipt> SqlStore::commit_plan(ports::PlanCommit commit) {
    return inside_->write<ports::PlanReceipt>([commit = std::move(commit)](Connection& db) {
        return verbs::commit_plan(db, commit);
    });
}

SqlStore::Awaitable<ports::DueView> SqlStore::due(ports::DueQuery query) {
    return inside_->read<ports::DueView>([query](Connection& db) { return verbs::due(db, query); });
}

SqlStore::Awaitable<std::vector<ports::LeasedDispatch>> SqlStore::lease(ports::LeaseQuery query) {
    return inside_->write<std::vector<ports::LeasedDispatch>>(
        [query = std::move(query)](Connection& db) { return verbs::lease(db, query); }
    );
}

SqlStore::Awaitable<domain::DispatchState> SqlStore::settle(ports::Settlement settlement) {
    return inside_->write<domain::DispatchState>([settlement = std::move(settlement)](Connection& db
                                                 ) { return verbs::settle(db, settlement); });
}

SqlStore::Awaitable<std::string> SqlStore::body_of(DeliveryId id) {
    return inside_->read<std::string>([id = std::move(id)](Connection& db) {
        return verbs::body_of(db, id);
    });
}

SqlStore::Awaitable<std::size_t> SqlStore::cancel_pending(
    RepoName upstream, RepoName downstream, std::string reason, TimePoint now
) {
    return inside_->write<std::size_t>([upstream = std::move(upstream),
                                        downstream = std::move(downstream),
                                        reason = std::move(reason),
                                        now](Connection& db) {
        return verbs::cancel_pending(db, upstream, downstream, reason, now);
    });
}

SqlStore::Awaitable<ports::Adoption> SqlStore::adopt(InstanceId instance, TimePoint now) {
    return inside_->write<ports::Adoption>([instance = std::move(instance), now](Connection& db) {
        return verbs::adopt(db, instance, now);
    });
}

SqlStore::Awaitable<void> SqlStore::record_allowlist(ports::AllowlistVersion version) {
    return inside_->write<void>([version = std::move(version)](Connection& db) {
        verbs::record_allowlist(db, version);
    });
}

SqlStore::Awaitable<std::optional<ports::AllowlistVersion>>
SqlStore::last_allowlist(RepoName upstream) {
    return inside_->read<std::optional<ports::AllowlistVersion>>([upstream = std::move(upstream
                                                                  )](Connection& db) {
        return verbs::last_allowlist(db, upstream);
    });
}

SqlStore::Awaitable<std::vector<ports::SigningKey>> SqlStore::signing_keys() {
    return inside_->read<std::vector<ports::SigningKey>>([](Connection& db) {
        return verbs::signing_keys(db);
    });
}

SqlStore::Awaitable<ports::SigningKey>
SqlStore::add_signing_key(std::string secret, TimePoint now) {
    return inside_->write<ports::SigningKey>([secret = std::move(secret), now](Connection& db) {
        return verbs::add_signing_key(db, secret, now);
    });
}

SqlStore::Awaitable<std::optional<domain::Walk>> SqlStore::last_walk() {
    return inside_->read<std::optional<domain::Walk>>([](Connection& db) {
        return verbs::last_walk(db);
    });
}

SqlStore::Awaitable<void> SqlStore::note_hooks(std::vector<domain::HookTry> tries) {
    return inside_->write<void>([tries = std::move(tries)](Connection& db) {
        verbs::note_hooks(db, tries);
    });
}

SqlStore::Awaitable<void> SqlStore::end_walk(TimePoint until, TimePoint now) {
    return inside_->write<void>([until, now](Connection& db) { verbs::end_walk(db, until, now); });
}

SqlStore::Awaitable<std::vector<domain::SentHook>> SqlStore::hooks_astray(std::size_t limit) {
    return inside_->read<std::vector<domain::SentHook>>([limit](Connection& db) {
        return verbs::hooks_astray(db, limit);
    });
}

SqlStore::Awaitable<bool> SqlStore::note_asked(DeliveryId id, int asked, TimePoint now) {
    return inside_->write<bool>([id = std::move(id), asked, now](Connection& db) {
        return verbs::note_asked(db, id, asked, now);
    });
}

SqlStore::Awaitable<void> SqlStore::note_not_asked(DeliveryId id, int asked, TimePoint now) {
    return inside_->write<void>([id = std::move(id), asked, now](Connection& db) {
        verbs::note_not_asked(db, id, asked, now);
    });
}

SqlStore::Awaitable<domain::Completeness> SqlStore::completeness(TimePoint from, TimePoint until) {
    return inside_->read<domain::Completeness>([from, until](Connection& db) {
        return verbs::completeness(db, from, until);
    });
}

SqlStore::Awaitable<bool> SqlStore::record_completeness(domain::Completeness day, TimePoint now) {
    return inside_->write<bool>([day, now](Connection& db) {
        return verbs::record_completeness(db, day, now);
    });
}

SqlStore::Awaitable<std::vector<PrNumber>> SqlStore::open_pull_requests(RepoName upstream) {
    return inside_->read<std::vector<PrNumber>>([upstream = std::move(upstream)](Connection& db) {
        return verbs::open_pull_requests(db, upstream);
    });
}

SqlStore::Awaitable<std::vector<ports::Delivery>>
SqlStore::list_deliveries(ports::DeliveryPageQuery query) {
    return inside_->read<std::vector<ports::Delivery>>([query = std::move(query)](Connection& db) {
        return verbs::list_deliveries(db, query);
    });
}

SqlStore::Awaitable<ports::DeliveryHistory> SqlStore::delivery_history(DeliveryId id) {
    return inside_->read<ports::DeliveryHistory>([id = std::move(id)](Connection& db) {
        return verbs::delivery_history(db, id);
    });
}

SqlStore::Awaitable<std::size_t> SqlStore::redeliver(ports::RedeliverQuery query) {
    return inside_->write<std::size_t>([query = std::move(query)](Connection& db) {
        return verbs::redeliver(db, query);
    });
}

SqlStore::Awaitable<ports::Counts> SqlStore::counts() {
    return inside_->read<ports::Counts>([](Connection& db) { return verbs::counts(db); });
}

SqlStore::Awaitable<std::vector<domain::Suspension>> SqlStore::suspensions(TimePoint now) {
    return inside_->read<std::vector<domain::Suspension>>([now](Connection& db) {
        return verbs::suspensions(db, now);
    });
}

SqlStore::Awaitable<void> SqlStore::suspend(domain::Suspension suspension) {
    return inside_->write<void>([suspension = std::move(suspension)](Connection& db) {
        verbs::suspend(db, suspension);
    });
}

SqlStore::Awaitable<std::size_t> SqlStore::resume(ports::Resumption resumption) {
    return inside_->write<std::size_t>([resumption = std::move(resumption)](Connection& db) {
        return verbs::resume(db, resumption);
    });
}

SqlStore::Awaitable<void> SqlStore::insert_test(ports::TestDispatch test) {
    return inside_->write<void>([test = std::move(test)](Connection& db) {
        return verbs::insert_test(db, test);
    });
}

SqlStore::Awaitable<std::optional<ports::Pin>> SqlStore::pin_of(RepoName repo) {
    return inside_->read<std::optional<ports::Pin>>([repo = std::move(repo)](Connection& db) {
        return verbs::pin_of(db, repo);
    });
}

SqlStore::Awaitable<std::optional<ports::Pin>> SqlStore::repin(ports::Pin pin) {
    return inside_->write<std::optional<ports::Pin>>([pin = std::move(pin)](Connection& db) {
        return verbs::repin(db, pin);
    });
}

SqlStore::Awaitable<std::vector<ports::DownstreamFigures>>
SqlStore::downstream_figures(TimePoint now) {
    return inside_->read<std::vector<ports::DownstreamFigures>>([now](Connection& db) {
        return verbs::downstream_figures(db, now);
    });
}

SqlStore::Awaitable<std::vector<ports::AllowlistVersion>> SqlStore::allowlists_at(TimePoint when) {
    return inside_->read<std::vector<ports::AllowlistVersion>>([when](Connection& db) {
        return verbs::allowlists_at(db, when);
    });
}

SqlStore::Awaitable<ports::ModeChange> SqlStore::enter_mode(ports::Mode mode, TimePoint now) {
    return inside_->write<ports::ModeChange>([mode, now](Connection& db) {
        return verbs::enter_mode(db, mode, now);
    });
}

SqlStore::Awaitable<ports::PruneStep> SqlStore::prune_bodies(ports::PruneQuery query) {
    return inside_->write<ports::PruneStep>([query](Connection& db) {
        return verbs::prune_bodies(db, query);
    });
}

SqlStore::Awaitable<ports::PruneStep> SqlStore::prune_results(ports::PruneQuery query) {
    return inside_->write<ports::PruneStep>([query](Connection& db) {
        return verbs::prune_results(db, query);
    });
}

SqlStore::Awaitable<ports::PruneStep> SqlStore::prune_dispatches(ports::PruneQuery query) {
    return inside_->write<ports::PruneStep>([query](Connection& db) {
        return verbs::prune_dispatches(db, query);
    });
}

SqlStore::Awaitable<std::size_t> SqlStore::bytes_of(ports::StoredKind kind) {
    return inside_->read<std::size_t>([kind](Connection& db) { return verbs::bytes_of(db, kind); });
}

SqlStore::Awaitable<void> SqlStore::keep_sizes(ports::StoreSizes sizes) {
    return inside_->write<void>([sizes = std::move(sizes)](Connection& db) {
        verbs::keep_sizes(db, sizes);
    });
}

} // namespace baton::store
