#include "baton/domain/figures.hpp"

#include "baton/base/assert.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

namespace baton::domain {

namespace {

constexpr double kZ = 1.959963984540054; // the normal distribution's 97.5 % point

CellOutcome outcome_for(Conclusion conclusion) {
    switch (conclusion) {
    case Conclusion::success:
        return CellOutcome::success;
    case Conclusion::failure:
        return CellOutcome::failure;
    case Conclusion::neutral:
        return CellOutcome::neutral;
    case Conclusion::cancelled:
        return CellOutcome::cancelled;
    case Conclusion::skipped:
        return CellOutcome::skipped;
    case Conclusion::timed_out:
        return CellOutcome::timed_out;
    case Conclusion::action_required:
        break;
    }
    return CellOutcome::action_required;
}

/// Of two with the same number, which no downstream should send, what has ended is the newer.
bool is_older(const AttemptEnd& a, const AttemptEnd& b) {
    return std::tie(a.attempt, a.conclusion) < std::tie(b.attempt, b.conclusion);
}

/// By nearest rank: the smallest sample that at least `percent` of all do not exceed.
std::optional<Millis> percentile(const std::vector<Millis>& sorted, std::size_t percent) {
    if (sorted.empty()) {
        return std::nullopt;
    }
    const auto rank = ((percent * sorted.size()) + 99) / 100;
    return sorted[rank - 1];
}

} // namespace

std::string_view name_of(CellOutcome outcome) {
    switch (outcome) {
    case CellOutcome::success:
        return "success";
    case CellOutcome::flaky:
        return "flaky";
    case CellOutcome::failure:
        return "failure";
    case CellOutcome::timed_out:
        return "timed_out";
    case CellOutcome::neutral:
        return "neutral";
    case CellOutcome::cancelled:
        return "cancelled";
    case CellOutcome::skipped:
        return "skipped";
    case CellOutcome::action_required:
        return "action_required";
    case CellOutcome::running:
        return "running";
    }
    return "";
}

std::optional<CellOutcome> cell_outcome_named(std::string_view name) {
    const auto* const found = std::ranges::find(kCellOutcomes, name, [](CellOutcome outcome) {
        return name_of(outcome);
    });
    return found == kCellOutcomes.end() ? std::nullopt : std::optional(*found);
}

bool is_conclusive(CellOutcome outcome) {
    return passes(outcome) || outcome == CellOutcome::failure || outcome == CellOutcome::timed_out;
}

bool passes(CellOutcome outcome) {
    return outcome == CellOutcome::success || outcome == CellOutcome::flaky;
}

bool fails(CellOutcome outcome) {
    return is_conclusive(outcome) && !passes(outcome);
}

std::vector<AttemptEnd> attempts_of(std::vector<Job> jobs) {
    std::ranges::sort(jobs, {}, [](const Job& job) {
        return std::tuple(job.subject.dispatch.value_or(DispatchId{}), job.key.attempt, job.id);
    });
    std::vector<AttemptEnd> attempts;
    for (const auto& job : jobs) {
        const auto place = static_cast<int>(attempts.size()) + 1;
        attempts.push_back({.attempt = place, .conclusion = job.conclusion});
    }
    return attempts;
}

CellOutcome merge(const std::vector<AttemptEnd>& attempts) {
    BATON_ASSERT(!attempts.empty());
    if (!std::ranges::max_element(attempts, is_older)->conclusion) {
        return CellOutcome::running;
    }
    std::optional<AttemptEnd> newest;   // that has ended
    std::optional<AttemptEnd> decisive; // that tells something
    bool passed = false;
    bool failed = false;
    for (const auto& attempt : attempts) {
        if (!attempt.conclusion) {
            continue;
        }
        newest = !newest || is_older(*newest, attempt) ? attempt : newest;
        const auto outcome = outcome_for(*attempt.conclusion);
        if (is_conclusive(outcome)) {
            decisive = !decisive || is_older(*decisive, attempt) ? attempt : decisive;
            (passes(outcome) ? passed : failed) = true;
        }
    }
    if (passed && failed) {
        return CellOutcome::flaky;
    }
    return outcome_for(*(decisive ? decisive : newest)->conclusion);
}

Cells operator+(const Cells& a, const Cells& b) {
    return {
        .success = a.success + b.success,
        .flaky = a.flaky + b.flaky,
        .failure = a.failure + b.failure,
        .timed_out = a.timed_out + b.timed_out,
        .no_signal = a.no_signal + b.no_signal,
    };
}

Cells cells_of(const std::vector<CellOutcome>& outcomes) {
    Cells cells;
    for (const auto outcome : outcomes) {
        switch (outcome) {
        case CellOutcome::success:
            ++cells.success;
            break;
        case CellOutcome::flaky:
            ++cells.flaky;
            break;
        case CellOutcome::failure:
            ++cells.failure;
            break;
        case CellOutcome::timed_out:
            ++cells.timed_out;
            break;
        case CellOutcome::running:
            break;
        default:
            ++cells.no_signal;
        }
    }
    return cells;
}

Rate rate_of(std::size_t passed, std::size_t n) {
    BATON_ASSERT(passed <= n);
    if (n == 0) {
        return {};
    }
    const auto size = static_cast<double>(n);
    const auto share = static_cast<double>(passed) / size;
    const auto weight = kZ * kZ / size;
    const auto middle = (share + (weight / 2)) / (1 + weight);
    const auto spread =
        kZ / (1 + weight) * std::sqrt((share * (1 - share) / size) + (weight / (4 * size)));
    // At its ends the interval is exact; only the arithmetic is not.
    return {
        .n = n,
        .value = share,
        .low = passed == 0 ? 0 : middle - spread,
        .high = passed == n ? 1 : middle + spread,
    };
}

Ended operator+(const Ended& a, const Ended& b) {
    return {
        .cells = a.cells + b.cells,
        .first_passed = a.first_passed + b.first_passed,
        .first_conclusive = a.first_conclusive + b.first_conclusive,
        .executed_passed = a.executed_passed + b.executed_passed,
        .executed = a.executed + b.executed,
        .excused = a.excused + b.excused,
    };
}

Rates rates_of(const Ended& ended) {
    const auto& cells = ended.cells;
    const auto passed = cells.success + cells.flaky;
    const auto failed = cells.failure + cells.timed_out;
    return {
        .final_attempt = rate_of(passed, passed + failed),
        .first_attempt = rate_of(ended.first_passed, ended.first_conclusive),
        .compat = rate_of(ended.executed_passed, ended.executed),
        .adjusted = rate_of(passed, passed + failed - std::min(ended.excused, failed)),
    };
}

Spread spread_of(std::vector<Millis> samples) {
    std::ranges::sort(samples);
    return {
        .n = samples.size(),
        .p50 = percentile(samples, 50),
        .p90 = percentile(samples, 90),
        .p95 = percentile(samples, 95),
        .p99 = percentile(samples, 99),
    };
}

} // namespace baton::domain
