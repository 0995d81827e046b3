#include "command.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/config/config.hpp"
#include "baton/domain/allowlist.hpp"

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checkup.hpp"

namespace baton::program {

namespace {

/// `baton deliveries list`: the command that was being parsed when it went wrong.
const CLI::App* innermost(const CLI::App* app) {
    for (auto chosen = app->get_subcommands(); !chosen.empty(); chosen = app->get_subcommands()) {
        app = chosen.front();
    }
    return app;
}

std::string full_name(const CLI::App* app) {
    const auto* parent = app->get_parent();
    return parent == nullptr ? app->get_name() : full_name(parent) + " " + app->get_name();
}

std::vector<std::string> words_of(const CLI::App* app, bool options) {
    std::vector<std::string> words;
    if (options) {
        for (const auto* option : app->get_options()) {
            for (const auto& name : option->get_lnames()) {
                words.push_back("--" + name);
            }
        }
    } else {
        for (const auto* command : app->get_subcommands({})) {
            words.push_back(command->get_name());
        }
    }
    return words;
}

/// What to say about a word that no command or option has; nullopt when there is no such word.
std::optional<std::string> stranger_in(const CLI::App* app, const CLI::App* inner) {
    const auto strangers = app->remaining(true);
    if (strangers.empty()) {
        return std::nullopt;
    }
    const auto& word = strangers.front();
    const bool is_option = word.starts_with('-');
    const auto words = words_of(inner, is_option);
    const std::vector<std::string_view> known(words.begin(), words.end());
    auto sentence = is_option ? fmt::format("{} has no option {}", full_name(inner), inert(word))
                    : known.empty()
                        ? fmt::format("{} takes no {}", full_name(inner), inert(word))
                        : fmt::format("{} has no command {}", full_name(inner), inert(word));
    if (const auto near = nearest(word.substr(0, word.find('=')), known)) {
        sentence += fmt::format("; did you mean {}?", *near);
    }
    return sentence;
}

} // namespace

std::string explain_refusal(const CLI::App* app, const CLI::Error& error) {
    const auto* inner = innermost(app);
    const bool unsaid = dynamic_cast<const CLI::RequiredError*>(&error) != nullptr &&
                        inner->get_require_subcommand_min() > 0;
    const auto sentence =
        stranger_in(app, inner)
            .value_or(
                unsaid ? fmt::format("say which command of {}", full_name(inner)) : error.what()
            );
    return fmt::format("baton: {}\n`{} --help` says how it is used.\n", sentence, full_name(inner));
}

void complain(const std::string& sentence) {
    fmt::print(stderr, "baton: {}\n", sentence);
}

std::optional<RepoName> repo_or_complain(std::string_view what, const std::string& text) {
    auto repo = RepoName::parse(text);
    if (!repo) {
        complain(fmt::format("{}: {} is not OWNER/REPO", what, inert(text)));
        return std::nullopt;
    }
    return *std::move(repo);
}

std::optional<config::Config> load_or_complain(const std::string& path) {
    auto checkup = check_config(path, CheckupDepth::configuration);
    for (const auto& found : checkup.found) {
        fmt::print(stderr, "{}\n", domain::to_text(found.finding, found.file));
    }
    return std::move(checkup.config);
}

} // namespace baton::program
