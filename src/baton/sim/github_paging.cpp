#include "baton/sim/github_paging.hpp"

#include "baton/base/text.hpp"
#include "baton/net/url.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace baton::sim {

namespace {

std::optional<std::size_t> number_of(std::string_view query, std::string_view name) {
    const auto number = whole_number(net::query_value(query, name).value_or(""));
    return number && *number > 0 ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
}

/// Everything that was asked but the page.
std::string without_page(std::string_view query) {
    std::string out;
    while (!query.empty()) {
        const auto pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(query.size(), pair.size() + 1));
        if (!pair.starts_with("page=")) {
            out.append(pair).append("&");
        }
    }
    return out;
}

} // namespace

PageAsk PageAsk::in(std::string_view query) {
    return {
        .per_page = std::min(number_of(query, "per_page").value_or(kUsual), kMost),
        .page = number_of(query, "page").value_or(1),
    };
}

std::string
page_links(std::string_view url, std::string_view query, const PageAsk& ask, std::size_t total) {
    const auto last = std::max<std::size_t>((total + ask.per_page - 1) / ask.per_page, 1);
    const auto rest = without_page(query);
    std::string out;
    const auto add = [&](std::size_t page, std::string_view rel) {
        out += fmt::format(
            "{}<{}?{}page={}>; rel=\"{}\"", out.empty() ? "" : ", ", url, rest, page, rel
        );
    };
    if (ask.page > 1) {
        add(std::min(ask.page - 1, last), "prev");
    }
    if (ask.page < last) {
        add(ask.page + 1, "next");
        add(last, "last");
    }
    if (ask.page > 1) {
        add(1, "first");
    }
    return out;
}

} // namespace baton::sim
