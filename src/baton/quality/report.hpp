#pragma once

#include "baton/quality/assessment.hpp"
#include "baton/quality/calendar.hpp"
#include "baton/quality/changes.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/gap.hpp"
#include "baton/quality/history.hpp"
#include "baton/quality/page.hpp"
#include "baton/quality/readings.hpp"
#include "baton/quality/score.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// All that is said about an assessment, once: the pages for people and the JSON for programs are
/// made from this. docs/design/quality.md, "Reports".
namespace baton::quality {

/// An evidence as an item uses it; how long it counts is the item's to say.
struct EvidenceUse {
    const Evidence* evidence{nullptr};
    std::optional<int> age_days;
    std::optional<Day> expires; // the last day on which it counts
    bool expired{false};
};

struct ReportItem {
    const Item* item{nullptr};
    const Claim* claim{nullptr}; // nullptr: the assessment does not name it
    ItemScore score;
    std::vector<EvidenceUse> evidence; // as the claim names them; those declared
};

/// A measured value with what it has to reach.
struct MeasuredItem {
    std::string item;
    std::string name;  // "flaky_marked_pct"
    std::string value; // "1212 of 20184"
    std::string asked; // "percent < 5"; "50, 80, 100 %"
    State state{State::unknown};
    std::optional<std::int64_t> n; // of a share
    /// Of a share: parts of 1000, the value cut and its 95 % interval (Wilson).
    std::optional<int> permille;
    std::optional<int> low_permille;
    std::optional<int> high_permille;
};

struct Interpretation {
    std::string number; // "A17"
    std::vector<std::string> items;
};

struct Documented {
    int rank{0};
    bool stale{false};
    int in_a_row{0}; // releases up to this one that were graded as high, or higher
    int needed{0};
    /// With which release the next level can be documented, were this one the first to reach it;
    /// absent at the best level, and when the calendar does not say.
    std::optional<CalendarRelease> earliest{};
};

/// An assessment of the same platform and an earlier release.
struct Earlier {
    const CriteriaSet* set{nullptr};
    const Assessment* assessment{nullptr};
};

/// What a report is made from.
struct ReportInput {
    const CriteriaSet& set;
    const Assessment& assessment;
    Day as_of{}; // ages are counted to this day
    std::vector<Earlier> before;
    std::optional<Reading> reading;
    /// The newest release there is: without an assessment of it the documented level is stale.
    /// Absent: that of the assessment.
    std::optional<Release> latest{};
    const Calendar* calendar{nullptr}; // of releases, for the documented level
};

/// Refers to the set and the assessment it was made from.
struct Report {
    const CriteriaSet& set;
    const Assessment& assessment;
    Day as_of{};
    Score score;
    Documented documented;
    bool expired{false}; // points rest on evidence that no longer counts
    std::vector<ReportItem> items;
    std::optional<Gap> gap;         // to the next level, where there is one
    std::optional<Changes> changes; // since the release that `previous` names, else the last before
    std::vector<MeasuredItem> metrics;
    std::vector<Interpretation> interpretations; // by number
};

Report make_report(const ReportInput& input);

/// For `changes`; it refers to the report.
Scored scored(const Report& report);

/// For people: twelve chapters, each there whatever the assessment says.
Page lay_out(const Report& report);
/// The platform on one page: what its grade rests on, and how it came there.
Page lay_out_card(const Report& report, std::span<const HistoryPoint> history);
/// The ways to these levels, and what may fall meanwhile.
Page lay_out_ways(const Report& report, std::span<const Gap> gaps);
/// Two assessments side by side; `changes` is of these two.
Page lay_out(const Changes& changes, const Assessment& before, const Assessment& after);

/// The threshold of a level under a reading; nullopt when it asks for no points.
std::optional<int> points_for(const Score& score, Reading reading, int rank);
/// "99 points and every P0"; "nothing"
std::string asked_for(const Level& level, std::optional<int> points);

/// "SW-3"; "FB-1 at 80 %"; "FEAT-2 with float64"
std::string to_text(const Move& move, const CriteriaSet& set);

/// What a badge says.
enum class BadgeKind : std::uint8_t { grade = 1, documented, score };
std::optional<BadgeKind> badge_kind_named(std::string_view name);

struct BadgeWords {
    std::string left;
    std::string right; // with a sign that stands for the rank: colour never speaks alone
    int rank{0};
    bool best{false}; // the highest rank there is
    bool stale{false};
};

BadgeWords badge_words(const Report& report, BadgeKind kind);

} // namespace baton::quality
