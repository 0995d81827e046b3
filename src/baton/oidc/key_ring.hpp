#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/verification_key.hpp"
#include "baton/oidc/key_source.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/journal.hpp"
#include "baton/wire/key_set.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::oidc {

/// The keys of one issuer, kept fresh. One loop fetches, so there is never more than one fetch
/// under way; whoever needs a key that is not there asks for a fetch or waits for the one under
/// way. `find` and `trouble` may be called from any thread, `run` lives on the relay's executor.
/// docs/design/identity.md has the rules.
class KeyRing {
public:
    static constexpr std::chrono::minutes kRefresh{5};
    static constexpr std::chrono::seconds kRetry{15};      // after a fetch that failed
    static constexpr std::chrono::seconds kAskedAgain{60}; // for a key that was not there

    struct Surroundings {
        KeySource& source;
        ports::Clock& clock;
        ports::Journal& journal;
    };

    KeyRing(std::string issuer, Surroundings around);

    /// The key of that id, for a token that says when it was issued. unauthenticated: the issuer
    /// published none since then, or since we are asked; unavailable: its keys cannot be had, or it
    /// was asked less than a minute ago, so nobody knows. Waits for at most two fetches, and a
    /// caller that is cancelled waits as well: they end by themselves. Before `run` it waits for
    /// that.
    boost::asio::awaitable<Result<crypto::VerificationKey>>
    find(std::string key_id, std::optional<TimePoint> issued_at = std::nullopt);

    /// When a key that is not there may be asked for; none: now, or nobody knows. Any thread.
    std::optional<Millis> asks_again_in() const;

    /// Fetches for ever, until cancelled. Once.
    boost::asio::awaitable<void> run();

    /// We are stopping: whoever waits is answered now, and nobody waits any more; known keys go on
    /// verifying. Any thread.
    void let_go();

    /// Why there is no key at all; nullopt when there is one.
    std::optional<Error> trouble() const;

    const std::string& issuer() const { return issuer_; }

private:
    class Shift;

    std::optional<crypto::VerificationKey> look(std::string_view key_id) const;
    Error missing(TimePoint since) const;
    std::optional<Millis> rest_of_the_minute() const; // with the mutex held
    /// True after a fetch that began or was under way; false at once when none may be asked for.
    boost::asio::awaitable<bool> refreshed();
    bool join_or_ask(std::function<void()> wake);
    /// One fetch, and the wait for the next.
    boost::asio::awaitable<void> turn();
    bool wanted_or_due() const;
    void begin();
    void end(Result<wire::KeySet> fetched);
    void wake_all();
    boost::asio::awaitable<Result<wire::KeySet>> fetch();
    void tell(const Result<wire::KeySet>& fetched);

    const std::string issuer_;
    Surroundings around_;
    std::unique_ptr<ports::Bell> bell_;
    std::vector<std::string> told_remarks_; // only the loop's
    bool told_trouble_{false};              // only the loop's

    mutable std::mutex mutex_; // below; never held while a signature is checked
    std::shared_ptr<const wire::KeySet> keys_;
    TimePoint began_{};                 // the fetch under way, or the last one
    TimePoint read_at_{};               // when the fetch of `keys_` began
    std::optional<Error> failure_;      // of the last fetch
    TimePoint due_{};                   // the next fetch in the background
    std::optional<TimePoint> asked_at_; // the last fetch for a key that was not there
    bool stopped_{false};
    bool fetching_{false};
    bool wanted_{false};
    std::vector<std::function<void()>> waiting_; // each resumes a caller on its own executor
};

} // namespace baton::oidc
