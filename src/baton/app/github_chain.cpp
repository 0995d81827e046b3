#include "baton/app/github_chain.hpp"

#include "baton/base/result.hpp"
#include "baton/github/app_client.hpp"
#include "baton/github/credentials.hpp"
#include "baton/ports/github.hpp"
#include "baton/relay/shadow_github.hpp"

#include <memory>
#include <utility>

namespace baton::app {

Result<std::unique_ptr<GithubChain>> GithubChain::make(Setting setting) {
    setting.options.calendar = [&clock = setting.clock] { return clock.calendar(); };
    BATON_TRY(
        auto real,
        github::RestGithub::make(
            setting.executor, setting.options, std::move(setting.app), setting.clock
        )
    );
    return std::unique_ptr<GithubChain>(new GithubChain(std::move(real), setting));
}

/// From the outside in: a shadow sees what a stepped one sees of the real one.
GithubChain::GithubChain(std::unique_ptr<github::RestGithub> real, const Setting& setting)
    : real_(std::move(real))
    , stepped_(setting.stepped)
    , stepped_github_(*real_, setting.life)
    , stepped_writing_(*real_, setting.life)
    , seen_(stepped_ ? static_cast<ports::Github*>(&stepped_github_) : real_.get()) {
    if (setting.shadow) {
        shadow_ = std::make_unique<relay::ShadowGithub>(*seen_);
        seen_ = shadow_.get();
    }
}

void GithubChain::use(github::AppIdentity app) {
    real_->use(std::move(app));
}

} // namespace baton::app
