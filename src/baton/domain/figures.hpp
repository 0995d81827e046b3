#pragma once

#include "baton/base/time.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

/// The figures that people judge downstreams by. Pages, API, tables, badges and levels ask here, so
/// no two of them can disagree; docs/design/hud.md defines each.
namespace baton::domain {

/// How a cell stands: all attempts of one job on one commit, taken together.
enum class CellOutcome : std::uint8_t {
    success = 1,
    flaky, // passed and failed on the same commit
    failure,
    timed_out,
    neutral,
    cancelled,
    skipped,
    action_required,
    running,
};

inline constexpr std::array kCellOutcomes{
    CellOutcome::success,
    CellOutcome::flaky,
    CellOutcome::failure,
    CellOutcome::timed_out,
    CellOutcome::neutral,
    CellOutcome::cancelled,
    CellOutcome::skipped,
    CellOutcome::action_required,
    CellOutcome::running,
};

std::string_view name_of(CellOutcome outcome);
std::optional<CellOutcome> cell_outcome_named(std::string_view name);

/// Tells something about the code; the others are no signal and in no rate.
bool is_conclusive(CellOutcome outcome);
bool passes(CellOutcome outcome); // success or flaky
bool fails(CellOutcome outcome);  // conclusive, and does not pass

/// One attempt of a cell. Without a conclusion it runs.
struct AttemptEnd {
    int attempt{1};
    std::optional<Conclusion> conclusion;
};

/// The attempts of a cell by its jobs, those that count: numbered through over its dispatches, then
/// over the attempts of each. A cell that was dispatched twice has two that call themselves the
/// first.
std::vector<AttemptEnd> attempts_of(std::vector<Job> jobs);

/// The order of the attempts does not matter. Both passed and failed is flaky; what tells something
/// beats what does not, and of equals the newest counts; running only stands alone, or after the
/// newest end. `attempts` must not be empty.
CellOutcome merge(const std::vector<AttemptEnd>& attempts);

struct Cells {
    std::size_t success{0};
    std::size_t flaky{0};
    std::size_t failure{0};
    std::size_t timed_out{0};
    std::size_t no_signal{0};

    friend bool operator==(const Cells&, const Cells&) = default;
};

Cells operator+(const Cells& a, const Cells& b);

/// What runs is counted nowhere.
Cells cells_of(const std::vector<CellOutcome>& outcomes);

/// A share of a sample with its Wilson interval (95 %).
struct Rate {
    std::size_t n{0};
    std::optional<double> value; // none without a sample, as the next two
    std::optional<double> low;
    std::optional<double> high;

    bool few() const { return n < 20; }

    friend bool operator==(const Rate&, const Rate&) = default;
};

/// `passed` must not be more than `n`.
Rate rate_of(std::size_t passed, std::size_t n);

/// What ended in a window.
struct Ended {
    Cells cells;
    std::size_t first_passed{0};     // first attempts that passed
    std::size_t first_conclusive{0}; // first attempts that tell something
    std::size_t executed_passed{0};  // every attempt counted by itself
    std::size_t executed{0};         // completed, whatever the conclusion
    std::size_t excused{0};          // failing cells said to be trunk's or the infrastructure's

    friend bool operator==(const Ended&, const Ended&) = default;
};

Ended operator+(const Ended& a, const Ended& b);

struct Rates {
    Rate final_attempt; // cells that pass, of those that tell something
    Rate first_attempt;
    Rate compat;   // executions that passed of all that completed: PyTorch's number
    Rate adjusted; // as `final_attempt`, without the failing cells that are excused
};

Rates rates_of(const Ended& ended);

/// Exact percentiles by nearest rank; none without a sample.
struct Spread {
    std::size_t n{0};
    std::optional<Millis> p50;
    std::optional<Millis> p90;
    std::optional<Millis> p95;
    std::optional<Millis> p99;

    friend bool operator==(const Spread&, const Spread&) = default;
};

Spread spread_of(std::vector<Millis> samples);

} // namespace baton::domain
