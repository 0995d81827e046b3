#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/config/config.hpp"
#include "baton/domain/allowlist.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace baton::config {
namespace {

constexpr std::string_view kRest = R"(github:
  app_id: 12345
  private_key: {file: app.pem}
  webhook_secrets: [{env: KEY}]
upstreams: [{repo: up/stream, allowlist: "file:allowlist.yml"}]
)";

ConfigReading read(std::string_view sinks) {
    const Surroundings surroundings{
        .environment = [](const std::string& name) -> std::optional<std::string> {
            return name == "BLANKS" ? "two words" : "hunter2";
        },
        .read_file = [](const std::string&) -> Result<std::string> {
            return "-----BEGIN PRIVATE KEY-----\nMII=\n";
        },
    };
    return read_config(std::string(sinks) + std::string(kRest), "/etc/baton", surroundings);
}

TEST(Sinks, AreNamedWithTheirAddressAndKey) {
    const auto reading = read(
        "sinks: [{kind: pytorch-hud, url: \"https://hud.pytorch.org/api/\", key: {env: KEY}}]\n"
    );
    ASSERT_TRUE(reading.config) << reading.findings.front().message;
    ASSERT_EQ(reading.config->sinks.size(), 1U);
    EXPECT_EQ(reading.config->sinks[0].url, "https://hud.pytorch.org/api") << "no final slash";
    EXPECT_EQ(reading.config->sinks[0].key.reveal(), "hunter2");
    EXPECT_TRUE(read("").config->sinks.empty());
    EXPECT_TRUE(read("sinks: []\n").config->sinks.empty());
    EXPECT_TRUE(
        read("sinks: [{kind: pytorch-hud, url: \"http://127.0.0.1:9/api\", key: {env: KEY}}]\n")
            .config
    ) << "a loopback needs no https";
}

TEST(Receivers, AreNamedWithTheirAddressAndSecret) {
    const auto reading =
        read("notify: [{name: oncall, url: \"https://hooks.example.org/x/\", secret: {env: KEY}}]\n"
        );
    ASSERT_TRUE(reading.config) << reading.findings.front().message;
    ASSERT_EQ(reading.config->notify.size(), 1U);
    EXPECT_EQ(reading.config->notify[0].name, "oncall");
    const auto& hook = std::get<HookAt>(reading.config->notify[0].at);
    EXPECT_EQ(hook.url, "https://hooks.example.org/x");
    EXPECT_EQ(hook.secret.reveal(), "hunter2");
    EXPECT_TRUE(read("").config->notify.empty());
    EXPECT_TRUE(rights_needed(*reading.config).empty());
}

TEST(Receivers, AreIssuesThatAreCommentedOn) {
    const auto reading = read("notify: [{name: issue, comment: \"Up/stream#12\"}]\n");
    ASSERT_TRUE(reading.config) << reading.findings.front().message;
    const IssueAt issue{.repo = RepoName::parse("up/stream").value(), .number = PrNumber{12}};
    EXPECT_EQ(std::get<IssueAt>(reading.config->notify[0].at), issue);
    EXPECT_EQ(
        rights_needed(*reading.config),
        std::vector<std::string>{
            "issue is told by comments: the App needs issues: write on Up/stream"
        }
    );
}

TEST(Receivers, AreMailboxes) {
    const auto reading =
        read("notify: [{name: team, mail: {to: [a@b.c, d@e.f], from: x@y.z, "
             "server: \"smtp://mail.example.org:587\", username: u, password: {env: KEY}}}]\n");
    ASSERT_TRUE(reading.config) << reading.findings.front().message;
    const auto& mail = std::get<MailAt>(reading.config->notify[0].at);
    EXPECT_EQ(mail.to, (std::vector<std::string>{"a@b.c", "d@e.f"}));
    EXPECT_EQ(mail.server, "smtp://mail.example.org:587");
    EXPECT_EQ(mail.password.reveal(), "hunter2");
}

TEST(Proposals, ArePullRequestsOnlyWhereTheListIsOnGithub) {
    const auto with = [](std::string_view allowlist, std::string_view way) {
        auto text = std::string(kRest);
        const std::string upstreams = "upstreams: [{repo: ";
        text.erase(text.find(upstreams));
        return read_config(
            text + "upstreams: [{repo: up/stream, allowlist: \"" + std::string(allowlist) +
                "\", proposals: " + std::string(way) + "}]\n",
            "/etc/baton",
            Surroundings{
                .environment = [](const std::string&) -> std::optional<std::string> { return "k"; },
                .read_file = [](const std::string&) -> Result<std::string> {
                    return "-----BEGIN PRIVATE KEY-----\nMII=\n";
                },
            }
        );
    };
    const auto on = with("github:up/lists/allow.yml@main", "pull-request");
    ASSERT_TRUE(on.config) << on.findings.front().message;
    EXPECT_EQ(on.config->upstreams[0].proposals, ProposalWay::pull_request);
    EXPECT_EQ(
        rights_needed(*on.config),
        std::vector<std::string>{
            "proposals for up/stream are pull requests: the App needs contents: write and pull "
            "requests: write on up/lists"
        }
    );
    EXPECT_EQ(
        with("github:up/lists/allow.yml@main", "bundle").config.value().upstreams[0].proposals,
        ProposalWay::bundle
    );
    const auto file = with("file:allow.yml", "pull-request");
    EXPECT_FALSE(file.config);
    EXPECT_NE(
        file.findings.front().message.find("a list in a file takes no pull"), std::string::npos
    );
    EXPECT_FALSE(with("github:up/lists/allow.yml@main", "maybe").config);
}

