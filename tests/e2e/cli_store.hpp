#pragma once

#include "baton/base/time.hpp"
#include "baton/store/place.hpp"
#include "baton/store/sql/sql_store.hpp"
#include "baton/store/store_role.hpp"

#include <memory>
#include <string>

#include "support/postgres_place.hpp"
#include "support/process.hpp"

namespace baton::test {

/// A place for a store that commands are tried on: a file, or a database of its own where a server
/// is at hand (support/postgres_server.py). Gone with this.
class StorePlace {
public:
    /// What `--store` takes.
    std::string text() const { return database_ ? database_->url() : folder_.file("baton.db"); }

    /// What people get to read of it.
    std::string shown() const { return store::shown(text()); }

    /// As a relay does that serves from it.
    std::unique_ptr<store::SqlStore> open(TimePoint now) const {
        return store::open_store(text(), store::StoreRole::serving, now).value();
    }

private:
    TemporaryFolder folder_;
    std::unique_ptr<PostgresPlace> database_{
        PostgresPlace::is_there() ? std::make_unique<PostgresPlace>() : nullptr
    };
};

} // namespace baton::test
