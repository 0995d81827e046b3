// baton levels: where downstreams stand, why, and the evidence behind it.

#include "levels.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/outage.hpp"
#include "baton/ports/store.hpp"
#include "baton/wire/allowlist.hpp"

#include <boost/asio/awaitable.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>
#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "downstream.hpp"
#include "lookup.hpp"

namespace baton::program {

namespace asio = boost::asio;

void add_levels(CLI::App& app, int& exit_code) {
    auto* group = app.add_subcommand("levels", "How far downstreams are trusted, and why");
    group->require_subcommand(1);
    group->footer("docs/design/ladder.md has the rules, docs/operations/levels.md what to do.\n"
                  "`baton levels COMMAND --help` says more.");
    add_levels_status(*group, exit_code);
    add_levels_explain(*group, exit_code);
    add_levels_evaluate(*group, exit_code);
    add_levels_what_if(*group, exit_code);
    add_levels_lint(*group, exit_code);
    add_levels_rule(*group, exit_code);
    add_levels_bundle(*group, exit_code);
    add_levels_verify(*group, exit_code);
    add_levels_graduate(*group, exit_code);
}

asio::awaitable<Result<Candidate>>
find_candidate(ports::Store* store, RepoName downstream, std::optional<RepoName> upstream) {
    Lookup lookup(*store);
    BATON_CO_TRY(const auto listed, co_await lookup.listed());
    BATON_CO_TRY(auto versions, co_await store->allowlists_at(TimePoint::max()));
    std::vector<Listed> found;
    std::vector<std::string> names;
    for (const auto& one : listed) {
        if (one.entry.repo == downstream && (!upstream || one.upstream == *upstream)) {
            found.push_back(one);
            names.push_back(one.upstream.text());
        }
    }
    if (found.empty()) {
        co_return fail(Errc::not_found, not_listed(downstream, listed));
    }
    if (found.size() > 1) {
        co_return fail(
            Errc::invalid,
            fmt::format(
                "{} is listed by {}: say which with --upstream",
                downstream.text(),
                fmt::join(names, " and ")
            )
        );
    }
    Candidate candidate{.list = {}, .entry = found.front().entry, .hidden = {}};
    for (auto& version : versions) {
        if (version.upstream == found.front().upstream) {
            candidate.list = std::move(version);
        }
    }
    for (const auto& one : listed) {
        if (one.entry.visibility == domain::Visibility::closed && one.entry.repo != downstream) {
            candidate.hidden.push_back(one.entry.repo);
        }
    }
    co_return candidate;
}

asio::awaitable<Result<std::vector<domain::TimeSpan>>>
pauses_of(ports::Store* store, Candidate candidate, TimePoint from, TimePoint until) {
    std::vector<domain::TimeSpan> spans;
    for (auto day = from; day <= until; day += std::chrono::days{1}) {
        BATON_CO_TRY(const auto versions, co_await store->allowlists_at(day));
        for (const auto& version : versions) {
            if (version.upstream != candidate.list.upstream) {
                continue;
            }
            const auto reading = wire::read_allowlist(version.text);
            const auto* entry =
                reading.allowlist ? reading.allowlist->find(candidate.entry.repo) : nullptr;
            if (entry != nullptr && entry->pause) {
                spans.push_back({.from = version.in_force_at, .until = entry->pause->until});
            }
        }
    }
    co_return spans;
}

std::optional<TimePoint> day_or_complain(const std::string& text) {
    constexpr std::size_t kDateBytes = 10;
    const auto when = parse_rfc3339(text.size() == kDateBytes ? text + "T00:00:00Z" : text);
    if (!when) {
        complain(
            fmt::format("\"{}\" is no day: write 2026-11-16, or 2026-11-16T00:00:00Z", inert(text))
        );
        return std::nullopt;
    }
    return *when;
}

} // namespace baton::program
