// baton levels what-if [--profile NAME|FILE] [--allowlist FILE] [--days 30] [--json]
//
// Judges the days that are kept again under other rules or another list, before anybody merges
// them, and holds the outcome against what did happen.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/ladder_replay.hpp"
#include "baton/domain/level.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/ladder_round.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "allowlist.hpp"
#include "command.hpp"
#include "levels.hpp"
#include "levels_list.hpp"
#include "levels_print.hpp"
#include "levels_rules.hpp"
#include "print.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

namespace asio = boost::asio;
namespace json = boost::json;

constexpr int kDaysMost = 366;
constexpr std::size_t kPage = 500;

struct WhatIfOptions {
    StoreChoice store;
    std::string upstream;
    RulesChoice rules;
    std::string allowlist;
    int days{30};
    bool json{false};
};

struct Wish {
    std::optional<RepoName> upstream;
    LadderRules rules;
    std::optional<domain::Allowlist> allowlist; // none: the one in force
    domain::LadderWindow range;
};

struct Compared {
    domain::Replay would;
    std::vector<ports::KeptTransition> did; // oldest first
};

bool is_level_move(domain::LadderMove move) {
    return move == domain::LadderMove::demoted || move == domain::LadderMove::returned ||
           move == domain::LadderMove::proposed || move == domain::LadderMove::relisted;
}

/// Those of the range, oldest first.
asio::awaitable<Result<std::vector<ports::KeptTransition>>>
moves_of(ports::Levels* levels, RepoName upstream, domain::LadderWindow range) {
    std::vector<ports::KeptTransition> all;
    ports::TransitionQuery query{.upstream = upstream, .limit = kPage};
    for (bool more = true; more;) {
        BATON_CO_TRY(const auto page, co_await levels->transitions(query));
        for (const auto& one : page) {
            if (one.as_of > range.from && one.as_of <= range.until &&
                is_level_move(one.transition.move)) {
                all.push_back(one);
            }
        }
        more = page.size() == kPage && page.back().as_of > range.from;
        if (more) {
            query.before = page.back().id;
        }
    }
    std::ranges::reverse(all);
    co_return all;
}

asio::awaitable<Result<std::vector<Compared>>>
compare(ports::Store* store, ports::Levels* levels, Wish wish) {
    BATON_CO_TRY(const auto list, co_await list_in_force(store, wish.upstream));
    auto window = relay::history_window(wish.rules.profile, wish.range.from, wish.rules.day);
    window.until = wish.range.until;
    BATON_CO_TRY(const auto ladders, co_await levels->ladders(list.upstream, window));
    BATON_CO_TRY(const auto did, co_await moves_of(levels, list.upstream, wish.range));
    const auto& allowlist = wish.allowlist ? *wish.allowlist : list.allowlist;
    std::vector<domain::ReplayedDownstream> all;
    for (const auto& ladder : ladders) {
        if (ladder.standing && ladder.standing->as_of) {
            BATON_CO_CHECK(check_day(wish.rules.day, *ladder.standing->as_of));
        }
        const auto* entry = allowlist.find(ladder.downstream);
        if (entry != nullptr && !ladder.history.days.empty()) {
            all.push_back(
                {.downstream = ladder.downstream,
                 .listed = domain::listed_level(*entry),
                 .history = ladder.history}
            );
            all.back().history.day_length = wish.rules.day;
        }
    }
    std::vector<Compared> compared;
    for (auto& would : domain::replay(all, wish.rules.profile, wish.range)) {
        Compared one{.would = std::move(would), .did = {}};
        std::ranges::copy_if(did, std::back_inserter(one.did), [&one](const auto& moved) {
            return moved.downstream == one.would.downstream;
        });
        compared.push_back(std::move(one));
    }
    co_return compared;
}

/// "2026-09-03 demoted to L2"
std::string move_text(TimePoint as_of, const domain::LadderTransition& moved) {
    if (moved.move == domain::LadderMove::proposed) {
        return fmt::format("{} proposed {}", date_text(as_of), moved.reason);
    }
    return fmt::format("{} {} to {}", date_text(as_of), name_of(moved.move), name_of(moved.to));
}

std::string joined(const std::vector<std::string>& texts) {
    std::string all;
    for (const auto& text : texts) {
        all += (all.empty() ? "" : "; ") + text;
    }
    return all.empty() ? "nothing" : all;
}

std::string days_text(const domain::Replay& would) {
    std::vector<std::string> parts;
    for (const auto& [level, days] : would.days) {
        parts.push_back(fmt::format("{} {}", name_of(level), days));
    }
    std::ranges::reverse(parts);
    return joined(parts);
}

