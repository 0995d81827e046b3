#pragma once

#include "baton/net/url.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace baton::github {

/// Where a reply of GitHub points, as far as Baton follows: to a repository by its number, and to
/// the same thing of it.
///
/// `location` is the header's value, `api` the base URL, `tail` what was asked of the repository
/// ("/dispatches"). The number of the repository, or nullopt for another host, another thing, a
/// repository by name (it may be another one by now), and everything that is not understood. The
/// target is then built from the number alone, so a reply can never send our token anywhere else.
std::optional<std::int64_t>
moved_to(std::string_view location, const net::Url& api, std::string_view tail);

} // namespace baton::github
