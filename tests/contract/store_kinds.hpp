#pragma once

#include "baton/store/memory/memory_store.hpp"
#include "baton/store/postgres/postgres_store.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"

#include <chrono>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "contract/store_fixture.hpp"
#include "support/postgres_place.hpp"
#include "support/temp_folder.hpp"

namespace baton::test {

inline OpenStore open_memory_store() {
    return {.ground = nullptr, .store = std::make_unique<store::MemoryStore>()};
}

inline OpenStore open_sqlite_store() {
    auto folder = std::make_shared<TempFolder>(TempFolder::fast_parent());
    auto opened = store::SqliteStore::open({.path = folder->file("baton.db"), .now = at(0)});
    if (!opened) {
        throw std::runtime_error(opened.error().detail);
    }
    return {.ground = std::move(folder), .store = *std::move(opened)};
}

inline OpenStore open_postgres_store() {
    auto place = std::make_shared<PostgresPlace>();
    auto opened = store::PostgresStore::open(
        {.url = place->url(), .now = at(0), .grace = std::chrono::milliseconds{0}}
    );
    if (!opened) {
        throw std::runtime_error(opened.error().detail);
    }
    return {.ground = std::move(place), .store = *std::move(opened)};
}

/// Stores that can be looked at, too. PostgreSQL's where a server is at hand: ctest's
/// contract.postgres brings one.
inline std::vector<StoreKind> sql_kinds() {
    std::vector<StoreKind> kinds{{"sqlite", open_sqlite_store}};
    if (PostgresPlace::is_there()) {
        kinds.push_back({"postgres", open_postgres_store});
    }
    return kinds;
}

inline std::vector<StoreKind> every_kind() {
    auto kinds = sql_kinds();
    kinds.insert(kinds.begin(), {"memory", open_memory_store});
    return kinds;
}

/// For what is about a database alone.
inline std::vector<StoreKind> postgres_kind() {
    return PostgresPlace::is_there() ? std::vector<StoreKind>{{"postgres", open_postgres_store}}
                                     : std::vector<StoreKind>{};
}

} // namespace baton::test
