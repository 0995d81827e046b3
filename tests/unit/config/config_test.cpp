#include "baton/base/limits.hpp"
#include "baton/config/config.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace baton::config {

namespace {

using domain::Finding;
using domain::Severity;
using namespace std::chrono_literals;

constexpr std::string_view kPem =
    "-----BEGIN RSA PRIVATE KEY-----\nMII=\n-----END RSA PRIVATE KEY-----";

/// A machine with a few files and variables.
Surroundings fake() {
    static const std::map<std::string, std::string> kFiles{
        {"/etc/baton/app.pem", std::string(kPem) + "\n"},
        {"/etc/baton/public.pem", "-----BEGIN PUBLIC KEY-----\nMII=\n"},
        {"/etc/baton/chain.pem", "-----BEGIN CERTIFICATE-----\nMII=\n"},
        {"/etc/baton/empty", "\n"},
        {"/etc/baton/port", "127.0.0.1:9090\n"},
        {"/etc/baton/two-newlines", "hush\n\n"},
        {"/run/secret", "hush\r\n"},
    };
    static const std::map<std::string, std::string> kVariables{
        {"BATON_WEBHOOK_SECRET", "whsec"},
        {"BATON_ADMIN_TOKEN", "admin-token-of-a-test"},
        {"APP_ID", "77"},
        {"NOT_A_NUMBER", "hunter2"},
        {"BLANK", ""},
        {"SPACED", "two words"},
    };
    return {
        .environment = [](const std::string& name) -> std::optional<std::string> {
            const auto found = kVariables.find(name);
            return found == kVariables.end() ? std::nullopt : std::optional(found->second);
        },
        .read_file = [](const std::string& path) -> Result<std::string> {
            const auto found = kFiles.find(path);
            if (found == kFiles.end()) {
                return fail(Errc::not_found, "no such file");
            }
            return found->second;
        },
    };
}

constexpr std::string_view kSmallest = R"(github:
  app_id: 12345
  private_key: {file: app.pem}
  webhook_secrets: [{env: BATON_WEBHOOK_SECRET}]
upstreams:
  - {repo: pytorch/pytorch, allowlist: "file:allowlist.yml"}
)";

ConfigReading read(std::string_view text) {
    return read_config(text, "/etc/baton", fake());
}

ConfigReading read_with(std::string_view more) {
    return read(std::string(kSmallest) + std::string(more));
}

std::string texts(const std::vector<Finding>& findings) {
    std::string out;
    for (const auto& finding : findings) {
        out += domain::to_text(finding, "f") + "\n";
    }
    return out;
}

TEST(Config, NeedsLittleAndFillsInTheRest) {
    const auto reading = read(kSmallest);
    ASSERT_TRUE(reading.config.has_value()) << texts(reading.findings);
    EXPECT_EQ(texts(reading.findings), "");
    const auto& config = *reading.config;
    EXPECT_EQ(config.listen, (ListenAt{.host = "127.0.0.1", .port = 8080}));
    EXPECT_EQ(config.public_url, "http://127.0.0.1:8080");
    EXPECT_EQ(config.store, "/etc/baton/baton.db");
    EXPECT_FALSE(config.tls.has_value());
    EXPECT_EQ(config.github.api_url, "https://api.github.com");
    EXPECT_EQ(config.github.app_id, 12345);
    EXPECT_EQ(config.github.private_key.reveal(), kPem) << "one newline is dropped";
    ASSERT_EQ(config.github.webhook_secrets.size(), 1U);
    EXPECT_EQ(config.github.webhook_secrets[0].reveal(), "whsec");
    EXPECT_FALSE(config.github.pace.has_value());
    ASSERT_EQ(config.upstreams.size(), 1U);
    EXPECT_EQ(config.upstreams[0].repo.text(), "pytorch/pytorch");
    EXPECT_EQ(
        config.upstreams[0].allowlist,
        AllowlistAt(AllowlistFile{.path = "/etc/baton/allowlist.yml"})
    );
    EXPECT_EQ(
        config.upstreams[0].label_prefixes,
        (std::vector<std::string>{"ciflow/crcr/", "ciflow/oot/"})
    );
    EXPECT_EQ(config.upstreams[0].check_prefix, "crcr");
    EXPECT_FALSE(config.oidc.has_value());
    EXPECT_TRUE(config.admin_tokens.empty());
    EXPECT_EQ(config.allowlist_refresh, 60s);
    EXPECT_EQ(config.retry.give_up_after, 72h);
    EXPECT_EQ(config.start_timeout, 2h);
    EXPECT_EQ(config.run_timeout, 6h);
    EXPECT_EQ(config.retention.bodies, 30 * 24h);
    EXPECT_EQ(config.retention.results, 396 * 24h);
    EXPECT_EQ(config.log, Log{});
}

