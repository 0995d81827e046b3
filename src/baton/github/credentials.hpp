#pragma once

#include "baton/async/single_flight.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/app_jwt.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/domain/retry.hpp"
#include "baton/github/rest.hpp"
#include "baton/github/token_cache.hpp"
#include "baton/ports/clock.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace baton::github {

/// Who the App is.
struct AppIdentity {
    std::int64_t app_id{0};
    crypto::AppKey key;
};

/// The App's tokens, got once and shared: one JWT for nine minutes, one installation lookup per
/// repository and hour, one installation token per repository and grant until shortly before it
/// expires, however many calls want one at once. A failure is an Answer that is never `accepted`
/// and never `unknown`, since nothing was dispatched. One thread.
class Credentials {
public:
    template <class T> using Awaitable = boost::asio::awaitable<tl::expected<T, domain::Answer>>;

    static constexpr std::chrono::hours kInstallationLife{1};
    static constexpr std::chrono::seconds kAbsenceLife{10
    }; // short: whoever installs the App and redelivers must not wait

    /// Tokens go by `calendar`, GitHub's time; without one, by the clock.
    Credentials(
        AppIdentity identity,
        Rest* rest,
        const ports::Clock* clock,
        std::function<TimePoint()> calendar = {}
    );

    /// The App's key was replaced: the next token is signed with the new one. Tokens in hand stay
    /// good.
    void use(AppIdentity identity);

    std::int64_t app_id() const { return identity_.app_id; }

    /// A token for one repository that may do `grant` and nothing else.
    Awaitable<std::string> token_for(RepoName repo, Grant grant, Budget budget);

    /// GitHub answered 401 to this token: the next call gets another.
    void reject(const RepoName& repo, Grant grant, const std::string& token);

    /// GitHub refused something about this repository: what is known of its installation may be out
    /// of date.
    void doubt(const RepoName& repo);

    /// A request by the App itself. A 401 is tried once more with a new JWT.
    boost::asio::awaitable<RestReply> send_as_app(RestCall call, Budget budget);

private:
    using Found = tl::expected<Installation, domain::Answer>;
    using Minted = tl::expected<std::string, domain::Answer>;

    Awaitable<Installation> installation_of(RepoName repo, Budget budget);
    boost::asio::awaitable<Found> look_up(RepoName repo, Budget budget);
    boost::asio::awaitable<Minted>
    mint(Installation installation, RepoName repo, Grant grant, Budget budget);
    std::string app_token();

    AppIdentity identity_;
    Rest* rest_;
    const ports::Clock* clock_;
    std::function<TimePoint()> calendar_;
    std::optional<crypto::AppJwt> jwt_;
    ExpiringCache<Found> installations_{limits::kDownstreamsMax};
    TokenCache tokens_{limits::kDownstreamsMax};
    async::SingleFlight<Found> lookups_;
    async::SingleFlight<Minted> mints_;
};

} // namespace baton::github
