// `baton levels bundle | verify | graduate` on a store without a relay: what they write and print,
// and what they say about input that cannot be used.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sql/sql_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "contract/store_fixture.hpp"
#include "e2e/cli_store.hpp"
#include "e2e/cli_support.hpp"
#include "support/run_awaitable.hpp"

namespace baton::test {

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// the keys of RFC 8032, TEST 1 and TEST 2
constexpr const char* kPrivate =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
    "-----END PRIVATE KEY-----\n";
constexpr const char* kPublic = "-----BEGIN PUBLIC KEY-----\n"
                                "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n"
                                "-----END PUBLIC KEY-----\n";
constexpr const char* kOtherPublic =
    "-----BEGIN PUBLIC KEY-----\n"
    "MCowBQYDK2VwAyEAPUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=\n"
    "-----END PUBLIC KEY-----\n";

const TimePoint kAsOf = *parse_rfc3339("2027-01-16T00:00:00Z"); // a day after at(0)

/// The verdict of an evaluation that proposes the next level, as it is kept.
constexpr const char* kVerdict =
    R"({"as_of":"2027-01-16T00:00:00.000Z","standing":{"listed":"L2","effective":"L2","state":"ok",)"
    R"("since":"2027-01-16T00:00:00.000Z","as_of":"2027-01-16T00:00:00.000Z","violated":0,"clean":2,"ready":2,)"
    R"("temporaries":[],"raised_at":null,"lowered_at":null,"proposal":{"from":"L2","to":"L3",)"
    R"("since":"2027-01-16T00:00:00.000Z","reason":"every criterion of L3 is met"}},"violated":false,)"
    R"("insufficient":false,"ready_for":"L3","earliest":null,"forecast":"","demotion":[],"next":[],"transitions":[]})";

/// A downstream that was sent one event and evaluated once.
class LevelsCommand : public ::testing::Test {
protected:
    LevelsCommand()
        : store_(place_.open(at(0))) {
        EXPECT_TRUE(run_awaitable(store_->record_allowlist({
            .upstream = upstream(),
            .source = "github:up/lists/ci/allowlist.yml@main",
            .mark = "1",
            .text = "L2:\n  - org/good: {device: npu}\nL3:\n  npu:\n    org/secret: {visibility: "
                    "private}\n",
            .in_force_at = at(0),
        })));
        static_cast<void>(value(store_->insert_delivery(a_delivery("first", at(1)))));
        auto plan = a_plan("first", {a_dispatch("first", "org/good")}, at(1));
        plan.plan.pull_request = a_pull_request("aaaa");
        static_cast<void>(value(store_->commit_plan(std::move(plan))));
        const auto leased = value(store_->lease(a_lease("org/good", 1, at(2))));
        EXPECT_EQ(leased.size(), 1U);
        static_cast<void>(
            value(store_->settle(ended(leased.at(0).lease, domain::DispatchState::sent, at(3))))
        );
        key_ = folder_.write("private.pem", kPrivate);
        public_ = folder_.write("public.pem", kPublic);
    }

    template <class T> static T value(boost::asio::awaitable<Result<T>> work) {
        return run_awaitable(std::move(work)).value();
    }

    void evaluate() {
        ports::LadderOutcome outcome{.downstream = repo("org/good")};
        outcome.standing = {.listed = domain::Level::l2, .effective = domain::Level::l2};
        outcome.standing.since = kAsOf;
        outcome.standing.as_of = kAsOf;
        outcome.evaluation = ports::KeptEvaluation{
            .upstream = upstream(),
            .downstream = repo("org/good"),
            .as_of = kAsOf,
            .profile = "baton/1",
            .verdict = kVerdict,
            .digest = std::string(64, 'd'),
        };
        ports::LadderCommit commit{.upstream = upstream(), .as_of = kAsOf};
        commit.outcomes.push_back(std::move(outcome));
        commit.now = kAsOf;
        ASSERT_TRUE(run_awaitable(store_->levels().commit(std::move(commit))));
    }

