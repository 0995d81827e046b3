// baton completion bash | zsh | fish
//
// Prints a completion script, generated from the parser itself.

#include <CLI/App.hpp>
#include <fmt/core.h>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "command.hpp"
#include "command_tree.hpp"

namespace baton::program {

namespace {

/// Inside single quotes of a shell.
std::string in_quotes(std::string_view text) {
    std::string out;
    for (const char c : text) {
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return "'" + out + "'";
}

std::string words_of(const CommandFacts& command) {
    std::vector<std::string> words;
    for (const auto& below : command.commands) {
        words.push_back(below.path.back());
    }
    for (const auto& option : command.options) {
        words.insert(words.end(), option.names.begin(), option.names.end());
    }
    return fmt::format("{}", fmt::join(words, " "));
}

bool takes_files(const CommandFacts& command) {
    for (const auto& option : command.options) {
        if (option.names.empty() && option.choices.empty()) {
            return true;
        }
    }
    return false;
}

std::string choices_of_arguments(const CommandFacts& command) {
    for (const auto& option : command.options) {
        if (option.names.empty() && !option.choices.empty()) {
            return fmt::format(" {}", fmt::join(option.choices, " "));
        }
    }
    return "";
}

// --- bash: one function that finds the command typed so far and offers what stands in its row

/// The commands typed so far, without options: `deliveries list`.
constexpr std::string_view kBashHead =
    R"(# bash completion for baton, printed by `baton completion bash`
_baton() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=baton i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "$command ${COMP_WORDS[i]}" in
)";

std::string bash_script(const CommandFacts& root) {
    std::string paths;
    std::string values;
    std::string rows;
    for (const auto* command : flattened(root)) {
        const auto path = joined(command->path, " ");
        if (command->path.size() > 1) {
            paths += fmt::format("{}{}", paths.empty() ? "" : " | ", in_quotes(path));
        }
        for (const auto& option : command->options) {
            if (option.names.empty() || option.value.empty()) {
                continue;
            }
            for (const auto& name : option.names) {
                values += fmt::format(
                    "        {}) {}; return ;;\n",
                    in_quotes(path + " " + name),
                    option.choices.empty() ? "COMPREPLY=($(compgen -f -- \"$word\"))"
                                           : fmt::format(
                                                 "COMPREPLY=($(compgen -W '{}' -- \"$word\"))",
                                                 fmt::join(option.choices, " ")
                                             )
                );
            }
        }
        rows += fmt::format(
            "        {}) COMPREPLY=($(compgen {}-W {} -- \"$word\")) ;;\n",
            in_quotes(path),
            takes_files(*command) ? "-f " : "",
            in_quotes(words_of(*command) + choices_of_arguments(*command))
        );
    }
    return fmt::format(
        R"({}            {}) command="$command ${{COMP_WORDS[i]}}" ;;
        esac
    done
    case "$command $before" in
{}    esac
    case "$command" in
{}    esac
}}
complete -o filenames -F _baton baton
)",
        kBashHead,
        paths,
        values,
        rows
    );
}

// --- zsh: one function per command, with what --help says of each option

/// Inside the brackets of _arguments, where colons and brackets mean something.
std::string zsh_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') {
            out += '\\';
        }
        out += c;
    }
    return out;
}

std::string zsh_value(const OptionFacts& option) {
    if (option.choices.empty()) {
        return ":" + zsh_text(option.value.empty() ? option.argument : option.value) + ":_files";
    }
    return fmt::format(":value:({})", fmt::join(option.choices, " "));
}

std::string zsh_options(const CommandFacts& command) {
    std::string out;
    for (const auto& option : command.options) {
        if (option.names.empty()) {
            const auto spec = (option.many ? "*" : "") + zsh_value(option);
            out += fmt::format(" \\\n        {}", in_quotes(spec));
            continue;
        }
        for (const auto& name : option.names) {
            const auto spec = fmt::format("{}[{}]", name, zsh_text(option.description)) +
                              (option.value.empty() ? "" : zsh_value(option));
            out += fmt::format(" \\\n        {}", in_quotes(spec));
        }
    }
    return out;
}

