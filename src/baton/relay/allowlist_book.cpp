#include "baton/relay/allowlist_book.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/level.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::relay {

std::shared_ptr<const domain::Allowlist> AllowlistBook::find(const RepoName& upstream) const {
    const std::scoped_lock lock(mutex_);
    const auto found = pages_.find(upstream);
    return found == pages_.end() ? nullptr : found->second.allowlist;
}

std::optional<bool>
AllowlistBook::is_open(const RepoName& upstream, const RepoName& downstream) const {
    const auto list = find(upstream);
    if (!list) {
        return std::nullopt;
    }
    const auto* const listed = list->find(downstream);
    return listed != nullptr && listed->visibility == domain::Visibility::open;
}

void AllowlistBook::put(const RepoName& upstream, domain::Allowlist allowlist) {
    auto fresh = std::make_shared<const domain::Allowlist>(std::move(allowlist));
    const std::scoped_lock lock(mutex_);
    auto& page = pages_[upstream];
    page.listed = std::move(fresh);
    page.trouble.clear();
    page.trouble_since = {};
    apply(upstream, page);
}

void AllowlistBook::lower(const RepoName& upstream, std::map<RepoName, domain::Level> levels) {
    const std::scoped_lock lock(mutex_);
    auto& lowered = lowered_[upstream];
    if (lowered == levels) {
        return; // another list would be a reason to look at everything open
    }
    lowered = std::move(levels);
    const auto found = pages_.find(upstream);
    if (found != pages_.end()) {
        apply(upstream, found->second);
    }
}

void AllowlistBook::apply(const RepoName& upstream, Page& page) {
    const auto& lowered = lowered_[upstream];
    page.allowlist =
        page.listed && !lowered.empty()
            ? std::make_shared<const domain::Allowlist>(domain::lowered(*page.listed, lowered))
            : page.listed;
}

void AllowlistBook::report_trouble(const RepoName& upstream, std::string trouble, TimePoint now) {
    const std::scoped_lock lock(mutex_);
    auto& page = pages_[upstream];
    if (page.trouble != trouble) {
        page.trouble = std::move(trouble);
        page.trouble_since = now;
    }
}

std::vector<AllowlistStatus> AllowlistBook::status() const {
    const std::scoped_lock lock(mutex_);
    std::vector<AllowlistStatus> all;
    for (const auto& [upstream, page] : pages_) {
        all.push_back({
            .upstream = upstream,
            .in_force = page.allowlist != nullptr,
            .downstreams = page.allowlist ? page.allowlist->downstreams().size() : 0,
            .trouble = page.trouble,
            .trouble_since = page.trouble_since,
        });
    }
    return all;
}

} // namespace baton::relay