    Finished bundle(const std::string& out, std::vector<std::string> more = {}) const {
        more.insert(
            more.begin(),
            {"levels", "bundle", "org/good", "--store", place_.text(), "--out", folder_.file(out)}
        );
        return baton(std::move(more));
    }

    Finished verify(const std::string& out, std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {"levels", "verify", folder_.file(out), "--key", public_});
        return baton(std::move(more));
    }

    std::string file_of(const std::string& out, const std::string& name) const {
        return slurp(folder_.file(out) + "/" + name);
    }

    TemporaryFolder folder_;
    StorePlace place_;
    std::unique_ptr<store::SqlStore> store_;
    std::string key_;
    std::string public_;
};

TEST_F(LevelsCommand, ABundleIsMadeSignedAndVerified) {
    evaluate();
    const auto made = bundle("b", {"--key", key_, "--url", "https://baton.example/"});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    EXPECT_THAT(made.out, HasSubstr("as of 2027-01-16T00:00:00.000Z, signed\n"));
    EXPECT_THAT(file_of("b", "verdict.md"), HasSubstr("# org/good: from L2 to L3\n"));
    EXPECT_THAT(
        file_of("b", "allowlist.patch"),
        AllOf(HasSubstr("+++ b/ci/allowlist.yml\n"), HasSubstr("+    org/good: {device: npu}\n"))
    );
    EXPECT_THAT(file_of("b", "events.csv"), HasSubstr("https://baton.example/pr/Up/Stream/7\r\n"));
    const auto verified = verify("b");
    EXPECT_EQ(verified.exit_code, 0) << verified.out << verified.err;
    EXPECT_THAT(verified.out, HasSubstr(": 8 files, as they were signed with this key\n"));
}

TEST_F(LevelsCommand, ABundleMadeAgainIsTheSame) {
    evaluate();
    EXPECT_EQ(bundle("one", {"--key", key_}).exit_code, 0);
    EXPECT_EQ(bundle("two", {"--key", key_, "--as-of", "2027-01-16"}).exit_code, 0);
    EXPECT_EQ(bundle("two", {"--key", key_}).exit_code, 0) << "over an earlier one";
    for (const auto* name :
         {"allowlist.patch",
          "chart.svg",
          "digests.txt",
          "events.csv",
          "exclusions.md",
          "signature",
          "verdict.json",
          "verdict.md"}) {
        EXPECT_NE(file_of("one", name), "") << name;
        EXPECT_EQ(file_of("one", name), file_of("two", name)) << name;
    }
}

TEST_F(LevelsCommand, OpensslAndSha256sumTakeABundle) {
    evaluate();
    EXPECT_EQ(bundle("b", {"--key", key_}).exit_code, 0);
    const auto in_folder = [this](const std::string& command) {
        return run_command({"/bin/sh", "-c", "cd \"" + folder_.file("b") + "\" && " + command}, {});
    };
    EXPECT_EQ(in_folder("sha256sum -c digests.txt").exit_code, 0);
    const auto checked = in_folder(
        "openssl pkeyutl -verify -pubin -inkey ../public.pem -rawin -in digests.txt -sigfile "
        "signature"
    );
    EXPECT_EQ(checked.exit_code, 0) << checked.out << checked.err;
}

TEST_F(LevelsCommand, VerifySaysWhatDiffers) {
    evaluate();
    EXPECT_EQ(bundle("b", {"--key", key_}).exit_code, 0);
    folder_.write("b/events.csv", "dispatch\r\n");
    folder_.write("b/more.txt", "x");
    std::filesystem::remove(folder_.file("b") + "/chart.svg");
    const auto told = verify("b", {"--json"});
    EXPECT_EQ(told.exit_code, 1);
    const auto said = json_in(told);
    EXPECT_FALSE(said.at("good").as_bool());
    EXPECT_EQ(said.at("differences").as_array().size(), 3U);
    EXPECT_EQ(said.at("differences").at(0).as_string(), "chart.svg is missing");

    folder_.write("public.pem", kOtherPublic);
    EXPECT_THAT(verify("b").out, HasSubstr("was not made with this key\n"));
}

