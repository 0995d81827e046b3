#pragma once

#include "baton/base/result.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/queue.hpp"

#include <boost/asio/awaitable.hpp>

#include <type_traits>
#include <utility>

namespace baton::store::sql {

/// Queues a verb over a connection. It answers with a value, a Result or nothing; here all become
/// Results.
template <class T, class Verb> boost::asio::awaitable<Result<T>> ask(Queue& queue, Verb verb) {
    auto work = [verb = std::move(verb)](Connection& db) -> Result<T> {
        if constexpr (std::is_void_v<decltype(verb(db))>) {
            verb(db);
            return {};
        } else {
            return verb(db);
        }
    };
    return queue.submit<T>(std::move(work));
}

} // namespace baton::store::sql
