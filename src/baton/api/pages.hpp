#pragma once

#include "baton/net/server.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace baton::api {

/// A file inside the binary.
struct Asset {
    std::string_view path; // as it is served: "/assets/app-1a2b3c.js"
    std::string_view plain;
    std::string_view packed; // gzip; empty: only plain
    std::string_view tag;    // of its content
};

/// What the build put in: the description of the API, and the pages unless it was built without
/// them.
std::span<const Asset> embedded_pages();

/// Serves the files, and index.html wherever the pages have a path of their own. Files with a hash
/// in their name may be kept for ever; the rest is asked for each time.
std::vector<net::Route> page_routes(std::span<const Asset> assets);

} // namespace baton::api