struct FaultCase {
    const char* name;
    std::string_view sinks;
    std::string_view message;
};

constexpr FaultCase kFaults[] = {
    {"no list", "sinks: hud\n", "sinks: expected a list"},
    {"no list of receivers", "notify: oncall\n", "notify: expected a list"},
    {"no mapping of a receiver", "notify: [oncall]\n", "notify: write {name: oncall"},
    {"an issue without a number",
     "notify: [{name: a, comment: \"up/stream\"}]\n",
     "notify.comment: write the issue as OWNER/REPO#NUMBER"},
    {"an issue with a number that is none",
     "notify: [{name: a, comment: \"up/stream#0\"}]\n",
     "notify.comment: write the issue as OWNER/REPO#NUMBER"},
    {"a webhook and an issue at once",
     "notify: [{name: a, comment: \"up/stream#1\", url: \"https://x.org\"}]\n",
     "notify: a receiver is a webhook, an issue or mailboxes: one of them"},
    {"a mail server that is none",
     "notify: [{name: a, mail: {to: [a@b.c], from: d@e.f, server: \"https://x.org\"}}]\n",
     "notify.mail.server: write smtps://HOST:PORT"},
    {"an address with more in it",
     "notify: [{name: a, mail: {to: [\"a@b.c>, x@y.z\"], from: d@e.f, server: \"smtps://x\"}}]\n",
     "notify.mail.to: write a plain address"},
    {"a name without a password",
     "notify: [{name: a, mail: {to: [a@b.c], from: d@e.f, server: \"smtps://x\", username: u}}]\n",
     "notify.mail: username and password go together"},
    {"an unsigned receiver",
     "notify: [{name: a, url: \"https://x.org\"}]\n",
     "notify.secret is missing"},
    {"a secret in the file",
     "notify: [{name: a, url: \"https://x.org\", secret: hunter2}]\n",
     "notify.secret"},
    {"a receiver over plain http",
     "notify: [{name: a, url: \"http://x.org\", secret: {env: KEY}}]\n",
     "notify.url"},
    {"a name that nobody can type",
     "notify: [{name: On Call, url: \"https://x.org\", secret: {env: KEY}}]\n",
     "small letters"},
    {"two of a name",
     "notify: [{name: a, url: \"https://x.org\", secret: {env: KEY}}, "
     "{name: a, url: \"https://y.org\", secret: {env: KEY}}]\n",
     "the same name"},
    {"no mapping", "sinks: [hud]\n", "sinks: write {kind: pytorch-hud"},
    {"nothing in it", "sinks: [{}]\n", "sinks.url is missing"},
    {"another kind",
     "sinks: [{kind: hud, url: \"https://x.org\", key: {env: KEY}}]\n",
     "is not pytorch-hud"},
    {"plain http",
     "sinks: [{kind: pytorch-hud, url: \"http://x.org\", key: {env: KEY}}]\n",
     "sinks.url"},
    {"a key in the file",
     "sinks: [{kind: pytorch-hud, url: \"https://x.org\", key: hunter2}]\n",
     "sinks.key"},
    {"a key that no header can carry",
     "sinks: [{kind: pytorch-hud, url: \"https://x.org\", key: {env: BLANKS}}]\n",
     "printable ASCII"},
    {"an unknown word",
     "sinks: [{kind: pytorch-hud, url: \"https://x.org\", key: {env: KEY}, token: 1}]\n",
     "token"},
    {"two of a kind",
     "sinks: [{kind: pytorch-hud, url: \"https://x.org\", key: {env: KEY}}, "
     "{kind: pytorch-hud, url: \"https://y.org\", key: {env: KEY}}]\n",
     "one of each kind"},
};

TEST(Sinks, AreRefusedWithAReason) {
    for (const auto& c : kFaults) {
        SCOPED_TRACE(c.name);
        const auto reading = read(c.sinks);
        EXPECT_FALSE(reading.config);
        std::string all;
        for (const auto& finding : reading.findings) {
            all += domain::to_text(finding, "f") + "\n";
        }
        EXPECT_NE(all.find(c.message), std::string::npos) << all;
        EXPECT_EQ(all.find("hunter2"), std::string::npos) << all;
    }
}

} // namespace
} // namespace baton::config
