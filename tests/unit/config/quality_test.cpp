#include "baton/base/result.hpp"
#include "baton/config/config.hpp"
#include "baton/domain/allowlist.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

namespace baton::config {
namespace {

using testing::IsEmpty;

constexpr std::string_view kRest = R"(github:
  app_id: 12345
  private_key: {file: app.pem}
  webhook_secrets: [{env: KEY}]
upstreams: [{repo: up/stream, allowlist: "file:allowlist.yml"}]
)";

ConfigReading read(std::string_view quality) {
    const Surroundings surroundings{
        .environment = [](const std::string&) -> std::optional<std::string> { return "hunter2"; },
        .read_file = [](const std::string&) -> Result<std::string> {
            return "-----BEGIN PRIVATE KEY-----\nMII=\n";
        },
    };
    return read_config(std::string(quality) + std::string(kRest), "/etc/baton", surroundings);
}

std::string fault(std::string_view quality) {
    const auto reading = read(quality);
    return reading.findings.empty() ? "" : domain::to_text(reading.findings.front(), "f");
}

TEST(QualityFolders, AreNoneUnlessTheyAreNamed) {
    EXPECT_EQ(read("").config.value().quality, Quality{});
}

TEST(QualityFolders, CountFromTheConfigurationFile) {
    const auto quality =
        read("quality: {assessments: platforms, criteria: /srv/criteria}\n").config.value().quality;
    EXPECT_EQ(quality.assessments, "/etc/baton/platforms");
    EXPECT_EQ(quality.criteria, "/srv/criteria");
    EXPECT_EQ(read("quality: {assessments: x}\n").config.value().quality.criteria, "");
}

TEST(QualityFolders, ExplainWhatIsWrong) {
    EXPECT_EQ(fault("quality: all\n"), "f:1:10: error: quality: expected a mapping, found text");
    EXPECT_EQ(
        fault("quality: {assessments: x, criterias: y}\n"),
        "f:1:27: error: unknown key \"criterias\"; did you mean \"criteria\"?"
    );
    EXPECT_EQ(
        fault("quality: {criteria: x}\n"),
        "f:1:1: error: quality.assessments is missing: add the folder with PLATFORM/RELEASE.yml"
    );
}

TEST(QualityFolders, MayChangeWithoutARestart) {
    const auto before = read("quality: {assessments: x}\n").config.value();
    const auto after = read("quality: {assessments: y}\n").config.value();
    EXPECT_THAT(restart_needed(before, after), IsEmpty());
}

} // namespace
} // namespace baton::config
