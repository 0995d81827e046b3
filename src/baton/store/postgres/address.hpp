#pragma once

#include <string>

namespace baton::store::postgres {

/// Whether libpq can read the address.
bool is_readable(const std::string& url);

/// For people: who, where and which database, and nothing that may be secret.
std::string shown(const std::string& url);

} // namespace baton::store::postgres
