#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// Numbered pages as GitHub serves them: `per_page`, `page`, and a Link header to the others.
namespace baton::sim {

struct PageAsk {
    static constexpr std::size_t kMost = 100;
    static constexpr std::size_t kUsual = 30;

    std::size_t per_page{kUsual};
    std::size_t page{1};

    /// From a query; what cannot be read counts as not asked for, and more than GitHub gives as the
    /// most it gives.
    static PageAsk in(std::string_view query);

    std::size_t begin() const { return (page - 1) * per_page; }
};

/// The value of the Link header: prev, next, last and first as far as they exist; empty when one
/// page is all. `url` stands without its query, `query` is the one that was asked with.
std::string
page_links(std::string_view url, std::string_view query, const PageAsk& ask, std::size_t total);

} // namespace baton::sim
