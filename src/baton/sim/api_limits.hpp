#pragma once

#include "baton/base/time.hpp"
#include "baton/sim/github_types.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace baton::sim {

/// The App itself, where its calls are counted beside those of installations.
inline constexpr InstallationId kTheApp{0};

/// GitHub's primary limit of an installation, as published; the model counts it.
inline constexpr std::int64_t kCallsPerHour = 5000;

/// GitHub's secondary limits ("Rate limits for the REST API"). What is not set is not enforced.
struct LimitRules {
    std::optional<std::int64_t> concurrent;         // requests at once
    std::optional<std::int64_t> points_per_minute;  // of one endpoint: reading 1, changing 5
    std::optional<std::int64_t> content_per_minute; // requests that create content
    std::optional<std::int64_t> content_per_hour;
    /// Routes that create content. GitHub marks them in its description of the API
    /// (`triggersNotification`); of those that Baton uses it is only the new comment: neither
    /// dispatches nor check runs.
    std::set<std::string, std::less<>> content_routes;
    int status{403}; // or 429: GitHub uses both

    /// 100 at once, 900 points a minute, 80 pieces of content a minute and 500 an hour.
    static LimitRules published();
};

enum class LimitKind : std::uint8_t { primary = 1, concurrent, points, content, fault };

std::string_view name_of(LimitKind kind);

/// What somebody wants who is to be counted.
struct LimitedAsk {
    InstallationId who{}; // or kTheApp
    std::string_view route;
    std::string_view method;
    TimePoint now{};
};

/// Counts requests against the secondary limits, and remembers who was told to wait: GitHub may ban
/// an App that goes on asking. One thread.
class ApiLimits {
public:
    struct Refusal {
        LimitKind kind{LimitKind::points};
        TimePoint until{};
    };

    struct Counts {
        std::map<LimitKind, std::size_t> answers; // limit answers given
        std::size_t while_limited{0};             // requests by somebody who had been told to wait
        std::int64_t concurrent_peak{0};
    };

    void use(LimitRules rules) { rules_ = std::move(rules); }

    const LimitRules& rules() const { return rules_; }

    /// A request begins. A refusal is counted, and nothing of it is under way; else `leave` follows
    /// when it has been answered.
    std::optional<Refusal> enter(const LimitedAsk& ask);
    void leave(InstallationId who);

    /// Somebody was told to wait for a reason that is not decided here.
    void note(InstallationId who, Refusal told, TimePoint now);

    const Counts& counts() const { return counts_; }

    /// No limits, nothing counted; what is under way stays so.
    void reset();

private:
    struct Window {
        TimePoint ends{};
        std::int64_t used{0};
    };

    struct Notice {
        Refusal told;
        TimePoint at{};
        bool enforced{false};
    };

    struct Party {
        std::int64_t under_way{0};
        std::map<std::string, Window, std::less<>> points; // by route
        Window content_minute;
        Window content_hour;
        std::optional<Notice> notice;
    };

    std::optional<Refusal> over_limit(Party& party, const LimitedAsk& ask) const;
    void remember(Party& party, Notice notice);
    void count_if_warned(const Party& party, TimePoint now);

    LimitRules rules_;
    std::map<InstallationId, Party> parties_;
    Counts counts_;
};

} // namespace baton::sim
