// baton downstream suspend OWNER/REPO --reason TEXT [--until TIME | --for 2h] [--upstream
// OWNER/REPO] baton downstream resume OWNER/REPO [--upstream OWNER/REPO]
//
// From now on a downstream gets nothing; what is pending is held until somebody resumes it or the
// time is over. A running relay obeys within a second.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "actor.hpp"
#include "command.hpp"
#include "downstream.hpp"
#include "lookup.hpp"
#include "pairing.hpp"
#include "print.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

namespace asio = boost::asio;
namespace json = boost::json;

struct HoldOptions : PairingOptions {
    std::string reason;
    std::string until;
    std::string span;
};

std::string from_whom(const RepoName& upstream) {
    return upstream.empty() ? "every upstream" : upstream.text();
}

json::value upstream_or_null(const RepoName& upstream) {
    return upstream.empty() ? json::value(nullptr) : json::value(upstream.text());
}

/// When it ends, if it does; an error says what is wrong with the time given.
Result<std::optional<TimePoint>> end_of(const HoldOptions& options, TimePoint now) {
    if (!options.span.empty()) {
        BATON_TRY(const auto span, parse_duration(options.span));
        return now + span;
    }
    if (options.until.empty()) {
        return std::optional<TimePoint>{};
    }
    BATON_TRY(const auto until, parse_rfc3339(options.until));
    if (until <= now) {
        return fail(Errc::invalid, fmt::format("{} is over already", to_rfc3339(until)));
    }
    return until;
}

/// Dispatches that are pending for a downstream.
asio::awaitable<Result<std::size_t>>
pending_of(ports::Store* store, RepoName downstream, TimePoint now) {
    BATON_CO_TRY(const auto all, co_await store->downstream_figures(now));
    const auto found = std::ranges::find(all, downstream, &ports::DownstreamFigures::downstream);
    co_return found == all.end() ? std::size_t{0} : found->pending;
}

/// `not_found` for a repository that neither a list nor history knows.
asio::awaitable<Result<std::size_t>>
suspend_known(ports::Store* store, domain::Suspension suspension) {
    const auto now = suspension.since;
    const auto repo = suspension.downstream;
    Lookup lookup(*store);
    BATON_CO_TRY(const auto listed, co_await lookup.listed());
    BATON_CO_TRY(const auto figures, co_await store->downstream_figures(now));
    const auto names_it = [&repo](const Listed& one) { return one.entry.repo == repo; };
    const bool known =
        std::ranges::any_of(listed, names_it) ||
        std::ranges::find(figures, repo, &ports::DownstreamFigures::downstream) != figures.end();
    if (!known) {
        co_return fail(
            Errc::not_found,
            not_listed(repo, listed) + "; it has no history either, so nothing is suspended"
        );
    }
    auto suspended = co_await store->suspend(std::move(suspension));
    if (!suspended) {
        co_return fail(suspended.error());
    }
    co_return co_await pending_of(store, repo, now);
}

int suspend(const HoldOptions& options) {
    const auto pairing = pairing_of(options);
    if (!pairing) {
        return Exit::unusable;
    }
    const auto now = present();
    const auto until = end_of(options, now);
    if (!until) {
        complain(fmt::format(
            "{}: {}", options.span.empty() ? "--until" : "--for", inert(until.error().detail)
        ));
        return Exit::unusable;
    }
    const auto store = open_store(options.store);
    if (!store) {
        return Exit::unusable;
    }
    const domain::Suspension suspension{
        .downstream = pairing->downstream,
        .upstream = pairing->upstream,
        .since = now,
        .until = *until,
        .reason = options.reason,
        .actor = actor(options.actor),
    };
    const auto held = run(suspend_known(store.get(), suspension));
    if (!held) {
        complain(inert(held.error().detail));
        return Exit::failure;
    }
    if (options.json) {
        print_json(json::object{
            {"downstream", suspension.downstream.text()},
            {"upstream", upstream_or_null(suspension.upstream)},
            {"since", to_rfc3339(now)},
            {"until", *until ? json::value(to_rfc3339(**until)) : json::value(nullptr)},
            {"reason", json_text(suspension.reason)},
            {"actor", json_text(suspension.actor)},
            {"pending", *held},
        });
    } else {
        fmt::print(
            "{} gets nothing from {} any more, {}\n{} pending; a running relay obeys within a "
            "second\n",
            suspension.downstream.text(),
            from_whom(suspension.upstream),
            inert(to_text(suspension)),
            counted(*held, "dispatch")
        );
    }
    return Exit::ok;
}

