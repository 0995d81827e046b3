#include "baton/app/ask_github.hpp"

#include "baton/app/errand.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/config/config.hpp"
#include "baton/domain/caller.hpp"

#include <string>

namespace baton::app {

Result<HeadSha>
ask_head_of(const config::Config& config, const RepoName& repo, const std::string& ref) {
    BATON_TRY(const auto errand, Errand::begin(config));
    return errand->run(errand->github().head_of(repo, ref));
}

Result<domain::ImmutableIds> ask_ids_of(const config::Config& config, const RepoName& repo) {
    BATON_TRY(const auto errand, Errand::begin(config));
    return errand->run(errand->github().repository_ids(repo));
}

} // namespace baton::app
