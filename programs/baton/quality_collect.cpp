// baton quality collect --config FILE --repo OWNER/NAME --as-of DATE [--write] FILE
//
// What a relay and test files say about a platform, as a snapshot and as claims.

#include "quality_collect.hpp"

#include "baton/app/files.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/crypto/ed25519.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/links/link_check.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/ci_metrics.hpp"
#include "baton/quality/filling.hpp"
#include "baton/quality/metric.hpp"
#include "baton/store/measure.hpp"
#include "baton/wire/assessment_patch.hpp"
#include "baton/wire/bundle_files.hpp"
#include "baton/wire/metrics_json.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bundle_folder.hpp"
#include "command.hpp"
#include "quality.hpp"
#include "quality_files.hpp"
#include "quality_measure.hpp"
#include "signing_keys.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

namespace fs = std::filesystem;

struct CollectCommand {
    AssessmentOptions input;
    StoreChoice store;
    std::string repo;
    std::string upstream;
    std::string as_of;
    TestOptions tests;
    std::string key;
    std::string out;
    bool links{false};
    bool write{false};
    bool json{false};
};

int exit_of(const Error& error) {
    complain(inert(error.detail));
    return error.code == Errc::invalid ? Exit::failure : Exit::unusable;
}

/// A midnight that is over; nullopt after saying why not.
std::optional<quality::Day> as_of_or_complain(const std::string& text) {
    const auto today = std::chrono::floor<std::chrono::days>(present());
    const auto day = text.empty() ? std::optional<quality::Day>(today) : quality::parse_day(text);
    if (!day) {
        complain(fmt::format("--as-of: \"{}\" is no day: write 2026-10-12", inert(text)));
        return std::nullopt;
    }
    if (*day > today) {
        complain(fmt::format(
            "--as-of: {} is still to come: nothing is known of it", quality::to_text(*day)
        ));
        return std::nullopt;
    }
    return day;
}

std::optional<MeasureWish>
wish_of(const CollectCommand& command, const quality::Assessment& assessment) {
    auto downstream = repo_or_complain("--repo", command.repo);
    const auto as_of = as_of_or_complain(command.as_of);
    if (!downstream || !as_of) {
        return std::nullopt;
    }
    MeasureWish wish{
        .downstream = *std::move(downstream),
        .upstream = {},
        .as_of = *as_of,
        .released = assessment.released,
    };
    if (!command.upstream.empty()) {
        wish.upstream = repo_or_complain("--upstream", command.upstream);
        if (!wish.upstream) {
            return std::nullopt;
        }
    }
    return wish;
}

/// The snapshot's name among evidence says what is in it, so that another one never takes its
/// place unseen.
quality::SnapshotEvidence
evidence_of(const CollectCommand& command, Collected& collected, quality::Release release) {
    constexpr std::size_t kDigits = 8;
    quality::SnapshotEvidence evidence{
        .id = {}, .file = {}, .digest = crypto::sha256_hex(collected.files[wire::kMetricsFile])
    };
    evidence.id = fmt::format(
        "relay-{}-{}",
        quality::to_text(collected.snapshot.as_of),
        evidence.digest.substr(0, kDigits)
    );
    const auto folder = fs::absolute(command.input.file).parent_path();
    collected.out = command.out;
    if (command.out.empty() && command.write) {
        collected.out =
            (folder / "ev" / quality::to_text(release) / evidence.id).lexically_normal().string();
    }
    if (!collected.out.empty()) {
        const auto place = fs::absolute(collected.out)
                               .lexically_normal()
                               .lexically_relative(folder.lexically_normal()) /
                           wire::kMetricsFile;
        const bool inside = *place.begin() != "..";
        evidence.file = inside ? place.lexically_normal().generic_string() : "";
    }
    return evidence;
}

/// Tries the links that the store has; the first that are closed are named.
quality::Metric try_links(const std::vector<std::string>& urls, quality::Day as_of) {
    constexpr std::size_t kNamed = 5;
    std::vector<quality::LinkAnswer> answers;
    std::size_t closed = 0;
    for (auto& state : links::check_links(urls, {})) {
        if (!state.open && closed++ < kNamed) {
            complain(fmt::format("{}: {}", inert(state.url), inert(state.detail)));
        }
        answers.push_back({.url = std::move(state.url), .open = state.open});
    }
    return quality::public_links(std::move(answers), as_of);
}

std::optional<Collected>
collect(const CollectCommand& command, const AssessmentInput& input, int& exit_code) {
    const auto wish = wish_of(command, *input.assessment);
    if (!wish) {
        exit_code = Exit::unusable;
        return std::nullopt;
    }
    const auto tests = read_tests(command.tests, *input.assessment, wish->as_of);
    if (!tests) {
        exit_code = exit_of(tests.error());
        return std::nullopt;
    }
    const auto path = store_path(command.store);
    if (!path) {
        exit_code = Exit::unusable;
        return std::nullopt;
    }
    const auto opened = store::open_to_measure(*path);
    if (!opened) {
        complain(inert(opened.error().detail));
        exit_code = Exit::unusable;
        return std::nullopt;
    }
    auto measured = measure_store(*opened, *wish);
    if (!measured) {
        complain(inert(measured.error().detail));
        exit_code = measured.error().code == Errc::not_found ? Exit::failure : Exit::unusable;
        return std::nullopt;
    }
    Collected collected{.snapshot = std::move(measured->snapshot)};
    measure_tests(*tests, collected.snapshot);
    if (command.links) {
        collected.snapshot.metrics.push_back(try_links(measured->links, wish->as_of));
    }
    collected.files = wire::metrics_bundle(collected.snapshot);
    collected.evidence = evidence_of(command, collected, input.assessment->release);
    collected.filling =
        quality::fill(*input.set, *input.assessment, collected.snapshot, collected.evidence.id);
    if (command.out.empty() && collected.filling.claims.empty()) {
        collected.out.clear(); // nothing would name it
    }
    return collected;
}

