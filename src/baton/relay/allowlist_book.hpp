#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/level.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace baton::relay {

/// How the allowlist of one upstream stands: what /readyz and the metrics show.
struct AllowlistStatus {
    RepoName upstream;
    bool in_force{false}; // some version, perhaps an old one
    std::size_t downstreams{0};
    std::string trouble; // why the newest text was not taken; empty when all is well
    TimePoint trouble_since{};
};

/// The allowlists in force, one per upstream, with the levels that hold now. Any thread may look;
/// the keepers write, and the ladder.
class AllowlistBook {
public:
    /// Null while no version was ever read: then nobody knows who is listed, and planning has to
    /// wait.
    std::shared_ptr<const domain::Allowlist> find(const RepoName& upstream) const;

    /// Whether everybody may know of that downstream: not of one that is not listed. nullopt: no
    /// version was ever read.
    std::optional<bool> is_open(const RepoName& upstream, const RepoName& downstream) const;

    void put(const RepoName& upstream, domain::Allowlist allowlist);
    /// Who may do less than is listed, for a while: these and nobody else, whatever is put later.
    void lower(const RepoName& upstream, std::map<RepoName, domain::Level> levels);
    /// `put` heals it.
    void report_trouble(const RepoName& upstream, std::string trouble, TimePoint now);
    std::vector<AllowlistStatus> status() const;

private:
    struct Page {
        std::shared_ptr<const domain::Allowlist> listed;
        std::shared_ptr<const domain::Allowlist> allowlist; // with what is lowered
        std::string trouble;
        TimePoint trouble_since{};
    };

    void apply(const RepoName& upstream, Page& page);

    mutable std::mutex mutex_; // never held across an await: pages are handed out as shared values
    std::map<RepoName, Page> pages_;
    std::map<RepoName, std::map<RepoName, domain::Level>> lowered_; // by upstream
};

} // namespace baton::relay
