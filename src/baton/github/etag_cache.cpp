#include "baton/github/etag_cache.hpp"

#include "baton/net/client.hpp"

#include <string>
#include <utility>

namespace baton::github {

std::string EtagCache::mark_of(const std::string& asked) const {
    const auto found = kept_.find(asked);
    return found == kept_.end() ? std::string{} : found->second.etag;
}

void EtagCache::settle(const std::string& asked, net::ClientReply& reply) {
    if (reply.status == 304) {
        const auto found = kept_.find(asked);
        if (found != kept_.end()) {
            reply = found->second.reply;
        }
        return;
    }
    const auto etag = reply.headers.find("etag");
    if (reply.status == 200 && etag && reply.body.size() <= kAnswerBytesMax) {
        keep(asked, {.etag = std::string(*etag), .reply = reply});
    }
}

void EtagCache::keep(const std::string& asked, Kept kept) {
    forget(asked);
    bytes_ += kept.reply.body.size();
    kept_.emplace(asked, std::move(kept));
    order_.push_back(asked);
    while (bytes_ > kBytesMax) {
        forget(std::string(order_.front()));
    }
}

void EtagCache::forget(const std::string& asked) {
    const auto found = kept_.find(asked);
    if (found == kept_.end()) {
        return;
    }
    bytes_ -= found->second.reply.body.size();
    kept_.erase(found);
    std::erase(order_, asked);
}

} // namespace baton::github
