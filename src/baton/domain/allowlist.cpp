#include "baton/domain/allowlist.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/level.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::domain {

std::string to_text(const Pause& pause) {
    return fmt::format("paused until {}: {}", to_rfc3339(pause.until), pause.reason);
}

Level listed_level(const Downstream& downstream) {
    return downstream.lowered_from.value_or(downstream.level);
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

Allowlist lowered(const Allowlist& listed, const std::map<RepoName, Level>& levels) {
    Allowlist list;
    for (auto downstream : listed.downstreams()) {
        const auto found = levels.find(downstream.repo);
        if (found != levels.end() && found->second < downstream.level) {
            downstream.lowered_from = listed_level(downstream);
            downstream.level = found->second;
        }
        list.add(std::move(downstream));
    }
    return list;
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