std::string zsh_function(const CommandFacts& command) {
    const auto name = "_" + joined(command.path, "_");
    if (command.commands.empty()) {
        return fmt::format("{}() {{\n    _arguments{}\n}}\n\n", name, zsh_options(command));
    }
    std::string described;
    for (const auto& below : command.commands) {
        const auto text = below.path.back() + ":" + zsh_text(below.description);
        described += fmt::format("\n        {}", in_quotes(text));
    }
    return fmt::format(
        R"({}() {{
    local -a commands=({}
    )
    local line state
    _arguments -C{} \
        '1: :->command' '*:: :->rest'
    case $state in
        command) _describe command commands ;;
        rest) (( $+functions[{}_$line[1]] )) && {}_$line[1] ;;
    esac
}}

)",
        name,
        described,
        zsh_options(command),
        name,
        name
    );
}

std::string zsh_script(const CommandFacts& root) {
    std::string out =
        "#compdef baton\n# zsh completion for baton, printed by `baton completion zsh`\n\n";
    for (const auto* command : flattened(root)) {
        out += zsh_function(*command);
    }
    return out +
           "if [ \"$funcstack[1]\" = \"_baton\" ]; then\n    _baton \"$@\"\nelse\n    compdef "
           "_baton baton\nfi\n";
}

// --- fish: one line per word, each with the command that it belongs to

constexpr std::string_view kFishHead =
    R"(# fish completion for baton, printed by `baton completion fish`
function __baton_at
    set -l words
    for word in (commandline -opc)
        string match -q -- '-*' $word; or set -a words $word
    end
    test "$words[1..$(count $argv)]" = "$argv"
end

complete -c baton -f
)";

std::string fish_script(const CommandFacts& root) {
    std::string out(kFishHead);
    for (const auto* command : flattened(root)) {
        const auto at = in_quotes("__baton_at " + joined(command->path, " "));
        if (takes_files(*command)) {
            out += fmt::format("complete -c baton -n {} -F\n", at);
        }
        for (const auto& below : command->commands) {
            out += fmt::format(
                "complete -c baton -n {} -a {} -d {}\n",
                at,
                below.path.back(),
                in_quotes(below.description)
            );
        }
        for (const auto& option : command->options) {
            if (option.names.empty() && !option.choices.empty()) {
                const auto words = fmt::format("{}", fmt::join(option.choices, " "));
                out += fmt::format("complete -c baton -n {} -a {}\n", at, in_quotes(words));
            }
            for (const auto& name : option.names) {
                const auto dashes =
                    name.starts_with("--") ? "-l " + name.substr(2) : "-s " + name.substr(1);
                const auto value = option.value.empty() ? ""
                                   : option.choices.empty()
                                       ? " -r -F"
                                       : fmt::format(" -x -a '{}'", fmt::join(option.choices, " "));
                out += fmt::format(
                    "complete -c baton -n {} {}{} -d {}\n",
                    at,
                    dashes,
                    value,
                    in_quotes(option.description)
                );
            }
        }
    }
    return out;
}

std::string script_for(const std::string& shell, const CommandFacts& root) {
    if (shell == "bash") {
        return bash_script(root);
    }
    return shell == "zsh" ? zsh_script(root) : fish_script(root);
}

} // namespace

void add_completion(CLI::App& app, int& exit_code) {
    auto shell = std::make_shared<std::string>();
    auto* command = app.add_subcommand("completion", "Print a completion script for a shell");
    command->add_option("SHELL", *shell, "Whose")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}))
        ->option_text("bash|zsh|fish");
    command->footer(
        R"(Generated from the same source as --help.

Examples:
  source <(baton completion bash)
  baton completion bash > /usr/share/bash-completion/completions/baton
  baton completion zsh > /usr/share/zsh/vendor-completions/_baton
  baton completion fish > /usr/share/fish/vendor_completions.d/baton.fish

Exit codes: 0 printed, 2 no such shell.)"
    );
    command->callback([shell, &app, &exit_code] {
        fmt::print("{}", script_for(*shell, facts_of(app)));
        exit_code = Exit::ok;
    });
}

} // namespace baton::program
