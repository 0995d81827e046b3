// Completions and manual pages: made from the parser, tried in real shells and formatters.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "e2e/cli_support.hpp"

namespace baton::test {

namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;

std::set<std::string> words_in(const std::string& text) {
    std::istringstream in(text);
    std::set<std::string> words;
    for (std::string word; in >> word;) {
        words.insert(word);
    }
    return words;
}

/// What bash offers for a command line whose last word is being typed.
std::set<std::string> offered(const std::string& words) {
    const auto script = "source <(" + baton_binary() + " completion bash)\n" + "COMP_WORDS=(" +
                        words + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n" +
                        "_baton; echo \"${COMPREPLY[@]}\"";
    const auto told = run_command({"bash", "-c", script});
    EXPECT_EQ(told.exit_code, 0);
    EXPECT_EQ(told.err, "") << words;
    return words_in(told.out);
}

/// Every command, found the way a person would: by reading --help.
std::vector<std::vector<std::string>> all_commands(const std::vector<std::string>& above = {}) {
    auto asked = above;
    asked.emplace_back("--help");
    std::istringstream help(baton(asked).out);
    std::vector<std::vector<std::string>> all;
    bool listing = false;
    for (std::string line; std::getline(help, line);) {
        listing = line == "Commands:" || (listing && line.starts_with("  "));
        if (listing && line != "Commands:" && line.size() > 2 && line[2] != ' ') {
            auto path = above;
            path.push_back(line.substr(2, line.find(' ', 2) - 2));
            all.push_back(path);
            const auto below = all_commands(path);
            all.insert(all.end(), below.begin(), below.end());
        }
    }
    return all;
}

std::string joined(const std::vector<std::string>& words, const std::string& joint) {
    std::string out;
    for (const auto& word : words) {
        out += (out.empty() ? "" : joint) + word;
    }
    return out;
}

/// The long options that --help of a command shows.
std::set<std::string> options_of(std::vector<std::string> command) {
    command.emplace_back("--help");
    std::istringstream help(baton(command).out);
    std::set<std::string> options;
    for (std::string line; std::getline(help, line);) {
        const auto at = line.find("--");
        const bool in_table = line.starts_with("  -");
        if (in_table && at != std::string::npos) {
            options.insert(line.substr(at, line.find_first_of(" ,=[", at) - at));
        }
    }
    return options;
}

TEST(Completion, BashOffersCommandsOptionsChoicesAndFiles) {
    EXPECT_THAT(offered("baton allow"), ::testing::ElementsAre("allowlist"));
    EXPECT_THAT(offered("baton db ''"), IsSupersetOf({"migrate", "backup", "restore", "verify"}));
    EXPECT_THAT(
        offered("baton allowlist lint --format ''"),
        ::testing::ElementsAre("github", "json", "text")
    );
    EXPECT_THAT(offered("baton deliveries list --l"), ::testing::ElementsAre("--limit"));
    EXPECT_THAT(offered("baton completion z"), ::testing::ElementsAre("zsh"));
    const TemporaryFolder folder;
    const auto file = folder.write("baton.yml", "");
    EXPECT_THAT(
        offered("baton serve --config " + folder.path() + "/b"), ::testing::ElementsAre(file)
    );
    EXPECT_THAT(
        offered("baton check-config " + folder.path() + "/b"), ::testing::ElementsAre(file)
    );
}

TEST(Completion, KnowsEveryCommandAndOptionInEveryShell) {
    const auto commands = all_commands();
    ASSERT_GT(commands.size(), 15U);
    std::vector<std::string> scripts;
    for (const auto* shell : {"bash", "zsh", "fish"}) {
        scripts.push_back(baton({"completion", shell}).out);
    }
    for (const auto& command : commands) {
        SCOPED_TRACE(joined(command, " "));
        const auto options = options_of(command);
        EXPECT_FALSE(options.empty());
        EXPECT_THAT(offered("baton " + joined(command, " ") + " -"), IsSupersetOf(options));
        EXPECT_THAT(scripts[1], HasSubstr("_baton_" + joined(command, "_") + "() {"));
        EXPECT_THAT(scripts[2], HasSubstr("-a " + command.back() + " -d "));
        for (const auto& option : options) {
            EXPECT_THAT(scripts[1], HasSubstr("'" + option + "["));
            EXPECT_THAT(
                scripts[2],
                HasSubstr("'__baton_at baton " + joined(command, " ") + "' -l " + option.substr(2))
            );
        }
    }
    EXPECT_EQ(baton({"completion", "tcsh"}).exit_code, 2);
    for (const auto& script : scripts) {
        EXPECT_THAT(script, Not(HasSubstr("--kill-at"))) << "hidden options stay hidden";
    }
}

TEST(Man, HasAPagePerCommandWithEveryOption) {
    const TemporaryFolder folder;
    const auto written = baton({"man", "--write", folder.file("man1")});
    EXPECT_EQ(written.exit_code, 0) << written.err;
    const auto commands = all_commands();
    EXPECT_EQ(baton({"man", "nonsense"}).exit_code, 2);
    for (const auto& command : commands) {
        SCOPED_TRACE(joined(command, " "));
        const auto page = slurp(folder.file("man1/baton-" + joined(command, "-") + ".1"));
        EXPECT_THAT(page, HasSubstr(".SH SYNOPSIS\n"));
        for (const auto& option : options_of(command)) {
            std::string escaped;
            for (const char c : option) {
                escaped += c == '-' ? std::string("\\-") : std::string(1, c);
            }
            EXPECT_THAT(page, HasSubstr("\\fB" + escaped + "\\fR"));
        }
        auto asked = command;
        asked.insert(asked.begin(), "man");
        EXPECT_EQ(baton(asked).out, page);
    }
    const auto root = slurp(folder.file("man1/baton.1"));
    for (const auto& command : commands) {
        if (command.size() == 1) {
            EXPECT_THAT(root, HasSubstr("\\fB" + command.front().substr(0, 3)));
        }
    }
}

TEST(Man, PagesAreFormattedWithoutAWarning) {
    const TemporaryFolder folder;
    ASSERT_EQ(baton({"man", "--write", folder.path()}).exit_code, 0);
    std::size_t pages = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
        const auto linted =
            run_command({"mandoc", "-T", "lint", "-W", "warning", entry.path().string()});
        EXPECT_EQ(linted.out + linted.err, "") << entry.path();
        EXPECT_EQ(linted.exit_code, 0);
        const auto shown = run_command({"mandoc", "-T", "ascii", entry.path().string()});
        EXPECT_THAT(shown.out, HasSubstr("baton"));
        ++pages;
    }
    EXPECT_GT(pages, 15U);
}

} // namespace

} // namespace baton::test
