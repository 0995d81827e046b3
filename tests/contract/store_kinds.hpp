#pragma once

#include "baton/store/memory/memory_store.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"

#include <memory>
#include <stdexcept>
#include <utility>

#include "contract/store_fixture.hpp"
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

} // namespace baton::test