/// What the assessment becomes; `conflict` when only a person can change it.
Result<std::string> changed_text(const std::string& path, const Collected& collected) {
    BATON_TRY(const auto before, app::read_file(path, limits::kAllowlistBytesMax));
    auto after = wire::patched(
        before,
        {.snapshot = collected.snapshot,
         .evidence = collected.evidence,
         .filling = collected.filling}
    );
    if (!after) {
        return fail(
            Errc::conflict,
            fmt::format(
                "{}: {}; what to add is printed without --write", path, after.error().detail
            )
        );
    }
    return after;
}

/// The snapshot, then the assessment that names it.
int write_all(const CollectCommand& command, const Collected& collected) {
    std::optional<std::string> text;
    if (command.write) {
        auto changed = changed_text(command.input.file, collected);
        if (!changed) {
            complain(inert(changed.error().detail));
            return Exit::failure;
        }
        text = *std::move(changed);
    }
    if (!collected.out.empty()) {
        if (const auto made = write_bundle_folder(collected.out, collected.files); !made) {
            complain(inert(made.error().detail));
            return Exit::unusable;
        }
    }
    if (text) {
        if (const auto done = replace_file(command.input.file, *text); !done) {
            complain(inert(done.error().detail));
            return Exit::unusable;
        }
    }
    return Exit::ok;
}

int run(const CollectCommand& command) {
    std::optional<crypto::Ed25519PrivateKey> key;
    if (!command.key.empty()) {
        key = private_key_or_complain(command.key);
        if (!key) {
            return Exit::unusable;
        }
    }
    int exit_code = Exit::ok;
    const auto input =
        assessment_or_complain(command.input.file, command.input.criteria, exit_code);
    if (!input) {
        return exit_code;
    }
    auto collected = collect(command, *input, exit_code);
    if (!collected) {
        return exit_code;
    }
    if (key) {
        wire::sign_bundle(collected->files, *key);
    }
    if (const int written = write_all(command, *collected); written != Exit::ok) {
        return written;
    }
    print_collected(*collected, {.json = command.json, .written = command.write});
    return Exit::ok;
}

void add_options(CLI::App& command, CollectCommand& options) {
    add_assessment_options(command, options.input);
    add_store_options(command, options.store);
    command.add_option("--repo", options.repo, "The downstream whose CI is measured")
        ->required()
        ->option_text("OWNER/NAME");
    command.add_option("--upstream", options.upstream, "Of which upstream, if several list it")
        ->option_text("OWNER/NAME");
    command.add_option("--as-of", options.as_of, "Until this day, 00:00 UTC; default: today")
        ->option_text("DATE");
    command
        .add_option("--junit", options.tests.junit, "Test results in JUnit XML; may be repeated")
        ->allow_extra_args(false) // the assessment may follow
        ->option_text("[HARDWARE=]FILE|DIR");
    command.add_option("--baseline", options.tests.baseline, "The manifest of the release")
        ->option_text("FILE");
    command.add_option("--marks", options.tests.marks, "Tests that are marked flaky, one a line")
        ->option_text("FILE");
    command.add_flag(
        "--links", options.links, "Try links of the last 14 days from this machine; 200 at most"
    );
    command.add_option("--key", options.key, "An Ed25519 key to sign the snapshot with, PEM")
        ->option_text("PRIVATE.pem");
    command.add_option("--out", options.out, "The folder to write the snapshot to")
        ->option_text("DIR");
    command.add_flag("--write", options.write, "Put it into the assessment, where it is unknown");
    command.add_flag("--json", options.json, "Print one JSON object");
}

} // namespace

void add_quality_collect(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<CollectCommand>();
    auto* command = group.add_subcommand("collect", "Measure a platform by a relay's store");
    add_options(*command, *options);
    command->footer(
        R"(Measures coverage (JUnit files against a baseline manifest), flaky marks, flakes seen, outages, gate
coverage and nightlies, and prints the YAML to add: evidence, items that are unknown, facts. What was
claimed by hand is never changed; what differs is said. Too little data, or shards that are missing,
give no points. --write changes the file and writes the snapshot to ev/RELEASE/ beside it, or to
--out. The same store and files give the same bytes. --links asks the servers that results and
artifacts are linked at, over https and at public addresses only; without it nothing is sent.
docs/design/quality.md has the formulas.

Example:
  baton quality collect --config baton.yml --repo acme/backend --as-of 2026-10-12 2.14.yml
  baton quality collect --config baton.yml --repo acme/backend --as-of 2026-10-12 --junit results \
    --baseline 2.14.tsv --marks flaky.txt --key relay.pem --write 2.14.yml

Exit codes: 0 measured, 1 no list names the repository, or a file has errors, 2 the store, the day or a file cannot
be used.)"
    );
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace baton::program
