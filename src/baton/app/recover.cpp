#include "baton/app/recover.hpp"

#include "baton/app/from_config.hpp"
#include "baton/app/system_clock.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/config/config.hpp"
#include "baton/github/app_client.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/recovery.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace baton::app {

namespace {

/// Keeps the troubles; the rest is in the report.
class Troubles final : public ports::Journal {
public:
    void note(const ports::JournalEntry& entry) override {
        if (const auto* trouble = std::get_if<ports::Trouble>(&entry)) {
            told.push_back(trouble->detail);
        }
    }

    std::vector<std::string> told;
};

} // namespace

Result<Recovered>
recover(const config::Config& config, ports::Store& store, const RecoverPlan& plan) {
    BATON_TRY(auto app, identity(config));
    boost::asio::io_context loop{1};
    SystemClock clock(loop.get_executor());
    BATON_TRY(
        const auto github,
        github::RestGithub::make(
            loop.get_executor(),
            {.api_url = config.github.api_url, .pace = config.github.pace.value_or(0)},
            std::move(app),
            clock
        )
    );
    std::vector<RepoName> upstreams;
    for (const auto& upstream : config.upstreams) {
        upstreams.push_back(upstream.repo);
    }
    Troubles troubles;
    relay::Recovery recovery(
        {.upstreams = std::move(upstreams), .every = config.recovery_every},
        {.executor = loop.get_executor(),
         .store = store,
         .github = *github,
         .clock = clock,
         .journal = troubles,
         .on_rebuilt = [] {}} // a running relay looks every second
    );
    auto work = plan.ask ? recovery.walk(plan.since) : recovery.look(plan.since);
    auto walked = boost::asio::co_spawn(loop, std::move(work), boost::asio::use_future);
    loop.run();
    BATON_TRY(auto report, walked.get());
    return Recovered{.report = std::move(report), .troubles = std::move(troubles.told)};
}

} // namespace baton::app
