#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/checks.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/gate.hpp"
#include "baton/ports/text_source.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace baton::relay {

/// One upstream: where its allowlist comes from and what its labels look like.
struct Upstream {
    RepoName repo;
    ports::TextSource& source;
    Millis refresh{};
    std::optional<domain::WatchedFile> watched;
    std::vector<std::string> label_prefixes;
    std::string check_prefix{"crcr"};
    bool gate_always{false}; // also while no level 4 downstream is listed
    bool comment{false};     // one per pull request, when the gate has something to say
};

std::vector<RepoName> repos_of(const std::vector<Upstream>& upstreams);

/// Whose events are ours, and which files are watched.
domain::Interests interests_of(const std::vector<Upstream>& upstreams);

/// What checks look like on each; `page` is the HUD's, for links.
std::map<RepoName, domain::CheckRules> check_rules_of(
    const std::vector<Upstream>& upstreams, const domain::GateRules& gate, const std::string& page
);

} // namespace baton::relay
