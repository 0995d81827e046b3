#pragma once

#include "baton/base/time.hpp"
#include "baton/store/sql/migrations.hpp"
#include "baton/store/sqlite/engine.hpp"
#include "baton/store/sqlite/migrate.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>

#include "support/migration_rows.hpp"

namespace baton::test {

// Tables that no file of tests/data/migrations has rows for, and a number that is used up.
constexpr const char* kRemainingRows = R"(
    INSERT INTO downstream_event (upstream, downstream, at_ms, kind, detail)
    VALUES ('', 'a/one', 1, 'silent', '');
    INSERT INTO flaky_cell SELECT 'up/stream', 'a/one', 'ci', 'test', min(id) FROM cell;
    INSERT INTO ladder_red
    SELECT upstream, downstream, 1, id, 'ci', 'test', pr_number, head_sha, event_type, 'own', 'r', 0, 0, '{}'
      FROM dispatch ORDER BY id LIMIT 1;
    INSERT INTO news (id, topic) VALUES (4999, 'relay');
    DELETE FROM news WHERE id = 4999;
)";

/// A SQLite store with rows of every table, as tests/data/migrations has them.
inline void make_full_house(const std::string& path) {
    auto db = store::sqlite::open(path, store::sqlite::Access::create);
    ASSERT_TRUE(db.has_value()) << db.error().detail;
    const auto all = store::sqlite::embedded_migrations();
    for (std::size_t i = 0; i < all.size(); ++i) {
        ASSERT_TRUE(apply_migrations(*db, all.first(i + 1), TimePoint{}).has_value());
        db->script(rows_after(all[i]).c_str(), "rows");
    }
    db->script(kRemainingRows, "rows");
    ASSERT_TRUE(db->ok()) << db->failure().text;
}

} // namespace baton::test
