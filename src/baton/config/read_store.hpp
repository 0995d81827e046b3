#pragma once

#include "baton/base/result.hpp"
#include "baton/config/values.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/wire/yaml.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace baton::config {

/// Reads `store`: the path of the file behind `sqlite:`. Faults are noted.
std::optional<std::string> read_store(const wire::yaml::Node& node, Values& values);

/// Whether an address of PostgreSQL has a password in it:
/// `postgresql://user:password@host/database`, or `?password=`.
bool carries_password(std::string_view url);

/// What is said about a file that cannot be read; it has no place.
domain::Finding cannot_be_read(const Error& why);

} // namespace baton::config
