#include "baton/sim/sim_world.hpp"

#include "baton/base/time.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/sim/api_limits.hpp"
#include "baton/sim/dispatch_log.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/github_api.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/oidc_api.hpp"
#include "baton/sim/oidc_issuer.hpp"
#include "baton/sim/post.hpp"

#include <string>
#include <utility>

namespace baton::sim {

SimWorld::SimWorld(const GithubModel::Options& options, crypto::RsaPublicKey app_key)
    : model(options)
    , faults(options.seed)
    , api(model, limits, std::move(app_key), options.seed)
    , outbox(options.seed)
    , runs(options.seed)
    , downstreams(runs, options.seed) {
    model.dispatches().on_arrival([this](const ReceivedDispatch& dispatch) {
        if (const auto* const repo = model.repo(dispatch.repo)) {
            downstreams.arrived(dispatch, *repo);
        }
    });
    model.on_rerun([this](const Rerun& what) { return downstreams.rerun(what); });
}

SimWorld::Heard SimWorld::hear(const ApiRequest& request, TimePoint now) {
    const auto of_issuer = oidc_route(request.path);
    const auto hit = of_issuer ? RouteHit{.name = *of_issuer} : api.route_of(request);
    ++requests[std::string(hit.name)];
    Heard heard{.fault = faults.decide(hit.name, hit.repo), .reply = {}, .under_way = std::nullopt};
    const auto& fault = heard.fault;
    const bool performed = fault.perform && fault.ending != Fault::Ending::unreachable;
    if (performed && of_issuer) {
        heard.reply = answer_oidc(oidc, runs, request, now);
    } else if (performed) {
        auto answered = api.take(request, now);
        heard.reply = std::move(answered.reply);
        heard.under_way = answered.under_way;
        for (auto& delivery : model.take_redeliveries()) {
            outbox.put(std::move(delivery), true);
        }
    }
    if (fault.ending == Fault::Ending::status) {
        heard.reply = api_error(fault.status, fault.message);
        if (fault.retry_after) {
            heard.reply.headers.add("Retry-After", std::to_string(fault.retry_after->count()));
            const auto* const repo = hit.repo ? model.repo(*hit.repo) : nullptr;
            const auto who = repo != nullptr ? model.installation_of(*repo) : kTheApp;
            limits.note(who, {.kind = LimitKind::fault, .until = now + *fault.retry_after}, now);
        }
    }
    return heard;
}

void SimWorld::move_to(const std::string& url) {
    model.move_to({.api_url = url, .html_url = url});
    oidc.move_to(url + std::string(kOidcPath));
}

} // namespace baton::sim
