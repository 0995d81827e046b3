#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/caller.hpp"

#include <boost/asio/awaitable.hpp>

#include <optional>
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
    /// its issuer's keys cannot be had, or may not be asked for again yet.
    virtual boost::asio::awaitable<Result<domain::Caller>> identify(std::string token) = 0;

    /// When keys may be asked for again of every issuer, after `unavailable`; none: any time.
    virtual std::optional<Millis> asks_again_in() const { return std::nullopt; }
};

} // namespace baton::ports
