#pragma once

#include "baton/base/result.hpp"
#include "baton/domain/caller.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>

namespace baton::ports {

/// Who is behind a token. Any thread.
class Identities {
public:
    Identities() = default;
    Identities(const Identities&) = delete;
    Identities& operator=(const Identities&) = delete;
    virtual ~Identities() = default;

    /// `token` is what follows "Bearer". unauthenticated: it is wrong, and the detail says which
    /// check it failed; forbidden: it is right, but nobody registered who it names; unavailable:
    /// its issuer's keys cannot be had at all.
    virtual boost::asio::awaitable<Result<domain::Caller>> identify(std::string token) = 0;
};

} // namespace baton::ports
