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

std::string plural(std::size_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", with_commas(count), count == 1 ? one : many);
}

void add_webhooks(Text& out, const Account& account) {
    fmt::format_to(
        std::back_inserter(out),
        "GitHub sent    {}, {} of them twice, {} late or in the wrong order\n"
        "accepted       {}; {}, {} ignored",
        plural(account.made, "webhook", "webhooks"),
        account.sent_twice,
        account.late,
        with_commas(account.accepted),
        plural(account.duplicates, "duplicate turned away", "duplicates turned away"),
        account.ignored
    );
    if (account.not_taken > 0) {
        fmt::format_to(std::back_inserter(out), ", {} not taken", account.not_taken);
    }
    if (account.to_plan > 0) {
        fmt::format_to(std::back_inserter(out), "; {} on disk, not planned yet", account.to_plan);
    }
    out.push_back('\n');
}

void add_reasons(Text& out, const std::vector<Counted>& reasons) {
    for (const auto& [reason, count] : reasons) {
        fmt::format_to(
            std::back_inserter(out), "                 {:>6}  {}\n", with_commas(count), reason
        );
    }
}

void add_dispatches(Text& out, const Account& account) {
    std::size_t due = 0;
    for (const auto& [state, count] : account.dispatches) {
        due += count;
    }
    const auto line = [&](std::string_view name, std::size_t count, std::string_view remark) {
        fmt::format_to(
            std::back_inserter(out),
            "  {:<13}{:>8}{}{}\n",
            name,
            with_commas(count),
            remark.empty() ? "" : "  ",
            remark
        );
    };
    fmt::format_to(std::back_inserter(out), "dispatches due {:>8}\n", with_commas(due));
    line("sent", count_of(account, DispatchState::sent), "");
    line("superseded", count_of(account, DispatchState::superseded), "a newer commit came first");
    line("cancelled", count_of(account, DispatchState::cancelled), "the pull request was closed");
    line("failed", count_of(account, DispatchState::failed), "");
    add_reasons(out, account.failures);
    line(
        "still waiting", count_of(account, DispatchState::pending), "on disk; sent after a restart"
    );
    add_reasons(out, account.waiting);
}

std::string verdict(const Account& account) {
    if (!account.wrong.empty()) {
        return fmt::format(
            "wrong: {}", plural(account.wrong.size(), "finding, above", "findings, above")
        );
    }
    return fmt::format(
        "nothing lost: {} accepted deliveries have their rows, {} sent dispatches were received, "
        "{} repeats all follow an unknown outcome",
        with_commas(account.accepted),
        with_commas(count_of(account, DispatchState::sent)),
        with_commas(account.repeats)
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
    fmt::format_to(
        std::back_inserter(out),
        "received       {:>8}  by {}; {} repeated, {} without a known outcome\n\n",
        with_commas(account.received),
        plural(account.receivers, "downstream", "downstreams"),
        with_commas(account.repeats),
        plural(account.unknown_outcomes, "attempt", "attempts")
    );
    const auto shown = std::min(account.wrong.size(), kSentencesMax);
    for (std::size_t i = 0; i < shown; ++i) {
        fmt::format_to(std::back_inserter(out), "wrong: {}\n", account.wrong[i]);
    }
    fmt::format_to(std::back_inserter(out), "{}\n", verdict(account));
    return fmt::to_string(out);
}

} // namespace baton::app::demo
