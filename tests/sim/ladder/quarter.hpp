#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/domain/profile.hpp"
#include "baton/sim/seeded_chance.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// A quarter of an upstream with twenty downstreams whose true reliability is known, so that what
/// the ladder does to them can be held against what they deserve.
namespace baton::test {

inline constexpr int kQuarterDays = 91;
inline constexpr double kEventsADay = 60; // of the upstream, about
inline constexpr Millis kDay{std::chrono::hours{24}};
inline const TimePoint kStart = *parse_rfc3339("2026-07-01T00:00:00Z");

inline Millis minutes(double count) {
    return Millis(static_cast<std::int64_t>(count * 60'000));
}

enum class Nature : std::uint8_t { healthy = 1, middling, bad, dead };

/// What is true of a downstream, which the ladder does not know.
struct Truth {
    RepoName name;
    Nature nature{Nature::healthy};
    domain::Level level{domain::Level::l3};
    double rate{1};  // of jobs that pass, as far as it is up to the downstream
    double share{1}; // of the upstream's events that it is sent
    int jobs{2};
    int bad_from{0}; // of a bad one, days; of a dead one, its last
    int bad_until{0};
    double bad_rate{1};
    std::vector<std::pair<TimePoint, TimePoint>> outages;
};

struct Moved {
    int day{0}; // of the evaluation
    domain::LadderMove move{};
    bool at_once{false};
    std::optional<domain::Level> proposed;
    std::string reason;
};

struct Lived {
    Truth truth;
    std::vector<Moved> moves;
    std::optional<TimePoint> unanswered; // the first that a dead one was sent
    std::size_t outcomes{0};
};

struct QuarterReport {
    std::vector<Lived> downstreams;
    std::size_t frozen_days{0};
    int trunk_broken_hours{0};
};

/// Lives through the quarter of one seed under a profile.
class Quarter {
public:
    Quarter(std::uint64_t seed, const domain::Profile& profile);

    QuarterReport live() &&;

private:
    struct Pull {
        std::int64_t number{0};
        bool breaks_all{false};
        std::optional<std::size_t> breaks_one; // place of the downstream
        int heads{1};
        TimePoint next{};
        int sent{0};
    };

    struct Commit {
        std::string head;
        std::optional<std::int64_t> pr;
        TimePoint at{};
        bool breaks_all{false};
        std::optional<std::size_t> breaks_one;
        std::optional<TimePoint> overtaken_at;
    };

    double draw();
    double between(double low, double high);
    bool chance(double share);

    void cast();
    void break_trunk();
    void send_day(int day);
    void send(const Commit& commit);
    void answer(domain::LadderEvent& event, const Truth& truth, const Commit& commit, bool broken);
    domain::LadderJob
    job_of(const domain::LadderEvent& event, const Truth& truth, const std::string& name, char how);
    char fate(const Truth& truth, const Commit& commit, bool broken, double rate);
    bool is_trunk_broken(TimePoint when) const;
    static double rate_at(const Truth& truth, TimePoint when);

    void evaluate(int day);
    domain::LadderEvidence seen_until(TimePoint now, TimePoint from) const;

    sim::SeededChance random_;
    const domain::Profile& profile_;
    std::vector<Truth> truths_;
    std::vector<std::pair<TimePoint, TimePoint>> broken_;
    std::vector<Pull> open_;
    std::int64_t pulls_{0};
    std::int64_t dispatches_{0};
    int commits_{0};
    std::vector<domain::LadderEvent> events_; // of the last days, as they will have ended
    std::map<PrNumber, domain::PullEnd> ends_;
    std::vector<domain::LadderFacts> facts_;
    QuarterReport report_;
};

} // namespace baton::test
