#include "baton/relay/upstream.hpp"

#include "baton/base/ids.hpp"
#include "baton/domain/checks.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/gate.hpp"

#include <map>
#include <string>
#include <vector>

namespace baton::relay {

std::vector<RepoName> repos_of(const std::vector<Upstream>& upstreams) {
    std::vector<RepoName> repos;
    for (const auto& upstream : upstreams) {
        repos.push_back(upstream.repo);
    }
    return repos;
}

domain::Interests interests_of(const std::vector<Upstream>& upstreams) {
    domain::Interests interests{.upstreams = repos_of(upstreams), .files = {}};
    for (const auto& upstream : upstreams) {
        if (upstream.watched) {
            interests.files.push_back(*upstream.watched);
        }
    }
    return interests;
}

std::map<RepoName, domain::CheckRules> check_rules_of(
    const std::vector<Upstream>& upstreams, const domain::GateRules& gate, const std::string& page
) {
    std::map<RepoName, domain::CheckRules> rules;
    for (const auto& upstream : upstreams) {
        rules[upstream.repo] = {
            .prefix = upstream.check_prefix,
            .label_prefixes = upstream.label_prefixes,
            .page = page,
            .gate = gate,
            .gate_always = upstream.gate_always,
            .comment = upstream.comment,
        };
    }
    return rules;
}

} // namespace baton::relay
