#pragma once

#include "baton/api/admins.hpp"
#include "baton/hud/desk.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/views.hpp"

#include <string>
#include <vector>

namespace baton::api {

struct HudSurroundings {
    hud::Desk& desk;
    ports::Store& store;
    ports::Views& views;
    ports::Clock& clock;
    const Admins& admins;
    std::string github_url; // where people see pull requests; empty: unknown
};

/// `/api/v1/…` as web/openapi.json says, but for the stream. All of it may be read by everybody;
/// what acts asks for an admin token.
std::vector<net::Route> hud_routes(HudSurroundings around);

} // namespace baton::api
