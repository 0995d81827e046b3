#include "baton/app/errand.hpp"

#include "baton/app/from_config.hpp"
#include "baton/base/result.hpp"
#include "baton/config/config.hpp"
#include "baton/github/app_client.hpp"

#include <memory>
#include <utility>

namespace baton::app {

Result<std::unique_ptr<Errand>> Errand::begin(const config::Config& config) {
    BATON_TRY(auto app, identity(config));
    auto errand = std::unique_ptr<Errand>(new Errand);
    BATON_TRY(
        errand->github_,
        github::RestGithub::make(
            errand->executor(), github_options(config), std::move(app), errand->clock_
        )
    );
    return errand;
}

} // namespace baton::app
