#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"

#include <string>
#include <string_view>
#include <variant>

namespace baton::config {

/// `file:PATH`
struct AllowlistFile {
    std::string path;

    friend bool operator==(const AllowlistFile&, const AllowlistFile&) = default;
};

/// `github:OWNER/REPO/PATH@REF`
struct AllowlistOnGithub {
    RepoName repo;
    std::string path;
    std::string ref;

    friend bool operator==(const AllowlistOnGithub&, const AllowlistOnGithub&) = default;
};

/// Where an allowlist comes from.
using AllowlistAt = std::variant<AllowlistFile, AllowlistOnGithub>;

/// `invalid` with what to write instead. The path of a file is taken as it stands.
Result<AllowlistAt> parse_allowlist_at(std::string_view text);

/// The text that `parse_allowlist_at` reads.
std::string to_text(const AllowlistAt& at);

} // namespace baton::config
