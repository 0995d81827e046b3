#pragma once

#include "baton/store/sql/asking.hpp"
#include "baton/store/sql/recent_ids.hpp"
#include "baton/store/sql/sql_levels.hpp"
#include "baton/store/sql/sql_measuring.hpp"
#include "baton/store/sql/sql_operators.hpp"
#include "baton/store/sql/sql_store.hpp"
#include "baton/store/sql/sql_views.hpp"

#include <cstddef>
#include <memory>
#include <utility>

namespace baton::store {

/// What a SqlStore is made of; for its own files only.
struct SqlStore::Inside {
    explicit Inside(sql::Queues of_adapter)
        : queues(of_adapter) {}

    static constexpr std::size_t kRecentIds = 32'768; // a few megabytes at most

    template <class T, class Verb> Awaitable<T> write(Verb verb) {
        return sql::ask<T>(queues.writer, std::move(verb));
    }

    template <class T, class Verb> Awaitable<T> read(Verb verb) {
        return sql::ask<T>(queues.readers, std::move(verb));
    }

    sql::Queues queues;
    std::shared_ptr<sql::RecentIds> recent{std::make_shared<sql::RecentIds>(kRecentIds)};
    sql::SqlViews views{queues.viewers};
    sql::SqlOperators operators{queues.writer, queues.viewers};
    sql::SqlLevels levels{queues.writer, queues.viewers};
    sql::SqlMeasuring measuring{queues.viewers};
};

} // namespace baton::store