int resume(const PairingOptions& options) {
    const auto open = open_pairing(options);
    if (!open) {
        return Exit::unusable;
    }
    const auto& pairing = open->pairing;
    ports::Resumption resumption{
        .downstream = pairing.downstream,
        .upstream = pairing.upstream.empty() ? std::nullopt : std::optional(pairing.upstream),
        .now = present(),
        .actor = actor(options.actor),
    };
    const auto lifted = run(open->store->resume(std::move(resumption)));
    if (!lifted) {
        complain(inert(lifted.error().detail));
        return Exit::failure;
    }
    if (options.json) {
        print_json(json::object{
            {"downstream", pairing.downstream.text()},
            {"upstream", upstream_or_null(pairing.upstream)},
            {"lifted", *lifted},
        });
    }
    if (*lifted == 0) {
        complain(fmt::format(
            "{} is not suspended{}{}",
            pairing.downstream.text(),
            pairing.upstream.empty() ? "" : " from ",
            pairing.upstream.text()
        ));
        return Exit::failure;
    }
    if (!options.json) {
        fmt::print(
            "{} gets events again; what is pending goes within a second when a relay runs\n",
            pairing.downstream.text()
        );
    }
    return Exit::ok;
}

constexpr const char* kOfUpstream = "Only events of this upstream";

} // namespace

void add_downstream_suspend(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<HoldOptions>();
    auto* command = group.add_subcommand("suspend", "Send a downstream nothing for now");
    add_pairing_options(*command, *options, kOfUpstream);
    command->add_option("--reason", options->reason, "Why; shown wherever it matters")
        ->required()
        ->option_text("TEXT REQUIRED");
    auto* until =
        command->add_option("--until", options->until, "When it ends by itself, RFC 3339");
    until->option_text("TIME");
    command->add_option("--for", options->span, "Or how long: 90s, 15m, 2h, 7d")
        ->option_text("SPAN")
        ->excludes(until);
    command->footer(
        R"(New events are withheld, with the reason, and are not sent later; dispatches that are pending already
are held until `baton downstream resume` or the time given (a newer commit still supersedes them).
`pause` in the allowlist is for planned maintenance; this is for now. Suspending again replaces the
reason and the time.

Examples:
  baton downstream suspend --config baton.yml org/backend --reason "runners on fire" --for 2h
  baton downstream suspend --store baton.db org/backend --reason "too noisy" --upstream up/stream

Exit codes: 0 suspended, 1 nobody knows that downstream, 2 unusable input.)"
    );
    command->callback([options, &exit_code] { exit_code = suspend(*options); });
}

void add_downstream_resume(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<PairingOptions>();
    auto* command = group.add_subcommand("resume", "End a suspension");
    add_pairing_options(*command, *options, kOfUpstream);
    command->footer(
        R"(Without --upstream every suspension of the downstream ends. What is still pending is sent; events that
came meanwhile were withheld: `baton deliveries list` shows them.

Example:
  baton downstream resume --config baton.yml org/backend

Exit codes: 0 resumed, 1 it was not suspended, 2 unusable input.)"
    );
    command->callback([options, &exit_code] { exit_code = resume(*options); });
}

} // namespace baton::program
