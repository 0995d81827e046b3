#include "baton/app/recover.hpp"

#include "baton/app/errand.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/config/config.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/recovery.hpp"

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
    BATON_TRY(const auto errand, Errand::begin(config));
    std::vector<RepoName> upstreams;
    for (const auto& upstream : config.upstreams) {
        upstreams.push_back(upstream.repo);
    }
    Troubles troubles;
    relay::Recovery recovery(
        {.upstreams = std::move(upstreams), .every = config.recovery_every},
        {.executor = errand->executor(),
         .store = store,
         .github = errand->github(),
         .clock = errand->clock(),
         .journal = troubles,
         .on_rebuilt = [] {}} // a running relay looks every second
    );
    auto work = plan.ask ? recovery.walk(plan.since) : recovery.look(plan.since);
    BATON_TRY(auto report, errand->run(std::move(work)));
    return Recovered{.report = std::move(report), .troubles = std::move(troubles.told)};
}

} // namespace baton::app
