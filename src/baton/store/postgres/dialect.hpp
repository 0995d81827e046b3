#pragma once

#include <string>
#include <string_view>

namespace baton::store::postgres {

/// A statement of ours as PostgreSQL reads it: `?1` is `$1`; hints for SQLite's planner (INDEXED
/// BY, and CROSS JOIN where a condition follows) are left out, and what only PostgreSQL understands
/// (`/*+ FOR UPDATE SKIP LOCKED */`) is let in. Quoted text stays as it is.
std::string to_postgres(std::string_view sql);

/// A value as PostgreSQL's text can hold it: each NUL and each byte of broken UTF-8 is U+FFFD.
std::string clean(std::string_view text);

} // namespace baton::store::postgres
