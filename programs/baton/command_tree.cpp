#include "command_tree.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

namespace baton::program {

namespace {

std::vector<std::string> path_of(const CLI::App& app) {
    auto path =
        app.get_parent() == nullptr ? std::vector<std::string>{} : path_of(*app.get_parent());
    path.push_back(app.get_name());
    return path;
}

std::string trimmed_text(std::string text) {
    text.erase(0, text.find_first_not_of(' '));
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

/// `text|json|github` are three choices; `OWNER/REPO` is none.
std::vector<std::string> choices_in(const std::string& value) {
    std::vector<std::string> choices;
    if (value.find('|') == std::string::npos) {
        return choices;
    }
    std::size_t from = 0;
    for (auto bar = value.find('|'); bar != std::string::npos; bar = value.find('|', from)) {
        choices.push_back(value.substr(from, bar - from));
        from = bar + 1;
    }
    choices.push_back(value.substr(from));
    return choices;
}

/// The formatter of --help asks the same: flags have no size.
std::string value_of(const CLI::Option& option) {
    if (option.get_type_size() == 0) {
        return "";
    }
    const auto said = trimmed_text(option.get_option_text());
    if (!said.empty() || option.get_positional()) {
        return said;
    }
    const auto type = option.get_type_name(); // "INT:INT in [0 - 65535]"
    return type.substr(0, type.find(':'));
}

OptionFacts facts_of(const CLI::Option& option) {
    OptionFacts facts;
    for (const auto& name : option.get_snames()) {
        facts.names.push_back("-" + name);
    }
    for (const auto& name : option.get_lnames()) {
        facts.names.push_back("--" + name);
    }
    facts.argument = facts.names.empty() ? option.get_name(true) : "";
    facts.value = value_of(option);
    facts.choices = choices_in(facts.value);
    facts.description = option.get_description();
    facts.required = option.get_required();
    facts.many = option.get_expected_max() > 1 && option.get_allow_extra_args();
    return facts;
}

} // namespace

CommandFacts facts_of(const CLI::App& app) {
    CommandFacts facts{
        .path = path_of(app),
        .description = app.get_description(),
        .footer = app.get_footer(),
        .options = {},
        .commands = {},
    };
    for (const auto* option : app.get_options()) {
        if (!option->get_group().empty()) { // an empty group hides it
            facts.options.push_back(facts_of(*option));
        }
    }
    for (const auto* command : app.get_subcommands({})) {
        if (!command->get_group().empty()) {
            facts.commands.push_back(facts_of(*command));
        }
    }
    return facts;
}

std::string joined(const std::vector<std::string>& path, const std::string& joint) {
    return fmt::format("{}", fmt::join(path, joint));
}

std::vector<const CommandFacts*> flattened(const CommandFacts& command) {
    std::vector<const CommandFacts*> all{&command};
    for (const auto& below : command.commands) {
        std::ranges::copy(flattened(below), std::back_inserter(all));
    }
    return all;
}

} // namespace baton::program
