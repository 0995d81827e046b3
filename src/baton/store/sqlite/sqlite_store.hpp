#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/sql/sql_store.hpp"
#include "baton/store/store_role.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace baton::store {

struct SqliteOptions {
    std::string path;
    StoreRole role{StoreRole::serving};
    TimePoint now{}; // written down beside schema steps that opening applies
    std::string vfs{
    }; // a registered SQLite VFS, for tests that play a bad disk; empty: the real one
};

/// SqlStore in one SQLite file: write-ahead log, synchronous FULL, one writer thread with group
/// commit, two readers on snapshots. One relay serves from it and holds "<path>.lock". The
/// destructor finishes what is queued.
class SqliteStore final : public SqlStore {
public:
    /// A serving relay makes the file (readable by its owner only) and brings its schema up to
    /// date. `conflict` when another relay serves from it or a newer Baton wrote it. A tool makes
    /// and changes nothing here: `not_found` without a file, `conflict` when the schema is not this
    /// version's.
    static Result<std::unique_ptr<SqliteStore>> open(SqliteOptions options);

    ~SqliteStore() override;

    /// What group commit is worth: operations divided by commits.
    std::uint64_t commits() const;
    std::uint64_t operations() const;

private:
    struct Inside; // keeps SQLite's header out of everybody else's sight

    explicit SqliteStore(std::unique_ptr<Inside> inside);

    std::unique_ptr<Inside> inside_;
};

} // namespace baton::store
