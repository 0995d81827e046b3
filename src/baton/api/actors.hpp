#pragma once

#include "baton/api/admins.hpp"
#include "baton/api/slowdown.hpp"
#include "baton/base/result.hpp"
#include "baton/net/http.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/journal.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>

namespace baton::api {

/// Somebody who may act, as the audit names them.
struct Actor {
    std::string name; // "admin token 3f9a2c1b"
};

/// Turns a request into who is behind it. Today an admin token says so; a login with GitHub has its
/// place here and nowhere else. Whoever guesses tokens waits, and the journal hears of it. Any
/// thread.
class Actors {
public:
    struct Surroundings {
        const Admins& admins;
        ports::Clock& clock;
        ports::Journal& journal;
    };

    explicit Actors(Surroundings around)
        : around_(around) {}

    /// Without anybody: the answer, which does not say how close a guess was.
    boost::asio::awaitable<tl::expected<Actor, net::Response>> actor_of(net::RequestHead head);

private:
    Surroundings around_;
    Slowdown slowdown_;
};

} // namespace baton::api
