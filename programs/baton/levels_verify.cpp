// baton levels verify DIR --key PUBLIC.pem
//
// Whether a bundle is as it was signed. Needs neither store nor network.

#include "baton/base/text.hpp"
#include "baton/wire/bundle_files.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bundle_folder.hpp"
#include "command.hpp"
#include "levels.hpp"
#include "print.hpp"
#include "signing_keys.hpp"

namespace baton::program {

namespace {

struct VerifyOptions {
    std::string folder;
    std::string key;
    bool json{false};
};

void print_result(
    const VerifyOptions& options, std::size_t files, const std::vector<std::string>& differences
) {
    if (options.json) {
        boost::json::array all;
        for (const auto& difference : differences) {
            all.emplace_back(json_text(difference));
        }
        print_json(boost::json::object{
            {"bundle", json_text(options.folder)},
            {"files", files},
            {"good", differences.empty()},
            {"differences", std::move(all)},
        });
        return;
    }
    for (const auto& difference : differences) {
        fmt::print("{}: {}\n", inert(options.folder), difference);
    }
    if (differences.empty()) {
        fmt::print(
            "{}: {}, as they were signed with this key\n",
            inert(options.folder),
            counted(files, "file")
        );
    }
}

int verify(const VerifyOptions& options) {
    const auto key = public_key_or_complain(options.key);
    if (!key) {
        return Exit::unusable;
    }
    const auto files = read_bundle_folder(options.folder);
    if (!files) {
        complain(inert(files.error().detail));
        return Exit::unusable;
    }
    const auto differences = wire::check_bundle(*files, *key);
    if (!differences) {
        complain(inert(options.folder) + ": " + differences.error().detail);
        return Exit::unusable;
    }
    print_result(options, files->size(), *differences);
    return differences->empty() ? Exit::ok : Exit::failure;
}

} // namespace

void add_levels_verify(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<VerifyOptions>();
    auto* command = group.add_subcommand("verify", "Say whether a bundle is as it was signed");
    command->add_option("DIR", options->folder, "The folder of the bundle")
        ->required()
        ->option_text(" ");
    command->add_option("--key", options->key, "The public key of who signed it, PEM")
        ->required()
        ->option_text("PUBLIC.pem");
    command->add_flag("--json", options->json, "Print one JSON object");
    command->footer(
        R"(Compares every file with digests.txt, and digests.txt with its Ed25519 signature. Needs neither a
store nor a network, nor Baton itself:

  sha256sum -c digests.txt
  openssl pkeyutl -verify -pubin -inkey PUBLIC.pem -rawin -in digests.txt -sigfile signature

Example:
  baton levels verify bundle --key baton-public.pem

Exit codes: 0 as it was signed, 1 what differs, 2 the key or the folder cannot be used.)"
    );
    command->callback([options, &exit_code] { exit_code = verify(*options); });
}

} // namespace baton::program