std::string example_text() {
    std::ifstream file(std::string(BATON_SOURCE_DIR) + "/docs/config.example.yml");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

TEST(Config, WarnsOfAnAdminTokenThatMayBeGuessed) {
    const auto reading =
        read(std::string(kSmallest) + "admin_tokens: [{env: BATON_WEBHOOK_SECRET}]\n");
    EXPECT_TRUE(reading.config.has_value());
    EXPECT_NE(texts(reading.findings).find("may be guessed"), std::string::npos);
}

TEST(Config, TheExampleLoadsAndStatesTheRealDefaults) {
    const auto reading = read(example_text());
    ASSERT_TRUE(reading.config.has_value()) << texts(reading.findings);
    EXPECT_EQ(texts(reading.findings), "");
    const auto& config = *reading.config;
    const auto defaults = *read(kSmallest).config;
    EXPECT_EQ(config.listen, defaults.listen);
    EXPECT_EQ(config.public_url, defaults.public_url);
    EXPECT_EQ(config.store, defaults.store);
    EXPECT_EQ(config.github, defaults.github);
    EXPECT_EQ(config.upstreams[0].label_prefixes, defaults.upstreams[0].label_prefixes);
    EXPECT_EQ(config.upstreams[0].check_prefix, defaults.upstreams[0].check_prefix);
    EXPECT_EQ(
        config.upstreams[0].allowlist,
        AllowlistAt(AllowlistOnGithub{
            .repo = *RepoName::parse("pytorch/pytorch"),
            .path = ".github/allowlist.yml",
            .ref = "main"
        })
    );
    EXPECT_EQ(config.admin_tokens, std::vector{Secret("admin-token-of-a-test")});
    EXPECT_EQ(config.allowlist_refresh, defaults.allowlist_refresh);
    EXPECT_EQ(config.retry.first, defaults.retry.first);
    EXPECT_EQ(config.retry.longest, defaults.retry.longest);
    EXPECT_EQ(config.retry.give_up_after, defaults.retry.give_up_after);
    EXPECT_EQ(config.start_timeout, defaults.start_timeout);
    EXPECT_EQ(config.run_timeout, defaults.run_timeout);
    EXPECT_EQ(config.levels, defaults.levels);
    EXPECT_EQ(config.retention, defaults.retention);
    EXPECT_EQ(config.log, defaults.log);
    const auto only_audience = read_with("oidc: {audience: pytorch-cross-repo-ci-relay}\n");
    ASSERT_TRUE(only_audience.config.has_value());
    EXPECT_EQ(config.oidc, only_audience.config->oidc);
}

TEST(Config, WhatTheExampleCommentsOutIsRightToo) {
    auto text = example_text();
    for (const std::string_view off :
         {"# tls:",
          "#   certificate",
          "#   key",
          "# pace",
          "# - {issuer: \"https://agent",
          "# - {issuer: \"https://gitlab"}) {
        const auto at = text.find(off);
        ASSERT_NE(at, std::string::npos) << off;
        text.erase(at, 2);
    }
    const auto at = text.find("fullchain.pem");
    text.replace(at, 13, "chain.pem");
    text.replace(text.find("privkey.pem"), 11, "app.pem");
    const auto reading = read(text);
    ASSERT_TRUE(reading.config.has_value()) << texts(reading.findings);
    EXPECT_TRUE(reading.config->tls.has_value());
    EXPECT_EQ(reading.config->github.pace, 900);
    ASSERT_EQ(reading.config->oidc->issuers.size(), 3U);
    EXPECT_EQ(reading.config->oidc->issuers[1].pipelines_file, "/etc/baton/ci_providers.yml");
    EXPECT_EQ(reading.config->oidc->issuers[2].projects.at("group/project").text(), "owner/repo");
}

TEST(Config, KeepsAnIssuerAsItIsWrittenBecauseTokensNameItByteForByte) {
    const auto reading = read_with(
        "oidc: {audience: a, issuers: [{issuer: \"https://X.org/\", kind: github-actions}]}\n"
    );
    ASSERT_TRUE(reading.config.has_value()) << texts(reading.findings);
    EXPECT_EQ(reading.config->oidc->issuers[0].issuer, "https://X.org/");
}

TEST(Config, TakesAnyValueFromAFileOrTheEnvironment) {
    const auto reading = read(R"(listen: {file: port}
github:
  app_id: {env: APP_ID}
  private_key: {file: /etc/baton/app.pem}
  webhook_secrets: [{env: BATON_WEBHOOK_SECRET}, {file: /run/secret}, {file: two-newlines}]
upstreams: [{repo: a/b, allowlist: "file:/srv/list.yml"}]
)");
    ASSERT_TRUE(reading.config.has_value()) << texts(reading.findings);
    EXPECT_EQ(reading.config->listen.port, 9090);
    EXPECT_EQ(reading.config->public_url, "http://127.0.0.1:9090");
    EXPECT_EQ(reading.config->github.app_id, 77);
    ASSERT_EQ(reading.config->github.webhook_secrets.size(), 3U);
    EXPECT_EQ(reading.config->github.webhook_secrets[1].reveal(), "hush");
    EXPECT_EQ(reading.config->github.webhook_secrets[2].reveal(), "hush\n");
    EXPECT_EQ(to_text(reading.config->upstreams[0].allowlist), "file:/srv/list.yml");
}

TEST(Config, ListensOnAddressesOfBothKinds) {
    const auto six = read_with("listen: \"[::1]:0\"\n");
    ASSERT_TRUE(six.config.has_value()) << texts(six.findings);
    EXPECT_EQ(six.config->listen, (ListenAt{.host = "::1", .port = 0}));
    EXPECT_EQ(six.config->public_url, "http://[::1]:0");
    const auto secure = read_with(
        "listen: localhost:443\ntls: {certificate: {file: chain.pem}, key: {file: app.pem}}\n"
    );
    ASSERT_TRUE(secure.config.has_value()) << texts(secure.findings);
    EXPECT_EQ(secure.config->public_url, "https://localhost:443");
    EXPECT_TRUE(secure.config->tls->certificate.starts_with("-----BEGIN CERTIFICATE"));
    const auto anywhere = read_with("listen: 0.0.0.0:80\npublic_url: https://ci.example.org/\n");
    ASSERT_TRUE(anywhere.config.has_value()) << texts(anywhere.findings);
    EXPECT_EQ(anywhere.config->public_url, "https://ci.example.org");
}

struct FaultCase {
    std::string_view name;
    std::string_view more; // after the smallest file, which has 6 lines
    int line;
    int column;
    std::string_view message;
};

constexpr std::array kFaults{
    FaultCase{
        "an unknown key", "listten: x\n", 7, 1, "unknown key \"listten\"; did you mean \"listen\"?"
    },
    FaultCase{"an address without a port", "listen: 127.0.0.1\n", 7, 9, "is not ADDRESS:PORT"},
    FaultCase{"a name to listen on", "listen: example.org:80\n", 7, 9, "is not ADDRESS:PORT"},
    FaultCase{"a port too large", "listen: 127.0.0.1:65536\n", 7, 9, "is not ADDRESS:PORT"},
    FaultCase{"IPv6 without brackets", "listen: ::1:80\n", 7, 9, "is not ADDRESS:PORT"},
    FaultCase{
        "everywhere without a public URL", "listen: \"[::]:80\"\n", 1, 1, "public_url is missing"
    },
    FaultCase{
        "a public URL that is none", "public_url: ci.example.org\n", 7, 13, "write https://host"
    },
    FaultCase{"a query in a URL", "public_url: https://x/?a=1\n", 7, 13, "must have no user name"},
    FaultCase{
        "a password in the file",
        "store: postgresql://u:hunter2@h/db\n",
        7,
        8,
        "a password does not belong into this file"
    },
    FaultCase{"a store URL", "store: sqlite:///var/db\n", 7, 8, "write sqlite:PATH"},
    FaultCase{"another store", "store: mysql:db\n", 7, 8, "write sqlite:PATH"},
    FaultCase{
        "a certificate without a key",
        "tls: {certificate: {file: chain.pem}}\n",
        7,
        1,
        "tls.key is missing: add {file: PATH}"
    },
    FaultCase{
        "a key written out",
        "tls: {certificate: {file: chain.pem}, key: hunter2}\n",
        7,
        44,
        "tls.key: is never written into this file"
    },
    FaultCase{
        "a certificate that is none",
        "tls: {certificate: {file: app.pem}, key: {file: app.pem}}\n",
        7,
        20,
        "is another kind of PEM: \"-----BEGIN CERTIFICATE\" is not in it"
    },
    FaultCase{
        "a public key instead of the private one",
        "tls: {certificate: {file: chain.pem}, key: {file: public.pem}}\n",
        7,
        44,
        "tls.key: is a public key: the private one, with \"PRIVATE KEY-----\", is wanted"
    },
    FaultCase{
        "a key that is no PEM at all",
        "tls: {certificate: {file: chain.pem}, key: {file: /run/secret}}\n",
        7,
        44,
        "is not PEM"
    },
    FaultCase{
        "an admin token written out",
        "admin_tokens: [hunter2]\n",
        7,
        16,
        "is never written into this file"
    },
    FaultCase{
        "admin tokens that are no list",
        "admin_tokens: {env: BATON_ADMIN_TOKEN}\n",
        7,
        15,
        "write [{env: NAME}]"
    },
    FaultCase{
        "an admin token with a blank", "admin_tokens: [{env: SPACED}]\n", 7, 15, "without blanks"
    },
    FaultCase{
        "an empty variable", "admin_tokens: [{env: BLANK}]\n", 7, 16, "{env: BLANK} is empty"
    },
    FaultCase{"an empty file", "admin_tokens: [{file: empty}]\n", 7, 16, "{file: empty} is empty"},
    FaultCase{
        "a variable that is not there", "admin_tokens: [{env: NOPE}]\n", 7, 22, "no variable NOPE"
    },
    FaultCase{
        "a file that is not there",
        "admin_tokens: [{file: nope}]\n",
        7,
        23,
        "/etc/baton/nope cannot be read: no such file"
    },
    FaultCase{"a duration", "allowlist_refresh: 60\n", 7, 20, "is not a duration"},
    FaultCase{"no time", "run_timeout: 0s\n", 7, 14, "more than 0"},
    FaultCase{
        "payloads kept too short", "retention: {bodies: 6d}\n", 7, 21, "between 7d and 3650d"
    },
    FaultCase{
        "payloads kept for ever", "retention: {bodies: 3651d}\n", 7, 21, "longer than ten years"
    },
    FaultCase{
        "results kept too short", "retention: {results: 99d}\n", 7, 22, "between 100d and 3650d"
    },
    FaultCase{
        "payloads longer than results",
        "retention: {bodies: 500d}\n",
        7,
        12,
        "results have to be kept as long as bodies"
    },
    FaultCase{"retention of what", "retention: {body: 30d}\n", 7, 13, "\"body\"; write bodies"},
    FaultCase{"a bare retention", "retention: 30d\n", 7, 12, "retention: expected a mapping"},
    FaultCase{"retries that shrink", "retry: {first: 1h}\n", 7, 8, "have to grow"},
    FaultCase{
        "an unknown retry key",
        "retry: {giveup_after: 1h}\n",
        7,
        9,
        "did you mean \"give_up_after\"?"
    },
    FaultCase{"a log format", "log: {format: xml}\n", 7, 15, "\"xml\" is not text or json"},
    FaultCase{
        "a log level", "log: {level: loud}\n", 7, 14, "\"loud\" is not debug, info, warn or error"
    },
    FaultCase{"a section that is text", "log: json\n", 7, 6, "log: expected a mapping, found text"},
    FaultCase{"oidc without an audience", "oidc: {}\n", 7, 1, "oidc.audience is missing"},
    FaultCase{
        "an issuer over http",
        "oidc: {audience: a, issuers: [{issuer: \"http://x.org\", kind: gitlab, projects: {a/b: "
        "c/d}}]}\n",
        7,
        40,
        "has to be https"
    },
    FaultCase{
        "buildkite without pipelines",
        "oidc: {audience: a, issuers: [{issuer: \"https://x.org\", kind: buildkite}]}\n",
        7,
        31,
        "pipelines is missing"
    },
    FaultCase{
        "projects for another kind",
        "oidc: {audience: a, issuers: [{issuer: \"https://x.org\", kind: github-actions, projects: "
        "{a/b: c/d}}]}\n",
        7,
        89,
        "is for kind gitlab only"
    },
    FaultCase{
        "keys on another host",
        "oidc: {audience: a, issuers: [{issuer: \"https://x.org\", kind: github-actions, jwks_url: "
        "\"https://evil.org/k\"}]}\n",
        7,
        89,
        "on the issuer's host"
    },
    FaultCase{
        "an issuer twice",
        "oidc: {audience: a, issuers: [{issuer: \"https://x.org\", kind: github-actions}, {issuer: "
        "\"https://x.org/\", kind: github-actions}]}\n",
        7,
        80,
        "stands twice"
    },
    FaultCase{
        "an unknown kind",
        "oidc: {audience: a, issuers: [{issuer: \"https://x.org\", kind: github}]}\n",
        7,
        63,
        "is not github-actions, buildkite or gitlab"
    },
    FaultCase{"the same key again", "github: {}\n", 7, 1, "\"github\" stands twice"},
};

TEST(Config, ExplainsEveryFaultWithItsPlace) {
    for (const auto& c : kFaults) {
        SCOPED_TRACE(c.name);
        const auto reading = read_with(c.more);
        EXPECT_FALSE(reading.config.has_value());
        const auto named = std::ranges::find_if(reading.findings, [&c](const Finding& finding) {
            return finding.message.find(c.message) != std::string::npos;
        });
        ASSERT_NE(named, reading.findings.end()) << texts(reading.findings);
        EXPECT_EQ(named->line, c.line) << named->message;
        EXPECT_EQ(named->column, c.column) << named->message;
        EXPECT_EQ(texts(reading.findings).find("hunter2"), std::string::npos);
    }
}

TEST(Config, SaysWhatToAdd) {
    EXPECT_EQ(
        texts(read("").findings),
        "f:1:1: error: github is missing: add app_id, private_key and webhook_secrets of the "
        "GitHub App\n"
        "f:1:1: error: upstreams is missing: add a list of {repo: owner/repo, allowlist: "
        "file:allowlist.yml}\n"
    );
    EXPECT_EQ(
        texts(read("github:\n  pace: 1\nupstreams:\n  - {}\n").findings),
        "f:1:1: error: github.app_id is missing: add the number of the GitHub App\n"
        "f:1:1: error: github.private_key is missing: add {file: app.pem}, the key that GitHub "
        "made for the App\n"
        "f:1:1: error: github.webhook_secrets is missing: add [{env: BATON_WEBHOOK_SECRET}]\n"
        "f:4:5: error: upstreams.allowlist is missing: add file:PATH or "
        "github:OWNER/REPO/PATH@REF\n"
        "f:4:5: error: upstreams.repo is missing: add owner/repo\n"
    );
}

TEST(Config, NotesAllFaultsAtOnceAndShowsNoSecret) {
    const auto reading = read(R"(listen: nowhere
github:
  api_url: http://api.github.com
  app_id: {env: NOT_A_NUMBER}
  private_key: hunter2
  webhook_secrets: hunter2
  pase: 3
upstreams:
  - {repo: alone, allowlist: "allowlist.yml"}
  - {repo: a/b, allowlist: "github:a/b/c.yml", label_prefixes: []}
  - {repo: A/B, allowlist: "file:x"}
  - hunter
)");
    EXPECT_FALSE(reading.config.has_value());
    const auto all = texts(reading.findings);
    EXPECT_EQ(
        all,
        "f:1:9: error: listen: \"nowhere\" is not ADDRESS:PORT: write 127.0.0.1:8080 or [::]:8080\n"
        "f:3:12: error: github.api_url: \"http://api.github.com\" has to be https: plain http is "
        "for "
        "loopback addresses only\n"
        "f:4:11: error: github.app_id: what {env: NOT_A_NUMBER} holds is not of the right form\n"
        "f:5:16: error: github.private_key: is never written into this file: use {file: PATH} or "
        "{env: NAME}\n"
        "f:6:20: error: github.webhook_secrets: expected a list: write [{env: NAME}]\n"
        "f:7:3: error: unknown key \"pase\"; did you mean \"pace\"?\n"
        "f:9:12: error: upstreams.repo: \"alone\" is not a repository name: write owner/repo\n"
        "f:9:30: error: upstreams.allowlist: \"allowlist.yml\" is no place for an allowlist: write "
        "file:PATH or github:OWNER/REPO/PATH@REF\n"
        "f:10:28: error: upstreams.allowlist: \"github:a/b/c.yml\" names no branch or tag: write "
        "github:OWNER/REPO/PATH@REF\n"
        "f:10:64: error: upstreams.label_prefixes: expected a list of at least one text\n"
        "f:11:5: error: upstreams: A/B stands twice\n"
        "f:12:5: error: upstreams: write {repo: owner/repo, allowlist: file:allowlist.yml}\n"
    );
}

TEST(Config, AFileThatCannotBeReadIsAFinding) {
    const auto reading = load_config("/etc/baton/nope.yml", fake());
    EXPECT_EQ(texts(reading.findings), "f: error: cannot be read: no such file\n");
    EXPECT_FALSE(read(std::string(limits::kConfigBytesMax + 1, '#')).config.has_value());
    EXPECT_FALSE(read("- a\n").config.has_value());
    EXPECT_FALSE(read("a: [").config.has_value());
}

TEST(Config, TellsWhereTheStoreIsWhateverElseTheFileSays) {
    auto surroundings = fake();
    const auto at = [&surroundings](std::string text) {
        surroundings.read_file = [text](const std::string&) { return Result<std::string>(text); };
        return load_store_path("/etc/baton/baton.yml", surroundings);
    };
    EXPECT_EQ(at("store: sqlite:x.db\nunknown: 1\ngithub: no\n").path, "/etc/baton/x.db");
    EXPECT_EQ(at("").path, "/etc/baton/baton.db");
    const auto postgres = at("store: postgresql://h/db\n");
    EXPECT_EQ(postgres.path, "postgresql://h/db");
    EXPECT_FALSE(domain::has_errors(postgres.findings));
    EXPECT_FALSE(load_store_path("/nope.yml", fake()).path.has_value());
}

TEST(Secret, NeverPrintsItself) {
    const Secret secret("hunter2");
    std::stringstream stream;
    stream << secret;
    EXPECT_EQ(stream.str(), "***");
    EXPECT_EQ(fmt::format("{} {:>5}", secret, secret), "***   ***");
    EXPECT_EQ(testing::PrintToString(std::vector{secret}), "{ *** }");
}

TEST(RestartNeeded, NamesWhatAReloadCannotTakeOver) {
    const auto old = *read(kSmallest).config;
    EXPECT_TRUE(restart_needed(old, old).empty());

    auto fresh = old;
    fresh.github.private_key = Secret("other");
    fresh.github.webhook_secrets.emplace_back("more");
    fresh.admin_tokens.emplace_back("token");
    EXPECT_TRUE(restart_needed(old, fresh).empty());

    fresh.log.level = LogLevel::debug;
    fresh.listen.port = 1;
    fresh.public_url = "https://x";
    fresh.store = "/x";
    fresh.tls = Tls{};
    fresh.github.api_url = "https://x";
    fresh.github.app_id = 1;
    fresh.github.pace = 1;
    fresh.upstreams[0].allowlist = AllowlistFile{.path = "/x"};
    fresh.oidc = Oidc{};
    fresh.sinks.emplace_back();
    fresh.notify.emplace_back();
    fresh.allowlist_refresh = 1s;
    fresh.recovery_every = 1s;
    fresh.callbacks_per_minute = 7;
    fresh.retry = {.first = 1s, .longest = 1s, .give_up_after = 1s};
    fresh.start_timeout = 1s;
    fresh.run_timeout = 1s;
    fresh.levels.day = 1s;
    fresh.retention.bodies = 240h;
    const std::vector<std::string> expected{
        "listen",
        "public_url",
        "store",
        "tls",
        "github.api_url",
        "github.app_id",
        "github.pace",
        "upstreams",
        "oidc",
        "sinks",
        "notify",
        "allowlist_refresh",
        "recovery_every",
        "callbacks_per_minute",
        "retry.first",
        "retry.longest",
        "retry.give_up_after",
        "start_timeout",
        "run_timeout",
        "levels",
        "retention",
        "log"
    };
    EXPECT_EQ(restart_needed(old, fresh), expected);
}

RC_GTEST_PROP(Config, ADamagedFileGetsAnAnswer, ()) {
    static const auto kExample = example_text();
    std::string text = kExample;
    for (int i = *rc::gen::inRange(1, 5); i > 0; --i) {
        const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
        text.replace(
            at,
            *rc::gen::inRange<std::size_t>(0, 6),
            *rc::gen::element<std::string>(
                "",
                ":",
                "- ",
                "[",
                "}",
                "\n",
                "&a ",
                "*a",
                "'",
                "{env: APP_ID}",
                "@",
                "\xff",
                "\t",
                "~"
            )
        );
    }
    const auto reading = read(text);
    RC_ASSERT(reading.config.has_value() != domain::has_errors(reading.findings));
    RC_ASSERT(texts(reading.findings).find("whsec") == std::string::npos);
}

} // namespace

} // namespace baton::config
