// baton quality verify DIR|FILE [--key PUBLIC.pem]
//
// Whether a bundle, or an assessment beside its evidence, is what it says it is. Needs no network.

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/crypto/base64url.hpp"
#include "baton/crypto/ed25519.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/wire/bundle_files.hpp"
#include "baton/wire/metrics_json.hpp"
#include "baton/wire/quality_bundle.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "bundle_folder.hpp"
#include "command.hpp"
#include "print.hpp"
#include "quality.hpp"
#include "quality_dossier.hpp"
#include "quality_files.hpp"
#include "signing_keys.hpp"

namespace baton::program {

namespace {

using Key = std::optional<crypto::Ed25519PublicKey>;

struct VerifyCommand {
    std::string place;
    std::string criteria;
    std::string key;
    bool json{false};
};

/// What was found, and how many files were looked at.
struct Verified {
    wire::QualityVerdict verdict;
    std::size_t files{0};
};

/// A folder that holds what a relay measured, and no assessment.
bool is_snapshot(const wire::BundleFiles& files) {
    return files.contains(wire::kMetricsFile) && files.size() <= 3;
}

/// What a relay signed: nothing can be counted again without its store, so digests and signature
/// are all there is.
int verify_snapshot(const VerifyCommand& command, const wire::BundleFiles& files, const Key& key) {
    auto differences = key ? wire::check_bundle(files, *key) : wire::check_digests(files);
    const auto summary = wire::read_metrics(files.at(wire::kMetricsFile));
    if (!differences || !summary) {
        const auto& why = differences ? summary.error().detail : differences.error().detail;
        complain(inert(command.place) + ": " + inert(why));
        return Exit::unusable;
    }
    const bool good = differences->empty();
    if (command.json) {
        boost::json::array all;
        for (const auto& difference : *differences) {
            all.emplace_back(json_text(difference));
        }
        print_json(boost::json::object{
            {"place", json_text(command.place)},
            {"files", files.size()},
            {"good", good},
            {"signature_checked", key.has_value()},
            {"repo", json_text(summary->repo)},
            {"as_of", json_text(summary->as_of)},
            {"metrics", summary->lines.size()},
            {"differences", std::move(all)},
        });
        return good ? Exit::ok : Exit::failure;
    }
    for (const auto& difference : *differences) {
        fmt::print("{}: {}\n", inert(command.place), inert(difference));
    }
    if (good) {
        fmt::print(
            "{}: {} of {}, {}\n",
            inert(command.place),
            counted(summary->lines.size(), "metric"),
            inert(summary->repo + " as of " + summary->as_of),
            key ? "as they were signed with this key"
                : "as the digests say; who signed them was not looked at: --key PUBLIC.pem"
        );
        Table table({"METRIC", "MEASURED", "N", "VERDICT"});
        for (const auto& line : summary->lines) {
            table.add(
                {inert(line.metric),
                 fmt::format("{} of {}", line.num, line.den),
                 fmt::format("{}", line.n),
                 inert(line.verdict)}
            );
        }
        fmt::print("{}", table.text());
    }
    return good ? Exit::ok : Exit::failure;
}

/// `value` is base64, with either alphabet.
bool verifies(const crypto::Ed25519PublicKey& key, std::string digest, std::string value) {
    std::ranges::replace(value, '+', '-');
    std::ranges::replace(value, '/', '_');
    value.erase(value.find_last_not_of('=') + 1);
    const auto bytes = crypto::from_base64url(value);
    return bytes && key.verifies(digest, *bytes);
}

void check_signatures(
    const quality::Assessment& assessment, const Key& key, std::vector<std::string>& differences
) {
    if (!key) {
        return;
    }
    if (assessment.signatures.empty()) {
        differences.emplace_back("it is not signed: there are no signatures in it");
    } else if (std::ranges::none_of(assessment.signatures, [&](const quality::Signature& one) {
                   return verifies(*key, assessment.digest, one.value);
               })) {
        differences.emplace_back("none of its signatures was made with this key");
    }
}

Result<Verified> verify_bundle(const VerifyCommand& command, const Key& key) {
    BATON_TRY(const auto files, read_bundle_folder(command.place));
    BATON_TRY(auto differences, key ? wire::check_bundle(files, *key) : wire::check_digests(files));
    Verified verified{.verdict = {}, .files = files.size()};
    if (auto verdict = wire::check_quality_bundle(files)) {
        verified.verdict = *std::move(verdict);
    } else {
        differences.push_back(verdict.error().detail);
    }
    for (auto& difference : verified.verdict.differences) {
        differences.push_back(std::move(difference));
    }
    verified.verdict.differences = std::move(differences);
    return verified;
}

Result<Verified> verify_file(const Dossier& dossier, const std::string& criteria, const Key& key) {
    BATON_TRY(const auto input, files_of(dossier, criteria));
    BATON_TRY(auto verdict, wire::check_quality_files(input));
    check_signatures(*dossier.input.assessment, key, verdict.differences);
    return Verified{.verdict = std::move(verdict), .files = input.evidence.size() + 1};
}

void print_verified(const VerifyCommand& command, const Verified& verified, bool with_key) {
    const auto& verdict = verified.verdict;
    if (command.json) {
        boost::json::array all;
        for (const auto& difference : verdict.differences) {
            all.emplace_back(json_text(difference));
        }
        print_json(boost::json::object{
            {"place", json_text(command.place)},
            {"files", verified.files},
            {"good", verdict.differences.empty()},
            {"signature_checked", with_key},
            {"chained", verdict.chained},
            {"level", json_text(verdict.level)},
            {"proven", verdict.proven},
            {"potential", verdict.potential},
            {"max", verdict.max},
            {"differences", std::move(all)},
        });
        return;
    }
    const auto place = inert(command.place);
    for (const auto& difference : verdict.differences) {
        fmt::print("{}: {}\n", place, inert(difference));
    }
    if (verdict.differences.empty()) {
        fmt::print(
            "{}: {}, {}\n{}: {} proven, {} potential, {} in all; the assessment before {}\n",
            place,
            counted(verified.files, "file"),
            with_key ? "as they were signed with this key"
                     : "as the digests say; who signed them was not looked at: --key PUBLIC.pem",
            inert(verdict.level),
            verdict.proven,
            verdict.potential,
            verdict.max,
            verdict.chained ? "is the one that it names" : "is not at hand"
        );
    }
}

int run(const VerifyCommand& command) {
    Key key;
    if (!command.key.empty()) {
        key = public_key_or_complain(command.key);
        if (!key) {
            return Exit::unusable;
        }
    }
    std::error_code ignored;
    Result<Verified> verified = fail(Errc::invalid, "");
    if (std::filesystem::is_directory(command.place, ignored)) {
        const auto files = read_bundle_folder(command.place);
        if (files && is_snapshot(*files)) {
            return verify_snapshot(command, *files, key);
        }
        verified = verify_bundle(command, key);
    } else {
        int exit_code = Exit::ok;
        const auto dossier = dossier_or_complain(
            {.input = {.file = command.place, .criteria = command.criteria},
             .as_of = {},
             .reading = {}},
            exit_code
        );
        if (!dossier) {
            return exit_code;
        }
        verified = verify_file(*dossier, command.criteria, key);
    }
    if (!verified) {
        complain(inert(command.place) + ": " + inert(verified.error().detail));
        return Exit::unusable;
    }
    print_verified(command, *verified, key.has_value());
    return verified->verdict.differences.empty() ? Exit::ok : Exit::failure;
}

} // namespace

void add_quality_verify(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<VerifyCommand>();
    auto* command = group.add_subcommand(
        "verify", "Say whether a bundle, a snapshot or an assessment is what it claims to be"
    );
    command
        ->add_option(
            "DIR|FILE", options->place, "A bundle, a snapshot, or an assessment beside its evidence"
        )
        ->required()
        ->option_text(" ");
    command->add_option("--key", options->key, "The public key of who signed it, PEM")
        ->option_text("PUBLIC.pem");
    command->add_option("--criteria", options->criteria, "For a file: criteria other than it names")
        ->option_text("LABEL|FILE");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(A bundle: every file is compared with digests.txt, digests.txt with its Ed25519 signature, evidence
with what the assessment declares, the assessment before with the digest that is named, and result
and reports are made again and compared. A file: its evidence, the assessment before in its folder,
and with --key the signatures in it. A snapshot that `collect` wrote: its digests and its signature.
Needs no network.

Example:
  baton quality verify bundle --key vendor-public.pem

Exit codes: 0 good, 1 what differs, 2 the key, the folder or the file cannot be used.)"
    );
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace baton::program
