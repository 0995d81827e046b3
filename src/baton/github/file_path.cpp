#include "baton/github/file_path.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/net/url.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace baton::github {

Result<std::string> encoded_path(std::string_view path) {
    std::string encoded;
    while (!path.empty()) {
        const auto slash = std::min(path.find('/'), path.size());
        const auto segment = path.substr(0, slash);
        if (segment.empty() || segment == "." || segment == "..") {
            return fail(
                Errc::invalid, fmt::format("\"{}\" is not a path inside a repository", inert(path))
            );
        }
        encoded += '/';
        encoded += net::percent_encode(segment);
        path.remove_prefix(std::min(slash + 1, path.size()));
    }
    return encoded;
}

} // namespace baton::github
