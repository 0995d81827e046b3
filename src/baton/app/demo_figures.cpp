#include "baton/app/demo_figures.hpp"

#include "baton/app/demo_text.hpp"
#include "baton/app/demo_view.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::app::demo {

namespace {

using domain::DispatchState;

constexpr std::string_view kDot = " · ";

std::size_t count_of(const Snapshot& snapshot, DispatchState state) {
    const auto found = std::ranges::find(
        snapshot.dispatches, state, &std::pair<DispatchState, std::size_t>::first
    );
    return found == snapshot.dispatches.end() ? 0 : found->second;
}

std::size_t sum_of(const std::vector<Counted>& counted) {
    std::size_t sum = 0;
    for (const auto& [name, count] : counted) {
        sum += count;
    }
    return sum;
}

std::size_t dispatches_in_all(const Snapshot& snapshot) {
    std::size_t sum = 0;
    for (const auto& [state, count] : snapshot.dispatches) {
        sum += count;
    }
    return sum;
}

/// Those that arrived, whatever the downstream said since.
std::size_t sent_in_all(const Snapshot& snapshot) {
    return count_of(snapshot, DispatchState::sent) + count_of(snapshot, DispatchState::started) +
           count_of(snapshot, DispatchState::finished);
}

std::string reasons_text(const std::vector<Counted>& counted) {
    std::string out;
    for (const auto& [reason, count] : counted) {
        out += fmt::format("{}{} {}", out.empty() ? "" : ", ", count, reason);
    }
    return out;
}

/// A line of figures, the telling ones first: what does not fit as a whole is left out.
class Figures {
public:
    Figures(std::string_view name, std::size_t columns)
        : line_{{.tone = Tone::quiet, .text = padded(std::string(name), kLabelColumns)}}
        , room_(columns > kLabelColumns ? columns - kLabelColumns : 0) {}

    bool add(Tone tone, const std::string& text) {
        const auto needed = width_of(text) + (line_.size() > 1 ? width_of(kDot) : 0);
        if (needed > room_) {
            return false;
        }
        if (line_.size() > 1) {
            line_.push_back({.tone = Tone::quiet, .text = std::string(kDot)});
        }
        line_.push_back({.tone = tone, .text = text});
        room_ -= needed;
        return true;
    }

    void add_count(Tone tone, std::size_t count, std::string_view what) {
        add(tone, fmt::format("{} {}", with_commas(count), what));
    }

    void add_if_any(Tone tone, std::size_t count, std::string_view what) {
        if (count > 0) {
            add_count(tone, count, what);
        }
    }

    Line line() && { return std::move(line_); }

private:
    Line line_;
    std::size_t room_;
};

} // namespace

Line webhooks_line(const Webhooks& webhooks, std::size_t columns) {
    Figures line("webhooks", columns);
    line.add_count(Tone::good, webhooks.accepted, "accepted");
    line.add_if_any(Tone::bad, webhooks.not_taken, "not taken");
    line.add_if_any(Tone::plain, webhooks.duplicate, "duplicate");
    const auto ignored = fmt::format("{} ignored", with_commas(sum_of(webhooks.ignored)));
    const auto reasons = reasons_text(webhooks.ignored);
    if (reasons.empty() || !line.add(Tone::plain, fmt::format("{} ({})", ignored, reasons))) {
        line.add(Tone::plain, ignored);
    }
    return std::move(line).line();
}

Line dispatches_line(const Snapshot& snapshot, std::size_t columns) {
    const auto count = [&](DispatchState state) { return count_of(snapshot, state); };
    const auto waiting = count(DispatchState::pending);
    Figures line("dispatches", columns);
    line.add_count(Tone::good, sent_in_all(snapshot), "sent");
    line.add_count(waiting > 0 ? Tone::warning : Tone::plain, waiting, "waiting");
    line.add_if_any(Tone::bad, count(DispatchState::failed), "failed");
    line.add_if_any(Tone::bad, count(DispatchState::dead), "given up");
    line.add_if_any(Tone::plain, count(DispatchState::superseded), "superseded");
    line.add_if_any(Tone::plain, count(DispatchState::cancelled), "cancelled");
    line.add(Tone::quiet, fmt::format("{} in all", with_commas(dispatches_in_all(snapshot))));
    return std::move(line).line();
}

Line pace_line(const Snapshot& snapshot, std::size_t columns) {
    Figures line("pace", columns);
    line.add(Tone::plain, fmt::format("{:.0f} sent a second", snapshot.sent_per_second));
    if (snapshot.median_age) {
        line.add(Tone::plain, fmt::format("median wait {}", short_text(*snapshot.median_age)));
    }
    if (snapshot.oldest_age) {
        line.add(Tone::plain, fmt::format("oldest waits {}", short_text(*snapshot.oldest_age)));
    }
    line.add_if_any(Tone::warning, snapshot.repeats, "repeats");
    return std::move(line).line();
}

Line results_line(const Results& results, std::size_t columns) {
    Figures line("results", columns);
    line.add_count(Tone::good, results.recorded, "in");
    line.add_if_any(Tone::bad, results.refused, "refused");
    line.add_if_any(Tone::plain, results.duplicate, "duplicate");
    line.add_if_any(Tone::warning, results.silent, "silent");
    line.add_if_any(Tone::warning, results.timed_out, "timed out");
    line.add_if_any(Tone::plain, results.running, "running");
    line.add_if_any(Tone::quiet, results.ignored, "of level 1 ignored");
    return std::move(line).line();
}

Line checks_line(const Checks& checks, std::size_t columns) {
    Figures line("checks", columns);
    line.add_count(Tone::plain, checks.posted, "posted");
    line.add_count(Tone::good, checks.green, "gates green");
    line.add_count(checks.red > 0 ? Tone::bad : Tone::plain, checks.red, "red");
    line.add_count(Tone::plain, checks.waiting, "waiting");
    line.add(Tone::plain, fmt::format("{} of {} mergeable", checks.mergeable, checks.pulls));
    line.add_if_any(Tone::warning, checks.suspended, "suspended");
    return std::move(line).line();
}

std::string summary(const Snapshot& snapshot) {
    const auto& taken = snapshot.webhooks;
    return fmt::format(
        "{} webhooks: {} accepted, {} duplicate, {} ignored; dispatches: {} due, {} sent, {} "
        "waiting, {} superseded, {} cancelled, {} failed; results: {} in, {} refused, {} "
        "duplicate, "
        "{} silent, {} timed out; checks: {} posted, {} gates green, {} red, {} waiting; mergeable "
        "{} of {}, {} suspended; {:.0f}/s, median wait {}{}",
        padded(clock_text(snapshot.uptime), 5),
        taken.accepted,
        taken.duplicate,
        sum_of(taken.ignored),
        dispatches_in_all(snapshot),
        sent_in_all(snapshot),
        count_of(snapshot, DispatchState::pending),
        count_of(snapshot, DispatchState::superseded),
        count_of(snapshot, DispatchState::cancelled),
        count_of(snapshot, DispatchState::failed),
        snapshot.results.recorded,
        snapshot.results.refused,
        snapshot.results.duplicate,
        snapshot.results.silent,
        snapshot.results.timed_out,
        snapshot.checks.posted,
        snapshot.checks.green,
        snapshot.checks.red,
        snapshot.checks.waiting,
        snapshot.checks.mergeable,
        snapshot.checks.pulls,
        snapshot.checks.suspended,
        snapshot.sent_per_second,
        snapshot.median_age ? short_text(*snapshot.median_age) : "-",
        snapshot.stage.empty() ? "" : "; " + snapshot.stage
    );
}

} // namespace baton::app::demo