void print_text(const std::vector<Compared>& all, const Wish& wish) {
    fmt::print(
        "{} from {} to {}\n",
        inert(label_of(wish.rules.profile)),
        date_text(wish.range.from),
        date_text(wish.range.until)
    );
    Table table({"DOWNSTREAM", "LISTED", "DAYS AT", "WOULD HAVE", "DID"});
    for (const auto& one : all) {
        std::vector<std::string> would;
        for (const auto& moved : one.would.moves) {
            if (is_level_move(moved.transition.move)) {
                would.push_back(move_text(moved.as_of, moved.transition));
            }
        }
        std::vector<std::string> did;
        for (const auto& moved : one.did) {
            did.push_back(move_text(moved.as_of, moved.transition));
        }
        table.add(
            {one.would.downstream.text(),
             std::string(name_of(one.would.listed)),
             days_text(one.would),
             joined(would),
             joined(did)}
        );
    }
    fmt::print("{}", table.text());
}

json::object json_of_compared(const Compared& one) {
    json::object days;
    for (const auto& [level, count] : one.would.days) {
        days[name_of(level)] = count;
    }
    json::array would;
    for (const auto& moved : one.would.moves) {
        auto out = transition_json(moved.transition);
        out["as_of"] = to_rfc3339(moved.as_of);
        would.emplace_back(std::move(out));
    }
    json::array did;
    for (const auto& moved : one.did) {
        did.emplace_back(json_of(moved));
    }
    return {
        {"downstream", one.would.downstream.text()},
        {"listed", name_of(one.would.listed)},
        {"effective", name_of(one.would.standing.effective)},
        {"days", std::move(days)},
        {"would", std::move(would)},
        {"did", std::move(did)},
    };
}

/// The list of a file; nullopt after saying what is wrong with it.
std::optional<domain::Allowlist> list_or_complain(const std::string& path) {
    auto file = lint_file(path);
    if (!file.reading.allowlist) {
        for (const auto& finding : file.reading.findings) {
            complain(domain::to_text(finding, path));
        }
    }
    return std::move(file.reading.allowlist);
}

std::optional<Wish> wish_of(const WhatIfOptions& options) {
    Wish wish;
    if (!options.upstream.empty()) {
        wish.upstream = repo_or_complain("--upstream", options.upstream);
        if (!wish.upstream) {
            return std::nullopt;
        }
    }
    auto rules = rules_or_complain(options.rules, options.store);
    if (!rules) {
        return std::nullopt;
    }
    wish.rules = *std::move(rules);
    if (!options.allowlist.empty()) {
        wish.allowlist = list_or_complain(options.allowlist);
        if (!wish.allowlist) {
            return std::nullopt;
        }
    }
    wish.range.until = domain::day_of(present(), wish.rules.day);
    wish.range.from = wish.range.until - (options.days * wish.rules.day);
    return wish;
}

int what_if(const WhatIfOptions& options) {
    const auto wish = wish_of(options);
    const auto open = wish ? open_ladder(options.store) : std::nullopt;
    if (!open) {
        return Exit::unusable;
    }
    const auto compared = run(compare(open->store.get(), open->levels, *wish));
    if (!compared) {
        complain(inert(compared.error().detail));
        return compared.error().code == Errc::invalid ? Exit::unusable : Exit::failure;
    }
    if (options.json) {
        json::array all;
        for (const auto& one : *compared) {
            all.emplace_back(json_of_compared(one));
        }
        print_json(json::object{
            {"profile", json_text(label_of(wish->rules.profile))},
            {"from", to_rfc3339(wish->range.from)},
            {"until", to_rfc3339(wish->range.until)},
            {"downstreams", std::move(all)},
        });
    } else if (!compared->empty()) {
        print_text(*compared, *wish);
    }
    if (compared->empty()) {
        complain("no day is kept of anybody who is listed: has a relay judged them yet?");
        return Exit::failure;
    }
    return Exit::ok;
}

} // namespace

void add_levels_what_if(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<WhatIfOptions>();
    auto* command =
        group.add_subcommand("what-if", "What other rules or another list would have done");
    add_store_options(*command, options->store);
    command->add_option("--upstream", options->upstream, "Whose list, where there are several")
        ->option_text("OWNER/REPO");
    add_profile_option(*command, options->rules.profile);
    add_day_option(*command, options->rules.day);
    command->add_option("--allowlist", options->allowlist, "A list instead of the one in force")
        ->option_text("FILE");
    command->add_option("--days", options->days, "How many days to judge again; default 30")
        ->check(CLI::Range(1, kDaysMost))
        ->option_text("N");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(Everybody begins as listed at the first day and is judged as of each midnight since, on the days that
the store keeps. Nothing is written. What did happen stands beside it. Exclusions are as they were
when the days were counted.

Examples:
  baton levels what-if --config baton.yml --profile mine.yml --days 60
  baton levels what-if --config baton.yml --allowlist allowlist.yml

Exit codes: 0 printed, 1 no days are kept, 2 unusable input.)"
    );
    command->callback([options, &exit_code] { exit_code = what_if(*options); });
}

} // namespace baton::program
