#include "baton/base/result.hpp"
#include "baton/config/config.hpp"
#include "baton/domain/allowlist.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace baton::config {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kRest = R"(github:
  app_id: 12345
  private_key: {file: app.pem}
  webhook_secrets: [{env: KEY}]
upstreams: [{repo: up/stream, allowlist: "file:allowlist.yml"}]
)";

ConfigReading read(std::string_view levels) {
    const Surroundings surroundings{
        .environment = [](const std::string&) -> std::optional<std::string> { return "hunter2"; },
        .read_file = [](const std::string&) -> Result<std::string> {
            return "-----BEGIN PRIVATE KEY-----\nMII=\n";
        },
    };
    return read_config(std::string(levels) + std::string(kRest), "/etc/baton", surroundings);
}

std::string fault(std::string_view levels) {
    const auto reading = read(levels);
    return reading.findings.empty() ? "" : domain::to_text(reading.findings.front(), "f");
}

TEST(Levels, AreJudgedByTheBuiltInProfileOnceADay) {
    const auto levels = read("").config.value().levels;
    EXPECT_EQ(levels.profile, "baton/1");
    EXPECT_EQ(levels.day, 24h);
    EXPECT_EQ(read("levels: {}\n").config.value().levels, levels);
}

TEST(Levels, TakeAnotherProfileAFileOrNone) {
    EXPECT_EQ(
        read("levels: {profile: crcr-l3/2026.09}\n").config.value().levels.profile,
        "crcr-l3/2026.09"
    );
    EXPECT_EQ(
        read("levels: {profile: rules/mine.yml}\n").config.value().levels.profile,
        "/etc/baton/rules/mine.yml"
    );
    EXPECT_EQ(read("levels: {profile: none}\n").config.value().levels.profile, "");
}

TEST(Levels, MayBeJudgedMoreOften) {
    EXPECT_EQ(read("levels: {day: 1s}\n").config.value().levels.day, 1s);
}

TEST(Levels, ExplainWhatIsWrong) {
    EXPECT_EQ(fault("levels: daily\n"), "f:1:9: error: levels: expected a mapping, found text");
    EXPECT_EQ(
        fault("levels: {profil: x}\n"),
        "f:1:10: error: unknown key \"profil\"; did you mean \"profile\"?"
    );
    EXPECT_EQ(fault("levels: {day: 2d}\n"), "f:1:15: error: levels.day: between 500ms and 24h");
    EXPECT_EQ(fault("levels: {day: 1ms}\n"), "f:1:15: error: levels.day: between 500ms and 24h");
}

} // namespace
} // namespace baton::config
