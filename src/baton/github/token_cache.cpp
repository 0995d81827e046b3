#include "baton/github/token_cache.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/wire/json_text.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::github {

std::string_view permissions_json(Grant grant) {
    switch (grant) {
    case Grant::write_contents:
        return R"({"contents":"write"})";
    case Grant::read_contents:
        return R"({"contents":"read"})";
    case Grant::read_metadata:
        return R"({"metadata":"read"})";
    case Grant::read_pulls:
        return R"({"pull_requests":"read"})";
    case Grant::write_pulls:
        return R"({"pull_requests":"write"})";
    case Grant::read_checks:
        return R"({"checks":"read"})";
    case Grant::write_checks:
        return R"({"checks":"write"})";
    case Grant::write_actions:
        return R"({"actions":"write"})";
    case Grant::read_issues:
        return R"({"issues":"read"})";
    case Grant::write_issues:
        return R"({"issues":"write"})";
    }
    return "{}";
}

std::string token_request(const Installation& installation, const RepoName& repo, Grant grant) {
    // Without a list GitHub would give a token for every repository of the installation.
    const auto which = installation.repo_id
                           ? fmt::format(R"("repository_ids":[{}])", *installation.repo_id)
                           : fmt::format(R"("repositories":[{}])", wire::json_quoted(repo.repo()));
    return fmt::format(R"({{{},"permissions":{}}})", which, permissions_json(grant));
}

std::string TokenOwner::key() const {
    return fmt::format("{}/{}/{}", installation, static_cast<int>(grant), repo.key());
}

std::optional<std::string> TokenCache::find(const TokenOwner& owner, TimePoint now) const {
    const auto* token = tokens_.find(owner.key(), now);
    return token == nullptr ? std::nullopt : std::optional(*token);
}

void TokenCache::put(const TokenOwner& owner, std::string token, TimePoint expires_at) {
    tokens_.put(owner.key(), std::move(token), expires_at - kMargin);
}

void TokenCache::reject(const TokenOwner& owner, std::string_view token) {
    const auto* known = tokens_.find(owner.key(), TimePoint::min());
    if (known != nullptr && *known == token) {
        tokens_.erase(owner.key());
    }
}

} // namespace baton::github
