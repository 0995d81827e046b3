#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/crash_points.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::sim {

/// The verbs of ports::Store in the order of its header; a new verb there gets a line here.
inline constexpr std::array kStoreVerbs{
    VerbPoints{"store.insert_delivery.before", "store.insert_delivery.after"},
    VerbPoints{"store.deliveries_to_plan.before", "store.deliveries_to_plan.after"},
    VerbPoints{"store.pull_request.before", "store.pull_request.after"},
    VerbPoints{"store.commit_plan.before", "store.commit_plan.after"},
    VerbPoints{"store.due.before", "store.due.after"},
    VerbPoints{"store.lease.before", "store.lease.after"},
    VerbPoints{"store.settle.before", "store.settle.after"},
    VerbPoints{"store.body_of.before", "store.body_of.after"},
    VerbPoints{"store.cancel_pending.before", "store.cancel_pending.after"},
    VerbPoints{"store.adopt.before", "store.adopt.after"},
    VerbPoints{"store.record_allowlist.before", "store.record_allowlist.after"},
    VerbPoints{"store.last_allowlist.before", "store.last_allowlist.after"},
    VerbPoints{"store.signing_keys.before", "store.signing_keys.after"},
    VerbPoints{"store.add_signing_key.before", "store.add_signing_key.after"},
    VerbPoints{"store.list_deliveries.before", "store.list_deliveries.after"},
    VerbPoints{"store.delivery_history.before", "store.delivery_history.after"},
    VerbPoints{"store.redeliver.before", "store.redeliver.after"},
    VerbPoints{"store.counts.before", "store.counts.after"},
};

/// A Store whose calls pass crash points. `inner` outlives it; threads as the inner store's.
class SteppedStore final : public ports::Store {
public:
    SteppedStore(ports::Store& inner, std::shared_ptr<Incarnation> life)
        : inner_(inner)
        , life_(std::move(life)) {}

    Awaitable<bool> insert_delivery(ports::NewDelivery delivery) override;
    Awaitable<std::vector<ports::DeliveryToPlan>>
    deliveries_to_plan(TimePoint now, std::size_t limit) override;
    Awaitable<std::optional<domain::PullRequest>> pull_request(ports::PullRequestQuery query
    ) override;
    Awaitable<ports::PlanReceipt> commit_plan(ports::PlanCommit commit) override;
    Awaitable<ports::DueView> due(ports::DueQuery query) override;
    Awaitable<std::vector<ports::LeasedDispatch>> lease(ports::LeaseQuery query) override;
    Awaitable<domain::DispatchState> settle(ports::Settlement settlement) override;
    Awaitable<std::string> body_of(DeliveryId id) override;
    Awaitable<std::size_t> cancel_pending(
        RepoName upstream, RepoName downstream, std::string reason, TimePoint now
    ) override;
    Awaitable<ports::Adoption> adopt(InstanceId instance, TimePoint now) override;
    Awaitable<void> record_allowlist(ports::AllowlistVersion version) override;
    Awaitable<std::optional<ports::AllowlistVersion>> last_allowlist(RepoName upstream) override;
    Awaitable<std::vector<ports::SigningKey>> signing_keys() override;
    Awaitable<ports::SigningKey> add_signing_key(std::string secret, TimePoint now) override;
    Awaitable<std::vector<ports::Delivery>> list_deliveries(ports::DeliveryPageQuery query
    ) override;
    Awaitable<ports::DeliveryHistory> delivery_history(DeliveryId id) override;
    Awaitable<std::size_t> redeliver(ports::RedeliverQuery query) override;
    Awaitable<ports::Counts> counts() override;

private:
    /// `verb` names the points; `method` and its arguments are kept until the step before them
    /// allows the call.
    template <class T, class... Parameters>
    Awaitable<T> through(
        std::string_view verb,
        Awaitable<T> (ports::Store::*method)(Parameters...),
        Parameters... arguments
    );

    ports::Store& inner_;
    std::shared_ptr<Incarnation> life_;
};

} // namespace baton::sim
