#pragma once

#include "baton/base/time.hpp"
#include "baton/crypto/signing_key.hpp"
#include "baton/crypto/verification_key.hpp"
#include "baton/sim/actions_runs.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace baton::sim {

/// Where the issuer lives under the simulator's address.
inline constexpr std::string_view kOidcPath = "/_oidc";

/// Whose identity, and for whom.
struct TokenWish {
    ActionsRun run;
    std::string audience;
};

/// GitHub's issuer of identities for Actions: really signed tokens with GitHub's claims, and the
/// key set that verifies them. The keys are not drawn from the seed; the first (RS256, as GitHub's)
/// is made when somebody needs one, which takes a tenth of a second. One thread.
class OidcIssuer {
public:
    /// GitHub's own; long enough for a report, too short to keep.
    static constexpr std::chrono::minutes kTokenLife{5};

    struct Trouble {
        bool outage{false};           // the documents and keys cannot be had; tokens still can
        std::chrono::seconds skew{0}; // its clock is ahead by so much
    };

    void move_to(std::string url) { url_ = std::move(url); } // once the port is known

    const std::string& url() const { return url_; }

    /// Beneath url(): /.well-known/openid-configuration and /.well-known/jwks, as JSON.
    std::string configuration() const;
    std::string keys();

    std::string token(const TokenWish& wish, TimePoint now);

    /// Signs with a new key from now on. The old ones stay in the key set.
    void rotate(crypto::Algorithm algorithm);
    /// Takes all but the newest key out of the set.
    void drop_old_keys();

    std::size_t keys_published() const { return keys_.size(); }

    Trouble trouble;

private:
    struct Key {
        std::string id;
        crypto::SigningKey key;
    };

    const Key& signing_key();

    std::string url_;
    std::vector<Key> keys_; // the newest signs
    std::size_t tokens_made_{0};
};

} // namespace baton::sim
