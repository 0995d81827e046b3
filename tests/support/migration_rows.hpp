#pragma once

#include "baton/store/sql/migrations.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace baton::test {

/// The rows that follow a migration: tests/data/migrations has a file of the same name for each.
inline std::string rows_after(const store::sql::Migration& migration) {
    const auto path = fmt::format(
        "{}/tests/data/migrations/{:04}_{}.sql", BATON_SOURCE_DIR, migration.number, migration.name
    );
    std::ifstream file(path);
    EXPECT_TRUE(file.good()) << path;
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace baton::test
