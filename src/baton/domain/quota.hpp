#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/level.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace baton::domain {

/// What one answer of GitHub's told about an account's quota; times by our clock.
struct QuotaNews {
    bool answered{false};              // GitHub said something, whatever it was
    std::optional<std::int64_t> limit; // requests per window
    std::optional<std::int64_t> remaining;
    std::optional<TimePoint> reset_at;   // when the window ends
    std::optional<TimePoint> held_until; // a limit was announced: nothing before then

    friend bool operator==(const QuotaNews&, const QuotaNews&) = default;
};

/// What a request weighs against `github.pace`, in GitHub's points.
enum class RequestWeight : std::uint8_t { reads = 1, changes = 5 };

/// An account's standing, for metrics and people.
struct QuotaView {
    std::string account; // lower case; empty: the App as itself
    std::optional<std::int64_t> limit;
    std::optional<std::int64_t> remaining;
    std::optional<TimePoint> reset_at;
    std::optional<TimePoint> held_until;
    std::size_t in_flight{0};
};

/// What the other replicas of this relay said a moment ago.
struct OthersQuotas {
    std::size_t replicas{0};
    std::vector<QuotaView> quotas; // of each of them, so an account may stand here several times
};

/// Requests that leave for an account before GitHub has said anything about it: few, should
/// somebody have spent its quota before us, and enough that one downstream that never answers
/// delays no other.
inline constexpr std::size_t kProbesMax = 8;

/// One installation's share of GitHub's API: what was announced, and what may leave now.
class Quota {
public:
    /// `pace`: points a minute; 0: none.
    explicit Quota(std::int64_t pace = 0)
        : pace_(pace)
        , points_(static_cast<double>(pace)) {}

    void began(RequestWeight weight, TimePoint now);
    void ended(const QuotaNews& news, TimePoint now);

    /// From now on so many replicas share it, ourselves included; what they have under way is told
    /// by `hear`.
    void share(std::size_t replicas);
    void hear(const QuotaView& other, TimePoint now);

    /// How many more requests may leave now on behalf of a downstream of this level. Questions that
    /// Baton asks in order to decide count as L4. kProbesMax, until the first answer.
    /// `promised` are requests that the caller has decided on, begun or not.
    std::size_t room(Level level, TimePoint now, std::size_t promised = 0) const;

    /// While a limit is announced, or the quota is spent: until when.
    std::optional<TimePoint> held_until(TimePoint now) const;

    QuotaView view(std::string account, TimePoint now) const;

private:
    bool window_is_open(TimePoint now) const { return reset_at_ && now < *reset_at_; }

    double points_at(TimePoint now) const;

    /// What is left, as far as anybody said; nullopt: no number was ever announced.
    std::optional<std::int64_t> left(TimePoint now) const;
    void note(const QuotaNews& news, TimePoint now);

    bool answered_{false};
    std::optional<std::int64_t> limit_;
    std::optional<std::int64_t> remaining_;
    std::optional<TimePoint> reset_at_;
    std::optional<TimePoint> held_until_;
    std::size_t in_flight_{0};
    std::size_t elsewhere_{0}; // under way in other replicas
    std::size_t replicas_{1};
    std::int64_t pace_;
    double points_; // of the pace, at `paced_at_`
    TimePoint paced_at_{};
};

/// The name of the quota that requests about a repository are counted in: its owner's.
std::string account_of(const RepoName& repo);

/// All quotas of one App: as many as the accounts that own its upstreams and downstreams.
class QuotaBook {
public:
    explicit QuotaBook(std::int64_t pace = 0)
        : pace_(pace) {}

    Quota& of(const std::string& account);
    void hear(const OthersQuotas& others, TimePoint now);
    const Quota* find(const std::string& account) const;
    std::vector<QuotaView> views(TimePoint now) const;
    std::size_t in_flight() const;

private:
    std::int64_t pace_;
    std::size_t replicas_{1};
    std::map<std::string, Quota> quotas_;
};

} // namespace baton::domain