TEST_F(LevelsCommand, AnUnsignedBundleSaysSo) {
    evaluate();
    const auto made = bundle("b");
    EXPECT_THAT(made.out, HasSubstr("not signed: --key PRIVATE.pem signs it\n"));
    const auto told = verify("b");
    EXPECT_EQ(told.exit_code, 1);
    EXPECT_THAT(told.out, HasSubstr("it is not signed"));
}

TEST_F(LevelsCommand, BundleAsksForAnEvaluation) {
    const auto never = bundle("b");
    EXPECT_EQ(never.exit_code, 1);
    EXPECT_THAT(never.err, HasSubstr("org/good was never evaluated"));
    evaluate();
    const auto other = bundle("b", {"--as-of", "2027-01-15"});
    EXPECT_EQ(other.exit_code, 1);
    EXPECT_THAT(other.err, HasSubstr("was not evaluated as of 2027-01-15T00:00:00.000Z"));
    EXPECT_FALSE(std::filesystem::exists(folder_.file("b")));
}

TEST_F(LevelsCommand, RefusesWhatItCannotUse) {
    evaluate();
    std::filesystem::create_directories(folder_.file("other"));
    folder_.write("other/mine.txt", "x");
    folder_.write("garbage.pem", "hello");

    const struct {
        const char* name;
        Finished got;
        const char* says;
    } cases[] = {
        {"a folder with other things", bundle("other"), "holds mine.txt: name a folder of its own"},
        {"no key", bundle("b", {"--key", folder_.file("garbage.pem")}), "it is not in PEM form"},
        {"the wrong half", bundle("b", {"--key", public_}), "the private one signs"},
        {"no day", bundle("b", {"--as-of", "yesterday"}), "\"yesterday\" is no day"},
        {"no length", bundle("b", {"--day", "long"}), "--day: \"long\" is no length"},
        {"other days", bundle("b", {"--day", "7h"}), "00:00.000Z, when no day of 7h begins"},
        {"no bundle", verify("other"), "there is no digests.txt: this is no bundle"},
        {"no folder", verify("nowhere"), "No such file"},
        {"no repository",
         baton({"levels", "bundle", "good", "--store", place_.text(), "--out", "x"}),
         "good is not OWNER/REPO"},
    };

    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(c.got.exit_code, 2);
        EXPECT_EQ(c.got.out, "");
        EXPECT_THAT(c.got.err, HasSubstr(c.says));
    }
    const auto unknown =
        baton({"levels", "bundle", "org/god", "--store", place_.text(), "--out", folder_.file("x")}
        );
    EXPECT_EQ(unknown.exit_code, 1);
    EXPECT_THAT(unknown.err, HasSubstr("did you mean org/good?"));
}

TEST_F(LevelsCommand, GraduateSaysThatThereIsTooLittle) {
    const auto told = baton({"levels", "graduate", "org/good", "--store", place_.text(), "--json"});
    EXPECT_EQ(told.exit_code, 1) << told.err;
    const auto said = json_in(told);
    EXPECT_TRUE(said.at("ready").is_null());
    EXPECT_EQ(said.at("nightlies").as_int64(), 0);
    const auto text =
        baton({"levels", "graduate", "org/good", "--store", place_.text(), "--as-of", "2027-01-16"}
        );
    EXPECT_EQ(text.exit_code, 1);
    EXPECT_THAT(
        text.out,
        AllOf(
            HasSubstr("org/good for Up/Stream, 2026-12-17 until 2027-01-16\n"),
            HasSubstr("too few nightlies to tell; the list decides (role: publisher)\n")
        )
    );
}

} // namespace
} // namespace baton::test
