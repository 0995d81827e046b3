// baton levels bundle OWNER/REPO --out DIR [--as-of DATE] [--key PRIVATE.pem]
//
// The evidence of one evaluation as files: what maintainers read before they change a level.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/ed25519.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/store.hpp"
#include "baton/wire/bundle.hpp"
#include "baton/wire/bundle_files.hpp"
#include "baton/wire/ladder_json.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bundle_folder.hpp"
#include "command.hpp"
#include "downstream.hpp"
#include "levels.hpp"
#include "levels_rules.hpp"
#include "print.hpp"
#include "signing_keys.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

namespace asio = boost::asio;

constexpr std::size_t kEvaluationsMost = 400; // a year and a month
constexpr std::size_t kMovesMost = 50;
constexpr int kEvidenceDays = wire::kBundleDays + 2; // what a first day is compared with

struct BundleOptions {
    StoreChoice store;
    std::string downstream;
    std::string upstream;
    std::string out;
    std::string as_of;
    std::string key;
    std::string url;
    RulesChoice rules;
    bool json{false};
};

/// What is asked for, read.
struct Wish {
    RepoName downstream;
    std::optional<RepoName> upstream;
    std::optional<TimePoint> as_of;
    Millis day{};
    std::string url;
    std::optional<crypto::Ed25519PrivateKey> key;
};

struct Made {
    RepoName upstream;
    TimePoint as_of{};
    wire::BundleFiles files;
};

std::optional<Wish> wish_of(const BundleOptions& options) {
    Wish wish;
    auto downstream = repo_or_complain("the downstream", options.downstream);
    if (!downstream) {
        return std::nullopt;
    }
    wish.downstream = *std::move(downstream);
    if (!options.upstream.empty()) {
        wish.upstream = repo_or_complain("--upstream", options.upstream);
        if (!wish.upstream) {
            return std::nullopt;
        }
    }
    if (!options.as_of.empty()) {
        wish.as_of = day_or_complain(options.as_of);
        if (!wish.as_of) {
            return std::nullopt;
        }
    }
    const auto rules = rules_or_complain(options.rules, options.store);
    if (!rules) {
        return std::nullopt;
    }
    wish.day = rules->day;
    wish.url =
        options.url.ends_with('/') ? options.url.substr(0, options.url.size() - 1) : options.url;
    if (!options.key.empty()) {
        wish.key = private_key_or_complain(options.key);
        if (!wish.key) {
            return std::nullopt;
        }
    }
    return wish;
}

/// Where the list is kept, as a patch names it: `github:OWNER/REPO/PATH@REF`, `file:PATH`.
std::string path_in(std::string_view source) {
    constexpr std::string_view kGithub = "github:";
    if (!source.starts_with(kGithub)) {
        return std::string(source.substr(source.find_last_of(":/") + 1));
    }
    source = source.substr(kGithub.size(), source.rfind('@') - kGithub.size());
    for (int part = 0; part < 2; ++part) { // the owner and the repository
        source.remove_prefix(std::min(source.find('/') + 1, source.size()));
    }
    return std::string(source);
}

Result<ports::KeptEvaluation>
chosen(std::vector<ports::KeptEvaluation> evaluations, const Wish& wish) {
    if (evaluations.empty()) {
        return fail(
            Errc::not_found,
            fmt::format(
                "{} was never evaluated: a relay does that when a day ends", wish.downstream.text()
            )
        );
    }
    for (auto& evaluation : evaluations) {
        if (!wish.as_of || evaluation.as_of == *wish.as_of) {
            return std::move(evaluation);
        }
    }
    return fail(
        Errc::not_found,
        fmt::format(
            "{} was not evaluated as of {}; the newest is {}, the oldest at hand {}",
            wish.downstream.text(),
            to_rfc3339(*wish.as_of),
            to_rfc3339(evaluations.front().as_of),
            to_rfc3339(evaluations.back().as_of)
        )
    );
}

asio::awaitable<Result<domain::LadderHistory>>
history_of(ports::Levels* levels, Candidate candidate, TimePoint as_of, Millis day) {
    const ports::ViewWindow window{.from = as_of - kEvidenceDays * day, .until = as_of};
    BATON_CO_TRY(auto ladders, co_await levels->ladders(candidate.list.upstream, window));
    domain::LadderHistory history;
    for (auto& ladder : ladders) {
        if (ladder.downstream == candidate.entry.repo) {
            history = std::move(ladder.history);
        }
    }
    history.day_length = day;
    co_return history;
}

asio::awaitable<Result<std::vector<wire::BundledMove>>>
moves_of(ports::Levels* levels, Candidate candidate, TimePoint as_of) {
    ports::TransitionQuery query{
        .upstream = candidate.list.upstream,
        .downstream = candidate.entry.repo,
        .before = std::nullopt,
        .limit = kMovesMost,
    };
    BATON_CO_TRY(auto transitions, co_await levels->transitions(std::move(query)));
    std::vector<wire::BundledMove> moves;
    for (auto& kept : transitions) {
        if (kept.as_of <= as_of) {
            moves.push_back({.as_of = kept.as_of, .move = std::move(kept.transition)});
        }
    }
    co_return moves;
}

