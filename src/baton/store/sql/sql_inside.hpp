#pragma once

#include "baton/base/result.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/queue.hpp"
#include "baton/store/sql/recent_ids.hpp"
#include "baton/store/sql/sql_levels.hpp"
#include "baton/store/sql/sql_measuring.hpp"
#include "baton/store/sql/sql_operators.hpp"
#include "baton/store/sql/sql_store.hpp"
#include "baton/store/sql/sql_views.hpp"

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace baton::store {

namespace sql {

/// A verb answers with a value, a Result or nothing; here all become Results.
template <class T, class Verb> Result<T> answer_of(Verb& verb, Connection& db) {
    if constexpr (std::is_void_v<decltype(verb(db))>) {
        verb(db);
        return {};
    } else {
        return verb(db);
    }
}

} // namespace sql

/// What a SqlStore is made of; for its own files only.
struct SqlStore::Inside {
    explicit Inside(sql::Queues of_adapter)
        : queues(of_adapter) {}

    static constexpr std::size_t kRecentIds = 32'768; // a few megabytes at most

    template <class T, class Verb> Awaitable<T> write(Verb verb) {
        return submit<T>(queues.writer, std::move(verb));
    }

    template <class T, class Verb> Awaitable<T> read(Verb verb) {
        return submit<T>(queues.readers, std::move(verb));
    }

    template <class T, class Verb> static Awaitable<T> submit(sql::Queue& queue, Verb verb) {
        auto work = [verb = std::move(verb)](sql::Connection& db) {
            return sql::answer_of<T>(verb, db);
        };
        return queue.submit<T>(std::move(work));
    }

    sql::Queues queues;
    std::shared_ptr<sql::RecentIds> recent{std::make_shared<sql::RecentIds>(kRecentIds)};
    sql::SqlViews views{queues.viewers};
    sql::SqlOperators operators{queues.writer, queues.viewers};
    sql::SqlLevels levels{queues.writer, queues.viewers};
    sql::SqlMeasuring measuring{queues.viewers};
};

} // namespace baton::store
