#pragma once

#include "baton/base/result.hpp"
#include "baton/crypto/callback_token.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/ports/chance.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <string>

namespace baton::relay {

/// Signs the callback token of each dispatch with the newest key in the store. A token is made from
/// what the ledger holds about the dispatch, so it needs no row of its own and every attempt
/// carries the same one.
class TokenMint {
public:
    static constexpr std::chrono::days kKeyLife{30
    }; // then a new key signs; old ones go on verifying

    TokenMint(ports::Store& store, ports::Clock& clock, ports::Chance& chance)
        : store_(store)
        , clock_(clock)
        , chance_(chance) {}

    /// Loads the newest key; makes one when there is none or the newest is too old. Called at start
    /// and then daily.
    boost::asio::awaitable<Result<void>> refresh();

    std::string token_for(const domain::Dispatch& dispatch) const;

private:
    ports::Store& store_;
    ports::Clock& clock_;
    ports::Chance& chance_;
    crypto::TokenKey key_;
};

} // namespace baton::relay
