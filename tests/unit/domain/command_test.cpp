#include "baton/base/limits.hpp"
#include "baton/domain/command.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace baton::domain {

namespace {

constexpr std::optional<Command> kNothing = std::nullopt;

Command rerun(std::string target = "", bool all = false) {
    return {.verb = Command::Verb::rerun, .target = std::move(target), .all = all};
}

Command status(std::string target = "") {
    return {.verb = Command::Verb::status, .target = std::move(target), .all = false};
}

struct Case {
    std::string name;
    std::string comment;
    std::optional<Command> expected;
};

void expect_all(const std::vector<Case>& cases) {
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(command_in(c.comment), c.expected);
    }
}

TEST(Command, IsReadFromTheBeginningOfALine) {
    expect_all({
        {"of a device", "@baton rerun npu", rerun("npu")},
        {"of a repository", "@baton rerun Ascend/pytorch.ci", rerun("Ascend/pytorch.ci")},
        {"of everything that failed", "@baton rerun", rerun()},
        {"every job", "@baton rerun npu --all", rerun("npu", true)},
        {"every job, said first", "@baton rerun --all npu", rerun("npu", true)},
        {"every job of everybody", "@baton rerun --all", rerun("", true)},
        {"how things stand", "@baton status", status()},
        {"how one stands", "@baton status npu", status("npu")},
        {"blanks around it", "  @baton \t rerun   npu \t", rerun("npu")},
        {"on a later line", "This is not us.\n\n@baton rerun npu\nThanks!", rerun("npu")},
        {"lines of Windows", "Flaky.\r\n@baton rerun npu\r\nThanks!\r\n", rerun("npu")},
        {"upper case", "@BATON ReRun NPU --ALL", rerun("NPU", true)},
        {"the first of two", "@baton status\n@baton rerun npu", status()},
        {"the first that is one", "@baton hello\n@baton rerun npu", rerun("npu")},
    });
}

TEST(Command, IsNotFoundInTalk) {
    expect_all({
        {"nothing", "", kNothing},
        {"only line ends", "\n\r\n\r", kNothing},
        {"only the name", "@baton", kNothing},
        {"only the name and blanks", "@baton   \n", kNothing},
        {"in the middle of a line", "please @baton rerun npu", kNothing},
        {"in a list", "- @baton rerun npu", kNothing},
        {"another name", "@baton-bot rerun npu", kNothing},
        {"a longer name", "@batonx rerun npu", kNothing},
        {"without the sign", "baton rerun npu", kNothing},
        {"an unknown verb", "@baton merge", kNothing},
        {"a verb that runs on", "@baton rerunnpu", kNothing},
        {"words too many", "@baton rerun is what I would try", kNothing},
        {"two targets", "@baton rerun npu gpu", kNothing},
        {"a word behind", "@baton rerun npu please", kNothing},
        {"an unknown option", "@baton rerun npu --hard", kNothing},
        {"an option twice", "@baton rerun --all --all", kNothing},
        {"an option that has no sense", "@baton status --all", kNothing},
        {"a target that is none", "@baton rerun $(reboot)", kNothing},
        {"a target with a bare escape", "@baton rerun npu\x1b[2J", kNothing},
    });
}

TEST(Command, IsNotFoundInSomebodyElsesWords) {
    expect_all({
        {"a quote", "> @baton rerun npu", kNothing},
        {"a quote of a quote", ">> @baton rerun npu", kNothing},
        {"a quote's last line, unmarked", "> he said:\n@baton rerun npu", kNothing},
        {"below a quote", "> @baton rerun gpu\n\n@baton rerun npu", rerun("npu")},
        {"code in a line", "`@baton rerun npu`", kNothing},
        {"indented code", "    @baton rerun npu", kNothing},
        {"code behind a tab", "\t@baton rerun npu", kNothing},
        {"a code block", "```\n@baton rerun npu\n```", kNothing},
        {"a code block with a language", "```text\n@baton rerun npu\n```", kNothing},
        {"a code block of tildes", "~~~ a`b\n@baton rerun npu\n~~~", kNothing},
        {"a code block that never ends", "```\n@baton rerun npu", kNothing},
        {"a shorter fence inside", "````\n```\n@baton rerun npu\n````", kNothing},
        {"the other fence inside", "```\n~~~\n@baton rerun npu\n```", kNothing},
        {"a fence with words does not close", "```\n```x\n@baton rerun npu\n```", kNothing},
        {"below a code block", "```\nx\n```\n@baton rerun npu", rerun("npu")},
        {"below a longer fence", "```\nx\n`````\n@baton rerun npu", rerun("npu")},
        {"no fence at all", "```x``` is code\n@baton rerun npu", rerun("npu")},
        {"hidden", "<!--\n@baton rerun npu\n-->", kNothing},
        {"hidden behind words", "Hello <!-- x\n@baton rerun npu\n-->", kNothing},
        {"below what is hidden", "<!-- template -->\n@baton rerun npu", rerun("npu")},
        {"preformatted", "<PRE>\n@baton rerun npu\n</Pre>", kNothing},
        {"below what is preformatted", "<pre>\nx\n</pre>\n@baton rerun npu", rerun("npu")},
    });
}

TEST(Command, IsNotMadeOfWhatACutLeft) {
    const std::string order = "\n@baton rerun owner/repository";
    const std::string talk(limits::kCommandBytesMax - order.size() + 4, 'x');
    const auto cut = (talk + order).substr(0, limits::kCommandBytesMax);
    ASSERT_TRUE(cut.ends_with("owner/reposi"));
    EXPECT_EQ(command_in(cut), kNothing);
    EXPECT_EQ(command_in(order + "\n" + talk), rerun("owner/repository"));
}

TEST(Command, IsNotLookedForBehindItsBound) {
    const std::string talk(limits::kCommandBytesMax, 'x');
    EXPECT_EQ(command_in(talk + "\n@baton rerun npu\n"), kNothing);
    EXPECT_EQ(command_in("@baton rerun " + std::string(141, 'n')), kNothing);
    EXPECT_EQ(command_in("@baton rerun " + std::string(140, 'n')), rerun(std::string(140, 'n')));
    EXPECT_EQ(command_in("@baton " + std::string(1'000'000, ' ') + "rerun npu"), kNothing);
    EXPECT_EQ(command_in(std::string(1'000'000, '`')), kNothing);
}

RC_GTEST_PROP(CommandProperty, AnyTextGivesNothingOrAWholeCommand, (const std::string& text)) {
    for (const auto& comment : {text, "@baton " + text, "@baton rerun " + text}) {
        if (const auto command = command_in(comment)) {
            RC_ASSERT(command->target.size() <= std::size_t{140});
            RC_ASSERT(command->target.find_first_of(" \t\r\n`<>@\\") == std::string::npos);
            RC_ASSERT(!(command->all && command->verb == Command::Verb::status));
        }
    }
}

RC_GTEST_PROP(CommandProperty, NothingIsFoundWhereEveryLineIsQuoted, (const std::string& text)) {
    std::string quoted = "> @baton rerun npu\n> ";
    for (const char c : text) {
        quoted += c;
        quoted += c == '\n' || c == '\r' ? "> " : "";
    }
    RC_ASSERT(command_in(quoted) == kNothing);
}

} // namespace

} // namespace baton::domain
