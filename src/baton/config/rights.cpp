#include "baton/config/allowlist_at.hpp"
#include "baton/config/config.hpp"

#include <fmt/format.h>

#include <string>
#include <variant>
#include <vector>

namespace baton::config {

std::vector<std::string> rights_needed(const Config& config) {
    std::vector<std::string> rights;
    for (const auto& upstream : config.upstreams) {
        const auto* const list = std::get_if<AllowlistOnGithub>(&upstream.allowlist);
        if (upstream.proposals == ProposalWay::pull_request && list != nullptr) {
            rights.push_back(fmt::format(
                "proposals for {} are pull requests: the App needs contents: write and pull "
                "requests: write on {}",
                upstream.repo.text(),
                list->repo.text()
            ));
        }
    }
    for (const auto& receiver : config.notify) {
        if (const auto* const issue = std::get_if<IssueAt>(&receiver.at)) {
            rights.push_back(fmt::format(
                "{} is told by comments: the App needs issues: write on {}",
                receiver.name,
                issue->repo.text()
            ));
        }
    }
    return rights;
}

} // namespace baton::config
