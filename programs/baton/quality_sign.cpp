// baton quality sign FILE --key PRIVATE.pem --role vendor|reviewer|relay [--name NAME] [--write]
//
// A signature over what an assessment says, to be kept in it.

#include "baton/app/files.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/crypto/base64url.hpp"
#include "baton/crypto/ed25519.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/wire/assessment.hpp"
#include "baton/wire/json_text.hpp"

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <fmt/core.h>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>

#include "command.hpp"
#include "quality.hpp"
#include "quality_files.hpp"
#include "signing_keys.hpp"

namespace baton::program {

namespace {

struct SignCommand {
    AssessmentOptions input;
    std::string key;
    std::string role{"vendor"};
    std::string name;
    bool write{false};
};

/// Behind the last line, where `signatures` stands or begins. `conflict` when that does not make it
/// one more signature of the same assessment: it is read back and compared.
Result<std::string> signed_text(
    const std::string& path, const quality::Assessment& assessment, const std::string& entry
) {
    BATON_TRY(auto text, app::read_file(path, limits::kAllowlistBytesMax));
    if (!text.ends_with('\n')) {
        text += '\n';
    }
    text += assessment.signatures.empty() ? "signatures:\n" : "";
    text += fmt::format("  - {}\n", entry);
    const auto again = wire::read_assessment(text);
    if (!again.assessment || again.assessment->digest != assessment.digest ||
        again.assessment->signatures.size() != assessment.signatures.size() + 1) {
        return fail(
            Errc::conflict,
            fmt::format(
                "{}: signatures do not stand at its end as lines of their own: add what is "
                "printed without --write",
                path
            )
        );
    }
    return text;
}

int run(const SignCommand& command) {
    const auto key = private_key_or_complain(command.key);
    if (!key) {
        return Exit::unusable;
    }
    int exit_code = Exit::ok;
    const auto input =
        assessment_or_complain(command.input.file, command.input.criteria, exit_code);
    if (!input) {
        return exit_code;
    }
    const auto& assessment = *input->assessment;
    const auto name = command.name.empty() ? std::filesystem::path(command.key).filename().string()
                                           : command.name;
    const auto entry = fmt::format(
        "{{role: {}, key: {}, value: \"{}\"}}",
        command.role,
        wire::json_quoted(name),
        crypto::base64(key->sign(assessment.digest))
    );
    if (!command.write) {
        fmt::print("signatures:\n  - {}\n", entry);
        return Exit::ok;
    }
    const auto text = signed_text(command.input.file, assessment, entry);
    if (!text) {
        complain(inert(text.error().detail));
        return text.error().code == Errc::conflict ? Exit::failure : Exit::unusable;
    }
    if (const auto done = replace_file(command.input.file, *text); !done) {
        complain(inert(done.error().detail));
        return Exit::unusable;
    }
    fmt::print("{}: signed as {}\n", inert(command.input.file), command.role);
    return Exit::ok;
}

} // namespace

void add_quality_sign(CLI::App& group, int& exit_code) {
    auto options = std::make_shared<SignCommand>();
    auto* command = group.add_subcommand("sign", "Sign what an assessment says");
    add_assessment_options(*command, options->input);
    command->add_option("--key", options->key, "The Ed25519 key to sign with, PEM")
        ->required()
        ->option_text("PRIVATE.pem");
    command->add_option("--role", options->role, "Who signs")
        ->option_text("vendor|reviewer|relay")
        ->check(CLI::IsMember({"vendor", "reviewer", "relay"}));
    command
        ->add_option(
            "--name", options->name, "How others know the key (default: the name of its file)"
        )
        ->option_text("NAME");
    command->add_flag(
        "--write", options->write, "Put it into the assessment, behind its last line"
    );
    command->footer(
        R"(Prints the lines to add. What is signed is the digest of the assessment, which comments, order and
layout do not change, nor do signatures: several may stand beside each other. `verify --key` checks
them; `bundle --key` signs a whole bundle instead.

Example:
  baton quality sign 2.14.yml --key vendor-private.pem --role vendor --write

Exit codes: 0 signed, 1 the file has errors, or needs a person to add it, 2 the key or the file cannot be used.)"
    );
    command->callback([options, &exit_code] { exit_code = run(*options); });
}

} // namespace baton::program
