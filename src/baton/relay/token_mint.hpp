#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/callback_token.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/ports/chance.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace baton::relay {

/// Signs the callback token of each dispatch with the newest key that every replica knows, and
/// tells whether a token is one of those. A token is made from what the ledger holds about the
/// dispatch, so it needs no row of its own and every attempt carries the same one.
class TokenMint {
public:
    static constexpr std::chrono::days kKeyLife{30};      // then a new key signs
    static constexpr std::chrono::days kVerifiesOn{31};   // so long after the next one came
    static constexpr std::chrono::minutes kKnownAfter{1}; // every replica has refreshed since

    TokenMint(ports::Store& store, ports::Clock& clock, ports::Chance& chance)
        : store_(store)
        , clock_(clock)
        , chance_(chance) {}

    /// Loads the keys; makes one when there is none or the newest is too old. Called at start and
    /// then daily; replicas that share a store call it several times in kKnownAfter.
    boost::asio::awaitable<Result<void>> refresh();

    std::string token_for(const domain::Dispatch& dispatch) const; // any thread

    /// Whether `token` was minted for this very dispatch. Any thread.
    crypto::TokenVerdict check(std::string_view token, const domain::Dispatch& dispatch) const;

private:
    using Keys = std::shared_ptr<const std::vector<crypto::TokenKey>>; // the one that signs first

    Keys keys() const;

    ports::Store& store_;
    ports::Clock& clock_;
    ports::Chance& chance_;
    mutable std::mutex mutex_;
    Keys keys_;
};

} // namespace baton::relay
