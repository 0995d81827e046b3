#include "baton/domain/allowlist.hpp"
#include "baton/domain/identity.hpp"
#include "baton/wire/pipelines.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace baton::wire {
namespace {

using testing::HasSubstr;

constexpr std::string_view kOne =
    "0190b1c2-0000-4000-8000-000000000001/0190b1c2-0000-4000-8000-000000000002";

/// `{K}` in a text stands for a good key.
std::string with_key(std::string text) {
    for (auto at = text.find("{K}"); at != std::string::npos; at = text.find("{K}")) {
        text.replace(at, 3, kOne);
    }
    return text;
}

std::string texts(const PipelinesReading& reading) {
    std::string out;
    for (const auto& finding : reading.findings) {
        out += domain::to_text(finding, "f") + "\n";
    }
    return out;
}

/// `owner/repo claim=a|b` of the one entry.
std::string summary(const PipelinesReading& reading) {
    std::string out;
    for (const auto& [key, pipeline] : *reading.pipelines) {
        EXPECT_EQ(key, kOne);
        out += pipeline.repo.text();
        for (const auto& claim : pipeline.required) {
            out += fmt::format(" {}={}", claim.name, fmt::join(claim.values, "|"));
        }
    }
    return out;
}

TEST(Pipelines, AreReadInBothPublishedForms) {
    struct Case {
        const char* name;
        const char* text;
        const char* summary;
    };

    const Case cases[] = {
        {"the newer form", "providers:\n  buildkite:\n    repo_map:\n      {K}: o/r\n", "o/r"},
        {"the older form", "buildkite:\n  {K}: o/r\n", "o/r"},
        {"the older form with a repo_map", "buildkite: {repo_map: {{K}: o/r}}", "o/r"},
        {"a mapping", "buildkite:\n  {K}: {repo: o/r}\n", "o/r"},
        {"a required claim",
         "buildkite:\n  {K}: {repo: o/r, required_claims: {build_branch: main}}\n",
         "o/r build_branch=main"},
        {"a list of values",
         "buildkite:\n  {K}: {repo: o/r, required_claims: {b: [main, 7, true, \"\"]}}\n",
         "o/r b=main|7|true|"},
        {"nobody, on purpose", "providers: {buildkite: {repo_map: {}}}", ""},
        {"a key in quotes", "buildkite:\n  \"{K}\": o/r\n", "o/r"},
    };
    for (const auto& one : cases) {
        SCOPED_TRACE(one.name);
        const auto reading = read_pipelines(with_key(one.text));
        ASSERT_TRUE(reading.pipelines) << texts(reading);
        EXPECT_EQ(summary(reading), one.summary);
        EXPECT_EQ(texts(reading), "");
    }
}

TEST(Pipelines, KeepKeysInLowerCase) {
    const auto reading = read_pipelines(
        "buildkite: {0190B1C2-0000-4000-8000-00000000000A/0190B1C2-0000-4000-8000-00000000000B: "
        "o/r}"
    );
    ASSERT_TRUE(reading.pipelines) << texts(reading);
    EXPECT_EQ(
        reading.pipelines->begin()->first,
        "0190b1c2-0000-4000-8000-00000000000a/0190b1c2-0000-4000-8000-00000000000b"
    );
}

TEST(Pipelines, TakeNoIssuerFromTheFile) {
    const auto reading = read_pipelines(with_key(
        "providers:\n  buildkite:\n    issuer: https://evil\n    jwks_url: https://evil/k\n"
        "    repo_map: {{K}: o/r}\n  gitlab: {}\nversion: 1\n"
    ));
    ASSERT_TRUE(reading.pipelines) << texts(reading);
    EXPECT_EQ(summary(reading), "o/r");
    EXPECT_THAT(
        texts(reading), HasSubstr("f:3:5: warning: providers.buildkite.issuer is left unread")
    );
    EXPECT_THAT(texts(reading), HasSubstr("f:6:3: warning: providers.gitlab is left unread"));
    EXPECT_THAT(texts(reading), HasSubstr("f:7:1: warning: version is left unread"));
}

TEST(Pipelines, PreferTheNewerFormAndSaySo) {
    const auto reading = read_pipelines(
        with_key("providers: {buildkite: {repo_map: {{K}: o/r}}}\nbuildkite: {{K}: o/other}\n")
    );
    ASSERT_TRUE(reading.pipelines) << texts(reading);
    EXPECT_EQ(summary(reading), "o/r");
    EXPECT_THAT(texts(reading), HasSubstr("f:2:1: warning: buildkite is left unread"));
}

TEST(Pipelines, AreRefusedWholeWithThePlaceOfEachFault) {
    struct Case {
        const char* name;
        const char* text;
        const char* finding;
    };

    const Case cases[] = {
        {"nothing", "", "register nobody on purpose"},
        {"a list", "[]", "f:1:1: error: expected providers, found a list"},
        {"neither form", "pipelines: {}", "f:1:1: error: neither providers nor buildkite"},
        {"no buildkite", "providers: {gitlab: {}}", "providers.buildkite is missing"},
        {"no repo_map", "providers: {buildkite: {}}", "repo_map is missing"},
        {"repo_map a list",
         "providers: {buildkite: {repo_map: []}}",
         "expected a mapping, found a list"},
        {"slugs",
         "buildkite:\n  org/pipeline: o/r\n",
         "f:2:3: error: \"org/pipeline\" is not two UUIDs"},
        {"one UUID", "buildkite:\n  0190b1c2-0000-4000-8000-000000000001: o/r\n", "is not two UUIDs"
        },
        {"no repository", "buildkite:\n  {K}: backend\n", "f:2:78: error: repo:"},
        {"nothing for a repository", "buildkite:\n  {K}:\n", "repo: expected text, found nothing"},
        {"a mapping without repo", "buildkite:\n  {K}: {required_claims: {}}\n", "repo is missing"},
        {"an unknown key", "buildkite:\n  {K}: {repo: o/r, required: {}}\n", "\"required\""},
        {"claims a list",
         "buildkite:\n  {K}: {repo: o/r, required_claims: [a]}\n",
         "expected a mapping"},
        {"a claim of nothing",
         "buildkite:\n  {K}: {repo: o/r, required_claims: {a: }}\n",
         "a: expected text"},
        {"a claim of a mapping",
         "buildkite:\n  {K}: {repo: o/r, required_claims: {a: {}}}\n",
         "expected text"},
        {"an empty list",
         "buildkite:\n  {K}: {repo: o/r, required_claims: {a: []}}\n",
         "lets nobody in"},
        {"an entry twice", "buildkite:\n  {K}: o/r\n  {K}: o/s\n", "f:3:3"},
        {"no YAML", "buildkite: [", "error"},
    };
    for (const auto& one : cases) {
        SCOPED_TRACE(one.name);
        const auto reading = read_pipelines(with_key(one.text));
        EXPECT_FALSE(reading.pipelines);
        EXPECT_THAT(texts(reading), HasSubstr(one.finding));
    }
}

} // namespace
} // namespace baton::wire
