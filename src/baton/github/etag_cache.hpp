#pragma once

#include "baton/net/client.hpp"

#include <cstddef>
#include <deque>
#include <string>
#include <unordered_map>

namespace baton::github {

/// Answers that GitHub marked with an ETag, by what was asked. Asked for again with the mark, an
/// answer that did not change costs nothing. Bounded by bytes; the oldest makes room. One thread.
class EtagCache {
public:
    static constexpr std::size_t kBytesMax = 4U * 1024 * 1024;
    static constexpr std::size_t kAnswerBytesMax = 64U * 1024;

    /// Empty: nothing is kept of this.
    std::string mark_of(const std::string& asked) const;

    /// A 304 becomes the answer that is kept; one that is no longer kept stays a 304. A 200 with a
    /// mark is kept from now on, unless it is large.
    void settle(const std::string& asked, net::ClientReply& reply);

private:
    struct Kept {
        std::string etag;
        net::ClientReply reply;
    };

    void keep(const std::string& asked, Kept kept);
    void forget(const std::string& asked);

    std::unordered_map<std::string, Kept> kept_;
    std::deque<std::string> order_; // oldest first
    std::size_t bytes_{0};
};

} // namespace baton::github
