#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace baton::github {

/// One parameter of the address that a `Link` header calls "next"; nullopt when there is no further
/// page. The address itself is never followed: only what we ask for is asked.
std::optional<std::string> next_page(std::string_view link, std::string_view parameter);

} // namespace baton::github
