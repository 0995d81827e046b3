#include "baton/domain/allowlist.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::domain {

std::string to_text(const Pause& pause) {
    return fmt::format("paused until {}: {}", to_rfc3339(pause.until), pause.reason);
}

bool is_paused(const Downstream& downstream, TimePoint now) {
    return downstream.pause && now < downstream.pause->until;
}

bool Allowlist::add(Downstream downstream) {
    const auto [position, added] = by_repo_.try_emplace(downstream.repo, downstreams_.size());
    if (added) {
        downstreams_.push_back(std::move(downstream));
    }
    return added;
}

const Downstream* Allowlist::find(const RepoName& repo) const {
    const auto found = by_repo_.find(repo);
    return found == by_repo_.end() ? nullptr : &downstreams_[found->second];
}

std::string to_text(const Finding& finding, std::string_view file) {
    const std::string_view kind = finding.severity == Severity::error ? "error" : "warning";
    if (finding.line == 0) {
        return fmt::format("{}: {}: {}", file, kind, finding.message);
    }
    return fmt::format(
        "{}:{}:{}: {}: {}", file, finding.line, finding.column, kind, finding.message
    );
}

bool has_errors(const std::vector<Finding>& findings) {
    return std::ranges::any_of(findings, [](const Finding& finding) {
        return finding.severity == Severity::error;
    });
}

} // namespace baton::domain
