#pragma once

#include "baton/async/task_group.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/caller.hpp"
#include "baton/domain/identity.hpp"
#include "baton/domain/token_claims.hpp"
#include "baton/oidc/key_ring.hpp"
#include "baton/oidc/key_source.hpp"
#include "baton/oidc/pipelines_keeper.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/identities.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/text_source.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace baton::oidc {

/// An issuer that is believed, and how its tokens name a repository.
struct TrustedIssuer {
    std::string issuer; // as tokens spell it
    domain::Provider provider{domain::Provider::github_actions};
    std::unique_ptr<KeySource> keys;
    ports::TextSource* pipelines{nullptr}; // of buildkite; outlives the identities
    domain::Projects projects;             // of gitlab
};

/// Who is behind an OIDC token: the identities port over the keys of the configured issuers. See
/// docs/design/identity.md for what is asked of a token, and in which order.
class TokenIdentities final : public ports::Identities {
public:
    struct Surroundings {
        ports::Clock& clock;
        ports::Journal& journal;
        std::function<TimePoint()> calendar{}; // what tokens are judged by; none: the clock
    };

    TokenIdentities(std::string audience, std::vector<TrustedIssuer> issuers, Surroundings around);

    /// On the relay's executor, as a part of `tasks`: begins to fetch keys and to watch pipelines.
    /// Before that, whoever calls waits for it. Lives until `tasks` is joined.
    void start(async::TaskGroup& tasks);

    /// We are stopping: nobody waits for keys any more. Any thread.
    void let_go();

    boost::asio::awaitable<Result<domain::Caller>> identify(std::string token) override;
    std::optional<Millis> asks_again_in() const override;

    /// The first reason why somebody's tokens cannot be judged at all; nullopt: all can. Any
    /// thread.
    std::optional<Error> trouble() const;

private:
    struct Issuer {
        Issuer(TrustedIssuer trusted, Surroundings around);

        TrustedIssuer trusted;
        KeyRing ring;
        std::optional<PipelinesKeeper> pipelines;
    };

    static Result<domain::Caller>
    caller_of(const domain::TokenClaims& claims, const Issuer& issuer);

    std::string audience_;
    Surroundings around_;
    std::vector<std::unique_ptr<Issuer>> issuers_;
};

} // namespace baton::oidc
