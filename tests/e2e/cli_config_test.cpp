// check-config, db migrate, and what serve says about input that it cannot use.

#include "baton/base/time.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/store/sqlite/engine.hpp"
#include "baton/store/sqlite/migrate.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "e2e/cli_support.hpp"

namespace baton::test {

namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

void make_store(const std::string& path) {
    ASSERT_TRUE(store::SqliteStore::open({.path = path, .now = from_ms(1)}));
}

/// As if a later release had been here.
void make_newer_store(const std::string& path) {
    const auto ours = store::sqlite::embedded_migrations();
    std::vector<store::sqlite::Migration> theirs(ours.begin(), ours.end());
    theirs.push_back({.number = 9999, .name = "future", .sql = "CREATE TABLE future (x INTEGER);"});
    auto db = store::sqlite::open(path, store::sqlite::Access::create);
    ASSERT_TRUE(db);
    ASSERT_TRUE(store::sql::apply_migrations(*db, theirs, from_ms(1)));
}

TEST(CheckConfig, IsContentWithAGoodConfiguration) {
    const Household home;
    const auto checked = home.run({"check-config", home.config});
    EXPECT_EQ(checked.exit_code, 0) << checked.out << checked.err;
    EXPECT_THAT(checked.out, HasSubstr("baton.yml: good: 1 upstream on 127.0.0.1:8080"));
    EXPECT_EQ(checked.err, "");
    EXPECT_FALSE(std::filesystem::exists(home.folder.file("baton.db"))) << "checking makes nothing";
}

TEST(CheckConfig, PrintsEveryFindingWithItsPlace) {
    const Household home;
    home.add("listne: \"127.0.0.1:1\"\nrun_timeout: soon\n");
    const auto checked = home.run({"check-config", home.config});
    EXPECT_EQ(checked.exit_code, 1);
    EXPECT_THAT(
        checked.out,
        AllOf(
            HasSubstr("baton.yml:7:1: error: unknown key \"listne\"; did you mean \"listen\"?"),
            HasSubstr("baton.yml:8:14: error: run_timeout"),
            EndsWith("baton.yml: 2 errors, 0 warnings\n")
        )
    );
}

TEST(CheckConfig, AlsoReadsThePipelinesFile) {
    const Household home;
    home.add("oidc:\n  audience: relay\n  issuers:\n    - issuer: https://agent.example\n"
             "      kind: buildkite\n      pipelines: \"file:pipelines.yml\"\n");
    const auto missing = home.run({"check-config", home.config});
    EXPECT_EQ(missing.exit_code, 1);
    EXPECT_THAT(
        missing.out, HasSubstr("baton.yml:12:18: error: oidc.issuers.pipelines: cannot be read: ")
    );
    home.folder.write(
        "pipelines.yml", "providers:\n  buildkite:\n    repo_map: {slug/slug: o/r}\n"
    );
    const auto faulty = home.run({"check-config", home.config});
    EXPECT_EQ(faulty.exit_code, 1);
    EXPECT_THAT(faulty.out, HasSubstr("pipelines.yml:3:16: error: \"slug/slug\" is not two UUIDs"));
    home.folder.write("pipelines.yml", "providers: {buildkite: {repo_map: {}}}\n");
    EXPECT_EQ(home.run({"check-config", home.config}).exit_code, 0);
}

TEST(CheckConfig, AlsoReadsTheAllowlistAndTriesTheKey) {
    const Household home;
    home.folder.write("allowlist.yml", "L1:\n  - org1/repo1: {trigger: sometimes}\n");
    home.folder.write(
        "app.pem", "-----BEGIN RSA PRIVATE KEY-----\nMII=\n-----END RSA PRIVATE KEY-----"
    );
    const auto checked = home.run({"check-config", home.config});
    EXPECT_EQ(checked.exit_code, 1);
    EXPECT_THAT(checked.out, HasSubstr("allowlist.yml:2:"));
    EXPECT_THAT(checked.out, HasSubstr("baton.yml:3:16: error: github.private_key: "));
    EXPECT_THAT(checked.out, HasSubstr("it is damaged or cut off"));
}

TEST(CheckConfig, TellsAPublicKeyFromThePrivateOne) {
    const Household home;
    home.folder.write("app.pem", crypto::make_rsa_key_pair().public_pem);
    const auto checked = home.run({"check-config", home.config});
    EXPECT_EQ(checked.exit_code, 1);
    EXPECT_THAT(
        checked.out,
        HasSubstr("baton.yml:3:16: error: github.private_key: is a public key: the private one, "
                  "with \"PRIVATE KEY-----\", is wanted")
    );
}

TEST(CheckConfig, NamesTheLineOfAnAllowlistThatCannotBeRead) {
    const Household home;
    std::filesystem::remove(home.allowlist);
    const auto checked = home.run({"check-config", home.config});
    EXPECT_EQ(checked.exit_code, 1);
    EXPECT_THAT(
        checked.out, HasSubstr("baton.yml:6:34: error: upstreams.allowlist: cannot be read: ")
    );
}

TEST(CheckConfig, RefusesAStoreOfANewerVersion) {
    const Household home;
    home.add("store: sqlite:newer.db\n");
    make_newer_store(home.folder.file("newer.db"));
    const auto checked = home.run({"check-config", home.config});
    EXPECT_EQ(checked.exit_code, 1);
    EXPECT_THAT(checked.out, HasSubstr("baton.yml:7:8: error: store: "));
    EXPECT_THAT(checked.out, HasSubstr("written by a newer Baton"));
}

TEST(CheckConfig, MissesTheFolderOfTheStore) {
    const Household home;
    home.add("store: sqlite:nowhere/baton.db\n");
    const auto checked = home.run({"check-config", home.config});
    EXPECT_EQ(checked.exit_code, 1);
    EXPECT_THAT(checked.out, HasSubstr("baton.yml:7:8: error: store: there is no folder "));
}

TEST(CheckConfig, RefusesTlsFilesThatDoNotWork) {
    const Household home;
    home.folder.write(
        "chain.pem", "-----BEGIN CERTIFICATE-----\nMII=\n-----END CERTIFICATE-----\n"
    );
    home.add("tls: {certificate: {file: chain.pem}, key: {file: app.pem}}\n");
    const auto checked = home.run({"check-config", home.config});
    EXPECT_EQ(checked.exit_code, 1);
    EXPECT_THAT(checked.out, HasSubstr("baton.yml:7:6: error: tls: the TLS certificate"));
}

TEST(CheckConfig, SaysTwoToAFileThatIsNone) {
    const Household home;
    const auto missing = home.run({"check-config", home.folder.file("nothing.yml")});
    EXPECT_EQ(missing.exit_code, 2);
    EXPECT_THAT(missing.out, HasSubstr("nothing.yml: error: cannot be read: "));
    EXPECT_EQ(missing.err, "") << "findings are what was asked for, also this one";

    const auto rubbish = home.run({"check-config", home.folder.write("rubbish.yml", "a: [b")});
    EXPECT_EQ(rubbish.exit_code, 2);
    EXPECT_THAT(rubbish.out, HasSubstr("rubbish.yml:1:"));
}

TEST(CheckConfig, SpeaksJson) {
    const Household home;
    auto good = json_in(home.run({"check-config", "--json", home.config}));
    EXPECT_TRUE(good["ok"].as_bool());
    EXPECT_TRUE(good["findings"].as_array().empty());

    home.add("listne: x\n");
    const auto checked = home.run({"check-config", home.config, "--json"});
    EXPECT_EQ(checked.exit_code, 1);
    auto bad = json_in(checked);
    EXPECT_FALSE(bad["ok"].as_bool());
    auto& finding = bad["findings"].as_array().at(0).as_object();
    EXPECT_EQ(finding["line"].as_int64(), 7);
    EXPECT_EQ(finding["column"].as_int64(), 1);
    EXPECT_EQ(finding["severity"].as_string(), "error");

    const auto missing = home.run({"check-config", home.folder.file("nothing.yml"), "--json"});
    EXPECT_EQ(missing.exit_code, 2);
    EXPECT_FALSE(json_in(missing)["usable"].as_bool());
}

TEST(CheckConfig, NeverPrintsASecret) {
    const Household home;
    home.add("admin_tokens: [{env: BATON_TEST_SECRET}]\nlisten: {env: BATON_TEST_SECRET}\n");
    for (const auto& checked :
         {home.run({"check-config", home.config}), home.run({"check-config", home.config, "--json"})
         }) {
        EXPECT_EQ(checked.exit_code, 1);
        EXPECT_THAT(checked.out + checked.err, Not(HasSubstr(kSecret)));
        EXPECT_THAT(checked.out + checked.err, Not(HasSubstr("PRIVATE KEY")));
    }
}

struct BadInput {
    const char* name;
    std::function<void(const Household&)> spoil;
    const char* sentence;
};

std::vector<BadInput> bad_inputs() {
    return {
        {"a private key that does not parse",
         [](const Household& home) {
             home.folder.write("app.pem", "-----BEGIN EC PRIVATE KEY-----\nMII=\n");
         },
         "baton.yml:3:16: error: github.private_key: the App's private key cannot be used: it is "
         "an "
         "elliptic-curve key"},
        {"a store of a newer version",
         [](const Household& home) { make_newer_store(home.folder.file("baton.db")); },
         "the store was written by a newer Baton (schema 9999"},
        {"an unknown key in the configuration",
         [](const Household& home) { home.add("lsten: x\n"); },
         "baton.yml:7:1: error: unknown key \"lsten\"; did you mean \"listen\"?"},
        {"a secret that nobody set",
         [](const Household& home) { home.add("admin_tokens: [{env: BATON_TEST_UNSET}]\n"); },
         "baton.yml:7:22: error: admin_tokens"},
        {"no configuration at all",
         [](const Household& home) { std::filesystem::remove(home.config); },
         "baton.yml: error: cannot be read: "},
    };
}

TEST(Serve, RefusesBadInputInOneClearSentence) {
    for (const auto& bad : bad_inputs()) {
        SCOPED_TRACE(bad.name);
        const Household home;
        bad.spoil(home);
        const auto served = home.run({"serve", "--port", "0", "--config", home.config});
        EXPECT_EQ(served.exit_code, 2);
        EXPECT_THAT(served.err, HasSubstr(bad.sentence));
        EXPECT_EQ(served.out, "") << "no address before it can serve";
    }
}

TEST(Serve, RefusesAPortInUse) {
    boost::asio::io_context loop;
    const boost::asio::ip::tcp::acceptor taken(
        loop, {boost::asio::ip::address_v4::loopback(), 0}, false
    );
    const auto port = std::to_string(taken.local_endpoint().port());
    const Household home;
    const auto served = home.run({"serve", "--port", port, "--config", home.config});
    EXPECT_EQ(served.exit_code, 2);
    EXPECT_THAT(
        served.err,
        HasSubstr(
            "cannot listen on 127.0.0.1:" + port +
            ": the address is in use; stop the other program or change --port\n"
        )
    );
    EXPECT_EQ(served.out, "");
    EXPECT_FALSE(std::filesystem::exists(home.folder.file("baton.db"))) << "nothing is left behind";

    home.add("listen: \"127.0.0.1:" + port + "\"\n");
    const auto configured = home.run({"serve", "--config", home.config});
    EXPECT_EQ(configured.exit_code, 2);
    EXPECT_THAT(configured.err, HasSubstr("stop the other program or change \"listen\"\n"));
}

TEST(Serve, NamesThePortOptionOfSimAndDemoToo) {
    boost::asio::io_context loop;
    const boost::asio::ip::tcp::acceptor taken(
        loop, {boost::asio::ip::address_v4::loopback(), 0}, false
    );
    const auto port = std::to_string(taken.local_endpoint().port());
    const Household home;
    const auto simulated = baton({"sim", "--public-key", home.key, "--port", port});
    EXPECT_EQ(simulated.exit_code, 2);
    EXPECT_THAT(simulated.err, HasSubstr("or change --host and --port\n"));
    const auto shown = baton({"demo", "--seconds", "1", "--port", port});
    EXPECT_EQ(shown.exit_code, 2);
    EXPECT_THAT(shown.err, HasSubstr("or change --port\n"));
}

TEST(Db, MigratesAStoreThatIsNotThereYet) {
    const TemporaryFolder folder;
    const auto path = folder.file("baton.db");
    const auto looked = baton({"db", "migrate", "--store", path, "--dry-run"});
    EXPECT_EQ(looked.exit_code, 0);
    EXPECT_THAT(looked.out, StartsWith("would apply 0001_"));
    EXPECT_FALSE(std::filesystem::exists(path));

    const auto done = baton({"db", "migrate", "--store", path});
    EXPECT_EQ(done.exit_code, 0);
    EXPECT_THAT(done.out, AllOf(StartsWith("applied 0001_"), HasSubstr("went from schema 0 to ")));

    const auto again = json_in(baton({"db", "migrate", "--store", path, "--json"}));
    EXPECT_TRUE(again.at("steps").as_array().empty());
    EXPECT_EQ(again.at("from"), again.at("to"));
}

TEST(Db, FindsTheStoreThroughAConfigurationWithoutItsSecrets) {
    const Household home;
    make_store(home.folder.file("baton.db"));
    const auto done =
        baton({"db", "migrate", "--config", home.config}); // BATON_TEST_SECRET is unset
    EXPECT_EQ(done.exit_code, 0) << done.err;
    EXPECT_THAT(done.out, EndsWith("nothing to do\n"));
}

TEST(Db, LeavesAStoreAloneThatItDoesNotUnderstand) {
    const TemporaryFolder folder;
    const auto newer = folder.file("newer.db");
    make_newer_store(newer);
    const auto refused = baton({"db", "migrate", "--store", newer});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("written by a newer Baton"));

    const auto rubbish = folder.write("rubbish.db", "this is no database, and long enough to tell");
    EXPECT_EQ(baton({"db", "migrate", "--store", rubbish}).exit_code, 2);
    EXPECT_EQ(slurp(rubbish), "this is no database, and long enough to tell");
}

TEST(Db, WaitsForNobody) {
    const TemporaryFolder folder;
    const auto path = folder.file("baton.db");
    const auto serving = store::SqliteStore::open({.path = path, .now = from_ms(1)});
    ASSERT_TRUE(serving);
    const auto refused = baton({"db", "migrate", "--store", path});
    EXPECT_EQ(refused.exit_code, 2);
    EXPECT_THAT(refused.err, HasSubstr("is serving from this store"));
    EXPECT_EQ(baton({"db", "migrate", "--store", path, "--dry-run"}).exit_code, 0);
}

} // namespace

} // namespace baton::test
