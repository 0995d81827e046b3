#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/verification_key.hpp"
#include "baton/sim/actions_runs.hpp"
#include "baton/sim/control_args.hpp"
#include "baton/sim/control_calls.hpp"
#include "baton/sim/oidc_api.hpp"
#include "baton/sim/sim_world.hpp"

#include <boost/json/object.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

namespace baton::sim {

namespace json = boost::json;

ControlResult set_oidc(SimWorld& world, const ControlArgs& args, TimePoint now) {
    auto& issuer = world.oidc;
    auto trouble = issuer.trouble;
    BATON_TRY(trouble.outage, args.flag("outage", trouble.outage));
    BATON_TRY(const auto skew, args.number("skew_s", trouble.skew.count()));
    BATON_TRY(const auto rotate, args.flag("rotate", false));
    BATON_TRY(const auto drop, args.flag("drop", false));
    BATON_TRY(const auto name, args.text("algorithm", "RS256"));
    const auto algorithm = crypto::algorithm_named(name);
    if (!algorithm) {
        return fail(Errc::invalid, "\"algorithm\" must be RS256 or ES256");
    }
    issuer.trouble = {.outage = trouble.outage, .skew = std::chrono::seconds{skew}};
    if (rotate) {
        issuer.rotate(*algorithm);
    }
    if (drop) {
        issuer.drop_old_keys();
    }
    return show_oidc(world, args, now);
}

ControlResult show_oidc(SimWorld& world, const ControlArgs& /*args*/, TimePoint /*now*/) {
    const auto& issuer = world.oidc;
    return json::object{
        {"issuer", issuer.url()},
        {"keys", issuer.keys_published()},
        {"outage", issuer.trouble.outage},
        {"skew_s", issuer.trouble.skew.count()},
    };
}

ControlResult begin_run(SimWorld& world, const ControlArgs& args, TimePoint /*now*/) {
    BATON_TRY(const auto name, args.repo());
    const auto* const repo = world.model.repo(name);
    if (repo == nullptr) {
        return fail(Errc::not_found, fmt::format("there is no repository {}", name.text()));
    }
    NewRun what;
    BATON_TRY(what.workflow, args.text("workflow", what.workflow));
    BATON_TRY(what.event_name, args.text("event_name", what.event_name));
    BATON_TRY(const auto attempt, args.number("attempt", 1));
    if (attempt < 1 || attempt > std::numeric_limits<int>::max()) {
        return fail(Errc::invalid, "\"attempt\" must be at least 1");
    }
    auto run = world.runs.begin(*repo, std::move(what));
    BATON_TRY(run.id, args.number("run_id", run.id));
    run.attempt = static_cast<int>(attempt);
    return json::object{
        {"run_id", run.id},
        {"run_number", run.number},
        {"run_attempt", run.attempt},
        {"request_url", token_request_url(world.oidc, run)},
        {"request_token", world.runs.request_token(run)},
    };
}

} // namespace baton::sim
