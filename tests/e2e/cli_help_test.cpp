// Every help text as it is kept in tests/golden/help, and what a mistyped command line gets to
// read. BATON_REWRITE_GOLDEN=1 writes the texts anew; look at the difference before committing it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "e2e/cli_support.hpp"

namespace baton::test {

namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::string> words_of(const std::string& command) {
    std::istringstream in(command);
    std::vector<std::string> words;
    for (std::string word; in >> word;) {
        words.push_back(word);
    }
    return words;
}

std::string golden_file(std::string command) {
    for (auto& c : command) {
        c = c == ' ' ? '_' : c;
    }
    return std::string(BATON_SOURCE_DIR) + "/tests/golden/help/" +
           (command.empty() ? "baton" : command) + ".txt";
}

class Help : public ::testing::TestWithParam<const char*> {};

TEST_P(Help, ReadsAsItIsKept) {
    auto words = words_of(GetParam());
    words.emplace_back("--help");
    const auto helped = baton(words);
    EXPECT_EQ(helped.exit_code, 0);
    EXPECT_EQ(helped.err, "");
    const auto file = golden_file(GetParam());
    if (std::getenv("BATON_REWRITE_GOLDEN") != nullptr) {
        std::ofstream(file, std::ios::binary) << helped.out;
    }
    EXPECT_EQ(helped.out, slurp(file)) << "BATON_REWRITE_GOLDEN=1 writes " << file << " anew";
}

INSTANTIATE_TEST_SUITE_P(
    Commands,
    Help,
    ::testing::Values(
        "",
        "serve",
        "check-config",
        "allowlist",
        "allowlist lint",
        "allowlist diff",
        "allowlist explain",
        "deliveries",
        "deliveries list",
        "deliveries show",
        "deliveries redeliver",
        "deliveries recover",
        "downstream",
        "downstream list",
        "downstream suspend",
        "downstream resume",
        "downstream dispatch",
        "downstream repin",
        "gate",
        "gate list",
        "gate suspend",
        "gate resume",
        "levels",
        "levels status",
        "levels explain",
        "levels evaluate",
        "levels what-if",
        "levels lint",
        "levels rule",
        "levels bundle",
        "levels verify",
        "levels graduate",
        "quality",
        "quality criteria",
        "quality criteria list",
        "quality criteria show",
        "quality criteria check",
        "quality criteria diff",
        "quality criteria export-md",
        "quality init",
        "quality collect",
        "quality lint",
        "quality score",
        "quality gap",
        "quality simulate",
        "quality history",
        "quality diff",
        "quality report",
        "quality badge",
        "quality sign",
        "quality bundle",
        "quality verify",
        "outbox",
        "outbox list",
        "outbox retry",
        "explain",
        "report",
        "shadow",
        "shadow compare",
        "db",
        "db migrate",
        "db backup",
        "db verify",
        "db restore",
        "db move",
        "sim",
        "demo",
        "completion",
        "man"
    )
);

TEST(CommandLine, NamesTheCommandThatWasMeant) {
    const auto refused = baton({"delivries", "list"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_EQ(refused.out, "");
    EXPECT_THAT(
        refused.err, StartsWith("baton: baton has no command delivries; did you mean deliveries?\n")
    );
}

TEST(CommandLine, NamesTheOptionThatWasMeant) {
    const auto refused = baton({"deliveries", "list", "--limt", "3", "--store", "x"});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(
        refused.err,
        HasSubstr("baton deliveries list has no option --limt; did you mean --limit?\n")
    );
}

TEST(CommandLine, RefusesWhatItCannotUse) {
    for (const auto* command :
         {"",
          "allowlist",
          "deliveries",
          "db",
          "check-config",
          "check-config a b",
          "serve",
          "deliveries list --limit 0",
          "deliveries list --limit many",
          "deliveries list --config a --store b",
          "allowlist lint --format yaml x"}) {
        SCOPED_TRACE(command);
        const auto refused = baton(words_of(command));
        EXPECT_EQ(refused.exit_code, 2);
        EXPECT_EQ(refused.out, "");
        EXPECT_THAT(refused.err, StartsWith("baton: "));
        EXPECT_THAT(refused.err, HasSubstr("--help` says how it is used.\n"));
    }
}

TEST(CommandLine, TellsItsVersion) {
    const auto told = baton({"--version"});
    EXPECT_EQ(told.exit_code, 0);
    EXPECT_THAT(told.out, StartsWith("baton "));
}

} // namespace

} // namespace baton::test
