#pragma once

#include "baton/api/actors.hpp"
#include "baton/base/ids.hpp"
#include "baton/domain/quota.hpp"
#include "baton/hud/desk.hpp"
#include "baton/hud/overview.hpp"
#include "baton/hud/quality_shelf.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/views.hpp"
#include "baton/relay/allowlist_book.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace baton::api {

/// What a running relay knows of itself.
struct RelayFacts {
    hud::RelayState state;
    std::vector<domain::QuotaView> quotas;
    std::vector<std::string> sinks;
    std::vector<relay::AllowlistStatus> allowlists;
    std::size_t listeners{0};
    std::size_t refusals_dropped{0};
    std::optional<std::size_t> resident_bytes;
};

struct HudSurroundings {
    hud::Desk& desk;
    ports::Store& store;
    ports::Views& views;
    ports::Operators& operators;
    ports::Clock& clock;
    Actors& actors;
    std::string github_url; // where people see pull requests; empty: unknown
    std::string public_url; // where people see this relay
    std::vector<RepoName> upstreams;
    bool shadow{false};
    /// What is known outside of the store. Any thread, as the next.
    std::function<RelayFacts()> facts;
    std::function<void()> wake; // the relay looks at once for what was written
    /// What is known of platforms now. Any thread; never nullptr.
    std::function<std::shared_ptr<const hud::QualityShelf>()> quality;
};

/// `/api/v1/…` as web/openapi.json says, but for the stream. All of it may be read by everybody;
/// what acts asks for an admin token.
std::vector<net::Route> hud_routes(HudSurroundings around);

} // namespace baton::api
