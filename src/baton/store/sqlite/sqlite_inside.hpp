#pragma once

#include "baton/base/result.hpp"
#include "baton/store/sqlite/connection.hpp"
#include "baton/store/sqlite/job.hpp"
#include "baton/store/sqlite/lock_file.hpp"
#include "baton/store/sqlite/readers.hpp"
#include "baton/store/sqlite/recent_ids.hpp"
#include "baton/store/sqlite/sqlite_levels.hpp"
#include "baton/store/sqlite/sqlite_operators.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"
#include "baton/store/sqlite/sqlite_views.hpp"
#include "baton/store/sqlite/writer.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace baton::store {

namespace sqlite {

/// A verb answers with a value, a Result or nothing; here all become Results.
template <class T, class Verb> Result<T> answer_of(Verb& verb, Connection& db) {
    if constexpr (std::is_void_v<decltype(verb(db))>) {
        verb(db);
        return {};
    } else {
        return verb(db);
    }
}

} // namespace sqlite

/// What a SqliteStore is made of; for its own files only.
struct SqliteStore::Inside {
    Inside(
        std::optional<sqlite::LockFile> held,
        sqlite::Connection writing,
        sqlite::Connection aside,
        std::vector<sqlite::Connection> reading,
        std::vector<sqlite::Connection> viewing
    )
        : lock(std::move(held))
        , writer(std::move(writing), std::move(aside))
        , readers(std::move(reading))
        , views(std::move(viewing)) {}

    static constexpr std::size_t kRecentIds = 32'768; // a few megabytes at most

    template <class T, class Verb> Awaitable<T> write(Verb verb) {
        auto work = [verb = std::move(verb)](sqlite::Connection& db) {
            return sqlite::answer_of<T>(verb, db);
        };
        return writer.submit<T>(sqlite::Undo::alone, std::move(work));
    }

    template <class T, class Verb> Awaitable<T> read(Verb verb) {
        auto work = [verb = std::move(verb)](sqlite::Connection& db) {
            return sqlite::answer_of<T>(verb, db);
        };
        return readers.submit<T>(std::move(work));
    }

    std::optional<sqlite::LockFile> lock; // first: given back last
    std::shared_ptr<sqlite::RecentIds> recent{std::make_shared<sqlite::RecentIds>(kRecentIds)};
    sqlite::Writer writer;
    sqlite::Readers readers;
    sqlite::SqliteViews views;
    sqlite::SqliteOperators operators{writer, views.readers()};
    sqlite::SqliteLevels levels{writer, views.readers()};
};

} // namespace baton::store
