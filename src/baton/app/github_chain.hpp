#pragma once

#include "baton/app/system_clock.hpp"
#include "baton/base/result.hpp"
#include "baton/github/app_client.hpp"
#include "baton/github/credentials.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/github_writing.hpp"
#include "baton/relay/shadow_github.hpp"
#include "baton/sim/crash_points.hpp"
#include "baton/sim/stepped_github.hpp"
#include "baton/sim/stepped_writing.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <memory>

namespace baton::app {

/// GitHub as this process sees it: the real one, behind crash points where a test pulls the plug,
/// behind a shadow where nothing may be written.
class GithubChain {
public:
    struct Setting {
        boost::asio::any_io_executor executor;
        github::RestGithubOptions options;
        github::AppIdentity app;
        const SystemClock& clock; // outlives it
        std::shared_ptr<sim::Incarnation> life;
        bool stepped{false};
        bool shadow{false};
    };

    static Result<std::unique_ptr<GithubChain>> make(Setting setting);

    ports::Github& github() { return *seen_; }

    /// Not for a shadow: whoever writes through it is not made there.
    ports::GithubWriting& writing() {
        return stepped_ ? static_cast<ports::GithubWriting&>(stepped_writing_) : *real_;
    }

    /// A reload brought another key.
    void use(github::AppIdentity app);

private:
    GithubChain(std::unique_ptr<github::RestGithub> real, const Setting& setting);

    std::unique_ptr<github::RestGithub> real_;
    bool stepped_;
    sim::SteppedGithub stepped_github_;
    sim::SteppedWriting stepped_writing_;
    std::unique_ptr<relay::ShadowGithub> shadow_; // none: live
    ports::Github* seen_;                         // the outermost of these
};

} // namespace baton::app
