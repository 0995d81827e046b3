#pragma once

#include "baton/store/sql/connection.hpp"

#include <string>
#include <string_view>

namespace baton::store::postgres {

/// What is said of a role that may not do what Baton does.
inline constexpr std::string_view kNoRights =
    "the database refuses Baton's role: it must own the schema that it uses and may create in the "
    "database (docs/operations/size.md)";

/// What a failure with this SQLSTATE means for the caller, in one sentence.
sql::Failure failure_of(std::string_view state, std::string text);

} // namespace baton::store::postgres
