#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sql/sql_store.hpp"
#include "baton/store/store_role.hpp"

#include <functional>
#include <memory>
#include <string>

namespace baton::store {

struct PostgresOptions {
    std::string url;
    StoreRole role{StoreRole::serving};
    TimePoint now{}; // written down beside schema steps that opening applies
};

/// SqlStore in a PostgreSQL database that several replicas share: each has a writer with group
/// commit, one for intake, and readers on snapshots. Writers of all replicas take turns; intakes
/// run beside each other. A database that goes away fails what is under way with `unavailable`, and
/// is found again by itself. The destructor finishes what is queued.
class PostgresStore final : public SqlStore {
public:
    /// A serving relay brings the schema up to date. `conflict` when a newer Baton wrote it; a tool
    /// changes nothing here: `conflict` when the schema is not this version's.
    static Result<std::unique_ptr<PostgresStore>> open(const PostgresOptions& options);

    ~PostgresStore() override;

    /// From now on this replica is known under that name; only leases of replicas that are gone are
    /// void.
    Awaitable<ports::Adoption> adopt(InstanceId instance, TimePoint now) override;

    std::function<bool()> lead() const override;
    void on_news(std::function<void()> call) override;

private:
    struct Inside;

    explicit PostgresStore(std::unique_ptr<Inside> inside);

    std::unique_ptr<Inside> inside_;
};

} // namespace baton::store
