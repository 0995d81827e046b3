#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/quota_exchange.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sql/sql_store.hpp"
#include "baton/store/store_role.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace baton::store {

struct PostgresOptions {
    std::string url;
    StoreRole role{StoreRole::serving};
    TimePoint now{};                        // written down beside schema steps that opening applies
    std::chrono::milliseconds grace{3'000}; // who is missing for longer is gone
};

/// SqlStore in a PostgreSQL database that several replicas share: each has a writer with group
/// commit, one for intake, and readers on snapshots. Writers of all replicas take turns, and so do
/// their intakes. A database that goes away fails what is under way with `unavailable`, and is
/// found again by itself. The destructor finishes what is queued.
class PostgresStore final : public SqlStore {
public:
    /// A serving relay brings the schema up to date. `conflict` when a newer Baton wrote it; a tool
    /// changes nothing here: `conflict` when the schema is not this version's.
    static Result<std::unique_ptr<PostgresStore>> open(const PostgresOptions& options);

    ~PostgresStore() override;

    /// From now on this replica is known under that name (`unavailable` when it cannot show that it
    /// lives). Only leases of replicas that are gone are void: those that were missing at two calls
    /// with the grace between them.
    Awaitable<ports::Adoption> adopt(InstanceId instance, TimePoint now) override;

    /// Nothing is leased while others would take this replica for dead. They are told of
    /// dispatches, and look for the rest by themselves.
    Awaitable<std::vector<ports::LeasedDispatch>> lease(ports::LeaseQuery query) override;
    Awaitable<std::vector<ports::TakenLetter>> take_letters(ports::LetterQuery query) override;
    Awaitable<std::vector<ports::TakenPosting>> take_postings(ports::PostingQuery query) override;
    Awaitable<std::vector<ports::TakenRerun>> take_reruns(ports::RerunQuery query) override;

    std::function<bool()> lead() const override;
    ports::QuotaExchange* quotas() override;
    Awaitable<void> tell_others() override;
    void on_news(std::function<void()> call) override;
    void on_time(std::function<void(TimePoint)> call) override;

private:
    struct Inside;

    explicit PostgresStore(std::unique_ptr<Inside> inside);

    bool is_missing() const;
    template <typename Taken> Awaitable<Taken> unless_missing(Awaitable<Taken> taking);

    std::unique_ptr<Inside> inside_;
};

} // namespace baton::store
