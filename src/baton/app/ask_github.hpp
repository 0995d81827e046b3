#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/config/config.hpp"
#include "baton/domain/caller.hpp"

#include <string>

/// One question to GitHub with the App's credentials, asked and answered before it returns: for
/// commands that run beside the relay.
namespace baton::app {

/// The commit that a branch, tag or SHA of a repository names now.
Result<HeadSha>
ask_head_of(const config::Config& config, const RepoName& repo, const std::string& ref);

Result<domain::ImmutableIds> ask_ids_of(const config::Config& config, const RepoName& repo);

} // namespace baton::app
