#include "baton/github/paging.hpp"

#include "baton/base/text.hpp"
#include "baton/net/url.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

namespace baton::github {

std::optional<std::string> next_page(std::string_view link, std::string_view parameter) {
    while (!link.empty()) {
        const auto open = link.find('<');
        const auto close = link.find('>', open == std::string_view::npos ? 0 : open);
        if (open == std::string_view::npos || close == std::string_view::npos) {
            return std::nullopt;
        }
        const auto address = link.substr(open + 1, close - open - 1);
        link.remove_prefix(close + 1);
        const auto comma = std::min(link.find(",<"), link.find(", <"));
        const auto about = link.substr(0, comma);
        if (about.find("rel=\"next\"") != std::string_view::npos) {
            const auto mark = address.find('?');
            const auto query =
                mark == std::string_view::npos ? std::string_view{} : address.substr(mark + 1);
            return net::query_value(query, parameter);
        }
        link.remove_prefix(std::min(comma, link.size()));
    }
    return std::nullopt;
}

} // namespace baton::github
