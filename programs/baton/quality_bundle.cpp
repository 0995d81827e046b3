// baton quality bundle FILE --out DIR [--key PRIVATE.pem] [--as-of DATE]
//
// An assessment with all that it rests on, for whoever has to believe it.

#include "baton/wire/quality_bundle.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/crypto/ed25519.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/wire/bundle_files.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bundle_folder.hpp"
#include "command.hpp"
#include "print.hpp"
#include "quality.hpp"
#include "quality_dossier.hpp"
#include "quality_files.hpp"
#include "signing_keys.hpp"

namespace baton::program {

namespace {

struct BundleCommand {
    DossierOptions input;
    std::string out;
    std::string key;
    bool json{false};
};

void print_made(
    const BundleCommand& command, const Dossier& dossier, const wire::BundleFiles& files
) {
    const bool is_signed = files.contains(wire::kSignatureFile);
    if (command.json) {
        boost::json::array all;
        for (const auto& [name, bytes] : files) {
            all.emplace_back(boost::json::object{{"name", json_text(name)}, {"bytes", bytes.size()}}
            );
        }
        print_json(boost::json::object{
            {"bundle", json_text(command.out)},
            {"platform", json_text(dossier.input.assessment->platform.id)},
            {"release", to_text(dossier.input.assessment->release)},
            {"as_of", quality::to_text(dossier.as_of)},
            {"signed", is_signed},
            {"files", std::move(all)},
        });
        return;
    }
    for (const auto& [name, bytes] : files) {
        fmt::print("{}/{}  {} bytes\n", inert(command.out), inert(name), bytes.size());
    }
    fmt::print(
        "as of {}, {}\n",
        quality::to_text(dossier.as_of),
        is_signed ? "signed" : "not signed: --key PRIVATE.pem signs it"
    );
}

int run(const BundleCommand& command) {
    std::optional<crypto::Ed25519PrivateKey> key;
    if (!command.key.empty()) {
        key = private_key_or_complain(command.key);
        if (!key) {
            return Exit::unusable;
        }
    }
    int exit_code = Exit::ok;
    const auto dossier = dossier_or_complain(command.input, exit_code);
    if (!dossier) {
        return exit_code;
    }
    const auto input = files_of(*dossier, command.input.input.criteria);
    if (!input) {
        complain(inert(input.error().detail));
        return Exit::unusable;
    }
    auto files = wire::make_quality_bundle(*input);
    if (!files) {
        complain(inert(files.error().detail));
        return Exit::failure;
    }
    if (key) {
        wire::sign_bundle(*files, *key);
    }
    if (const auto written = write_bundle_folder(command.out, *files); !written) {
        complain(inert(written.error().detail));
        return Exit::unusable;
    }
    print_made(command, *dossier, *files);
    return Exit::ok;
}

} // namespace

void add_quality_bundle(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<BundleCommand>();
    auto* command =
        group.add_subcommand("bundle", "Write an assessment and all it rests on as signed files");
    add_dossier_options(*command, options->input);
    command->add_option("--out", options->out, "The folder to write; made if it is not there")
        ->required()
        ->option_text("DIR");
    command->add_option("--key", options->key, "An Ed25519 key to sign it with, PEM")
        ->option_text("PRIVATE.pem");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(Writes assessment.yml, criteria.yml, the evidence files under their own names, the assessments of
earlier releases (before/), result.json, report.md, report.html, digests.txt, and with a key signature.
The same files give the same bytes again. Evidence that is not what was declared is refused.

Example:
  openssl genpkey -algorithm ed25519 -out vendor-private.pem
  baton quality bundle 2.14.yml --out bundle --key vendor-private.pem

Exit codes: 0 written, 1 the assessment or its evidence has errors, 2 the file, the key or the folder cannot be used.)"
    );
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace baton::program