asio::awaitable<Result<Made>> make(ports::Store* store, ports::Levels* levels, Wish wish) {
    BATON_CO_TRY(
        const auto candidate, co_await find_candidate(store, wish.downstream, wish.upstream)
    );
    const auto& upstream = candidate.list.upstream;
    BATON_CO_TRY(
        auto evaluations,
        co_await levels->evaluations(upstream, candidate.entry.repo, kEvaluationsMost)
    );
    BATON_CO_TRY(const auto evaluation, chosen(std::move(evaluations), wish));
    BATON_CO_TRY(auto verdict, wire::read_verdict(evaluation.verdict));
    const auto as_of = evaluation.as_of;
    BATON_CO_CHECK(check_day(wish.day, as_of));
    ports::EvidenceQuery query{
        .upstream = upstream,
        .window = {.from = as_of - kEvidenceDays * wish.day, .until = as_of},
        .day_length = wish.day,
    };
    BATON_CO_TRY(const auto evidence, co_await levels->evidence(std::move(query)));
    BATON_CO_TRY(auto history, co_await history_of(levels, candidate, as_of, wish.day));
    BATON_CO_TRY(auto moves, co_await moves_of(levels, candidate, as_of));
    const auto outcomes = domain::judge_outcomes(evidence, wish.day);
    const wire::BundleFacts facts{
        .upstream = upstream,
        .downstream = candidate.entry.repo,
        .profile = evaluation.profile,
        .verdict = std::move(verdict),
        .revision = evaluation.revision,
        .digest = evaluation.digest,
        .evidence = evidence,
        .outcomes = outcomes,
        .history = std::move(history),
        .moves = std::move(moves),
        .hidden = candidate.hidden,
        .public_url = wish.url,
        .allowlist = candidate.list.text,
        .allowlist_path = path_in(candidate.list.source),
    };
    Made made{.upstream = upstream, .as_of = as_of, .files = wire::make_bundle(facts)};
    if (wish.key) {
        wire::sign_bundle(made.files, *wish.key);
    }
    co_return made;
}

void print_made(const BundleOptions& options, const Made& made) {
    const bool is_signed = made.files.contains(wire::kSignatureFile);
    if (options.json) {
        boost::json::array files;
        for (const auto& [name, bytes] : made.files) {
            files.emplace_back(
                boost::json::object{{"name", json_text(name)}, {"bytes", bytes.size()}}
            );
        }
        print_json(boost::json::object{
            {"bundle", json_text(options.out)},
            {"upstream", json_text(made.upstream.text())},
            {"downstream", json_text(options.downstream)},
            {"as_of", to_rfc3339(made.as_of)},
            {"signed", is_signed},
            {"files", std::move(files)},
        });
        return;
    }
    for (const auto& [name, bytes] : made.files) {
        fmt::print("{}/{}  {} bytes\n", inert(options.out), name, bytes.size());
    }
    fmt::print(
        "as of {}, {}\n",
        to_rfc3339(made.as_of),
        is_signed ? "signed" : "not signed: --key PRIVATE.pem signs it"
    );
}

int bundle(const BundleOptions& options) {
    auto wish = wish_of(options);
    if (!wish) {
        return Exit::unusable;
    }
    const auto opened = open_ladder(options.store);
    if (!opened) {
        return Exit::unusable;
    }
    const auto made = run(make(opened->store.get(), opened->levels, *std::move(wish)));
    if (!made) {
        complain(inert(made.error().detail));
        return made.error().code == Errc::not_found ? Exit::failure : Exit::unusable;
    }
    if (const auto written = write_bundle_folder(options.out, made->files); !written) {
        complain(inert(written.error().detail));
        return Exit::unusable;
    }
    print_made(options, *made);
    return Exit::ok;
}

} // namespace

void add_levels_bundle(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<BundleOptions>();
    auto* command = group.add_subcommand("bundle", "Write the evidence of an evaluation as files");
    add_downstream_name(*command, options->downstream);
    add_store_options(*command, options->store);
    command->add_option("--out", options->out, "The folder to write; made if it is not there")
        ->required()
        ->option_text("DIR");
    command->add_option("--as-of", options->as_of, "Which evaluation; default: the newest")
        ->option_text("DATE");
    command->add_option("--key", options->key, "An Ed25519 key to sign it with, PEM")
        ->option_text("PRIVATE.pem");
    command->add_option("--upstream", options->upstream, "Of which upstream, if several list it")
        ->option_text("OWNER/REPO");
    command->add_option("--url", options->url, "Where the relay's pages are, for links to the rows")
        ->option_text("URL");
    add_day_option(*command, options->rules.day);
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(Writes verdict.md (ready to paste), verdict.json, events.csv (every outcome of 14 days, with class, rule
and link), exclusions.md, chart.svg, allowlist.patch when a change is proposed, digests.txt, and with
a key signature. The same store and day give the same bytes again. Private downstreams are not named.

Example:
  openssl genpkey -algorithm ed25519 -out baton-private.pem
  baton levels bundle acme/backend --config baton.yml --out bundle --key baton-private.pem

Exit codes: 0 written, 1 there is no such evaluation, 2 the store, the key or the folder cannot be used.)"
    );
    command->callback([options, &exit_code] { exit_code = bundle(*options); });
}

} // namespace baton::program
