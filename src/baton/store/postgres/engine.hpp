#pragma once

#include "baton/base/result.hpp"
#include "baton/store/postgres/patience.hpp"
#include "baton/store/sql/connection.hpp"

#include <cstdint>
#include <string>

namespace baton::store::postgres {

using sql::Connection;
using sql::Query;

/// Whom a commit is told to: replicas find what they wrote themselves, and look now and then for
/// what others wrote.
enum class Telling : std::uint8_t { nobody = 1, relays };

/// Connects at once, and refuses a server that is older than 15. `url` is what libpq takes
/// (postgresql://…, or `host=… dbname=…`); passwords may come from its own ways (PGPASSFILE).
///
/// A connection that breaks fails the transaction under way and is made anew by the next `begin`.
/// Whether a COMMIT whose answer was lost took place is asked of the server afterwards, so that it
/// is told as what it was.
Result<Connection> connect(
    const std::string& url, Telling telling = Telling::nobody, Patience patience = Patience::seconds
);

} // namespace baton::store::postgres
