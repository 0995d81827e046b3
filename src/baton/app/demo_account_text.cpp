#include "baton/app/demo_account.hpp"
#include "baton/app/demo_view.hpp"
#include "baton/domain/dispatch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace baton::app::demo {

namespace {

using domain::DispatchState;
using Text = fmt::memory_buffer;

constexpr std::size_t kSentencesMax = 20;

std::size_t count_of(const Account& account, DispatchState state) {
    const auto found = account.dispatches.find(state);
    return found == account.dispatches.end() ? 0 : found->second;
}

/// Those that arrived, whatever the downstream said since.
std::size_t sent_in_all(const Account& account) {
    return count_of(account, DispatchState::sent) + count_of(account, DispatchState::started) +
           count_of(account, DispatchState::finished);
}

std::string plural(std::size_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", with_commas(count), count == 1 ? one : many);
}

/// `  name      12,345  remark`
void add_line(Text& out, std::string_view name, std::size_t count, std::string_view remark) {
    fmt::format_to(
        std::back_inserter(out),
        "{:<16}{:>9}{}{}\n",
        name,
        with_commas(count),
        remark.empty() ? "" : "  ",
        remark
    );
}

void add_webhooks(Text& out, const Account& account) {
    add_line(
        out,
        "GitHub sent",
        account.made,
        fmt::format(
            "webhooks, {} of them twice, {} late or in the wrong order",
            account.sent_twice,
            account.late
        )
    );
    add_line(out, "  accepted", account.accepted, "on disk before GitHub heard so");
    add_line(out, "  duplicate", account.duplicates, "turned away, no second effect");
    add_line(out, "  ignored", account.ignored, "none of the relay's business");
    if (account.not_taken > 0) {
        add_line(out, "  not taken", account.not_taken, "no 2xx; GitHub's log has them");
    }
}

void add_reasons(Text& out, const std::vector<Counted>& reasons) {
    for (const auto& [reason, count] : reasons) {
        fmt::format_to(std::back_inserter(out), "{:>10}  {}\n", with_commas(count), reason);
    }
}

void add_dispatches(Text& out, const Account& account) {
    std::size_t due = 0;
    for (const auto& [state, count] : account.dispatches) {
        due += count;
    }
    const auto in = [&](DispatchState state) { return count_of(account, state); };
    add_line(out, "dispatches due", due, "");
    add_line(out, "  sent", sent_in_all(account), "");
    add_line(out, "  superseded", in(DispatchState::superseded), "a newer commit came first");
    add_line(out, "  cancelled", in(DispatchState::cancelled), "the pull request was closed");
    add_line(out, "  failed", in(DispatchState::failed), "a no that stays a no");
    add_reasons(out, account.failures);
    add_line(out, "  still waiting", in(DispatchState::pending), "on disk, and would go on");
    add_reasons(out, account.waiting);
    if (account.to_plan > 0) {
        add_line(out, "  to be planned", account.to_plan, "deliveries, on disk as well");
    }
}

void add_receipts(Text& out, const Account& account) {
    add_line(
        out,
        "received",
        account.received,
        fmt::format("by {}", plural(account.receivers, "downstream", "downstreams"))
    );
    add_line(
        out,
        "  repeats",
        account.repeats,
        fmt::format(
            "after {} whose outcome nobody could know",
            plural(account.unknown_outcomes, "attempt", "attempts")
        )
    );
}

void add_results(Text& out, const Account& account) {
    const auto& told = account.results;
    const auto& results = told.results;
    add_line(
        out, "reports", told.reports, fmt::format("about {}", plural(told.jobs, "job", "jobs"))
    );
    add_line(out, "  results in", results.recorded, "on disk before the downstream heard so");
    add_line(out, "  duplicate", results.duplicate, "said before, too late, or another run's");
    add_line(out, "  ignored", results.ignored, "of level 1");
    add_line(out, "  refused", results.refused, "");
    add_reasons(out, told.refusals);
    add_line(out, "  unanswered", told.unanswered, "tried until the end");
    add_line(out, "unbound", told.unbound, "jobs without a callback token: never a check");
    add_line(out, "silent", results.silent, "dispatches that nobody started in time");
    add_line(out, "timed out", results.timed_out, "jobs that nobody ended in time");
    add_line(out, "  replaced", told.replaced, "by a result that came after all");
    add_line(out, "still running", results.running, "");
}

void add_sentences(Text& out, const std::vector<std::string>& sentences) {
    for (const auto& sentence : sentences) {
        fmt::format_to(std::back_inserter(out), "            {}\n", sentence);
    }
}

void add_checks(Text& out, const CheckAccount& told) {
    const auto& checks = told.checks;
    const auto each = checks.posted == 0
                          ? 0.0
                          : static_cast<double>(told.calls) / static_cast<double>(checks.posted);
    add_line(
        out,
        "check runs",
        checks.posted,
        fmt::format(
            "each created once; {} changes, {:.1f} calls each", with_commas(told.changes), each
        )
    );
    add_line(out, "  on the way", told.on_the_way, "wanted while the relay stopped");
    add_line(
        out,
        "comments",
        told.comments,
        fmt::format("about trouble, one for a pull request; {} calls", told.comment_calls)
    );
    add_line(out, "gates green", checks.green, "of open pull requests");
    add_line(out, "  red", checks.red, "");
    add_line(out, "  waiting", checks.waiting, "");
    add_line(
        out,
        "mergeable now",
        checks.mergeable,
        fmt::format("of {} open; merged: {}", checks.pulls, told.merged)
    );
    add_line(out, "suspended", told.turns.size(), "level 4: dispatched to, and held up nothing");
    add_sentences(out, told.turns);
    add_line(out, "seen", told.scenes.size(), "on pull requests");
    add_sentences(out, told.scenes);
}

std::string verdict(const Account& account) {
    if (!account.wrong.empty()) {
        return fmt::format(
            "wrong: {}", plural(account.wrong.size(), "finding, above", "findings, above")
        );
    }
    return fmt::format(
        "nothing lost: all {} accepted have their rows, all {} sent were received, all {} results "
        "are in, all {} checks are as wanted",
        with_commas(account.accepted - account.to_plan),
        with_commas(sent_in_all(account)),
        with_commas(account.results.results.recorded),
        with_commas(account.checks.checks.posted)
    );
}

} // namespace

std::string to_text(const Account& account, const AccountHead& head) {
    Text out;
    fmt::format_to(
        std::back_inserter(out),
        "baton demo ran for {} with seed {}\n\n",
        clock_text(head.lasted),
        head.seed
    );
    add_webhooks(out, account);
    add_dispatches(out, account);
    add_receipts(out, account);
    add_results(out, account);
    add_checks(out, account.checks);
    out.push_back('\n');
    const auto shown = std::min(account.wrong.size(), kSentencesMax);
    for (std::size_t i = 0; i < shown; ++i) {
        fmt::format_to(std::back_inserter(out), "wrong: {}\n", account.wrong[i]);
    }
    fmt::format_to(std::back_inserter(out), "{}\n", verdict(account));
    return fmt::to_string(out);
}

} // namespace baton::app::demo
