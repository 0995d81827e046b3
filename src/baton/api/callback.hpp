#pragma once

#include "baton/net/http.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/identities.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/operators.hpp"
#include "baton/relay/callbacks.hpp"

#include <functional>
#include <vector>

namespace baton::api {

struct CallbackSurroundings {
    relay::Callbacks& callbacks;
    ports::Identities& identities;
    ports::Clock& clock;
    ports::Journal& journal;
    std::function<void(ports::Refusal)> on_refused{[](ports::Refusal) {}}; // any thread
};

/// What the sender of a report is told, by SPEC section 8.
net::Response answer_to(const relay::CallbackOutcome& outcome);

/// `POST /github/callback`, with and without a slash at the end, as SPEC section 8 has it: the
/// token is verified before anything of the body is looked at; 200 only once the result is on disk.
/// The surroundings outlive the server.
std::vector<net::Route> callback_routes(CallbackSurroundings around);

} // namespace baton::api
