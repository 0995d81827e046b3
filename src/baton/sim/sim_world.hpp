#pragma once

#include "baton/base/time.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/sim/actions_runs.hpp"
#include "baton/sim/api_limits.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/github_api.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/hook_outbox.hpp"
#include "baton/sim/oidc_issuer.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace baton::sim {

/// Where webhooks go.
struct HookTarget {
    std::string url; // "http://127.0.0.1:8080/github/webhook"; empty: they wait
    std::string secret;
};

/// Everything that stands behind the simulator's door, without the door. Not safe for several
/// threads by itself.
struct SimWorld {
    SimWorld(const GithubModel::Options& options, crypto::RsaPublicKey app_key);

    SimWorld(const SimWorld&) = delete;
    SimWorld& operator=(const SimWorld&) = delete;

    /// What a request comes to: its fault, and the answer if it was carried out.
    struct Heard {
        Fault fault;
        ApiReply reply;
        std::optional<InstallationId> under_way; // until `limits.leave` is told
    };

    /// Counts the request, asks the faults, and has the effect if there is to be one.
    Heard hear(const ApiRequest& request, TimePoint now);
    /// Where all of it is found, once that is known.
    void move_to(const std::string& url);

    GithubModel model;
    Faults faults;
    ApiLimits limits;
    GithubApi api;
    HookOutbox outbox;
    HookTarget target;
    OidcIssuer oidc;
    ActionsRuns runs;
    DownstreamBook downstreams;
    std::map<std::string, std::size_t, std::less<>> requests; // by route
};

/// The control API of the simulator, for tests and demos: everything under /_sim/. JSON in, JSON
/// out; a refusal is
/// {"detail": "..."} with 400, 404 or 409. docs/design/simulator.md lists the calls.
ApiReply control(SimWorld& world, const ApiRequest& request, TimePoint now);

} // namespace baton::sim
