#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/quota.hpp"
#include "baton/domain/retry.hpp"
#include "baton/github/rest.hpp"
#include "baton/net/client.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

/// From what GitHub said, or did not say, to what it means for a dispatch. Pure.
namespace baton::github {

/// What was being asked. `dispatch`, `check`, `comment`, `issue_comment` and `rerun` have effects
/// that the relay cares about, so there an answer that got lost leaves the outcome unknown;
/// everything else can simply be done again.
enum class Ask : std::uint8_t {
    app,
    installation,
    token,
    file,
    permission,
    hook_log,
    redelivery,
    pulls,
    commit,
    repository,
    checks,   // which there are
    comments, // the same
    check,
    comment,
    issue_comment, // outside pull requests
    branch,
    new_file,
    new_pull,
    rerun,
    dispatch,
};

struct Asked {
    Ask ask{Ask::dispatch};
    RepoName repo; // empty for `app`
    TimePoint now{};
};

/// When a limit does not say for how long it lasts (GitHub: "at least one minute").
inline constexpr std::chrono::minutes kLimitWait{1};
/// A limit that claims to last longer than this is looked at again.
inline constexpr std::chrono::hours kLimitWaitMax{24};

/// The table of SPEC section 7:
///
///     2xx                                        accepted
///     422 or 413 that speak of size              too_large (of a dispatch)
///     429; 403 with Retry-After, with
///         x-ratelimit-remaining 0, or that
///         speaks of a limit                      throttled until Retry-After, else
///         x-ratelimit-reset, else a minute
///     401                                        unauthenticated
///     408                                        not_sent: the server says that it did not get all
///     of it 5xx                                        unknown of what has an effect (no status
///     promises that nothing was done,
///                                                503 neither), else not_sent
///     everything else                            refused, with a sentence for whoever owns the
///     repository
domain::Answer answer_of(const net::ClientReply& reply, const Asked& asked);

/// unknown if it is about an effect and may have left us, else not_sent.
domain::Answer answer_of(const net::ClientFailure& failure, const Asked& asked);

/// Whatever came of a request; one that was not sent for a limit's sake is throttled like any
/// other.
domain::Answer answer_of(const RestReply& rest, const Asked& asked);

/// If the reply announces a limit: when it ends. Never in the past, at most kLimitWaitMax ahead.
/// Times that GitHub gives by its own clock are taken relative to its Date header, so that a clock
/// of ours that is off does no harm.
std::optional<TimePoint> limited_until(const net::ClientReply& reply, TimePoint now);

/// What the reply tells about the account's quota.
domain::QuotaNews quota_news(const net::ClientReply& reply, TimePoint now);

/// The same for callers that only read. The answer must not be `accepted`.
Error error_of(const domain::Answer& answer);

} // namespace baton::github
