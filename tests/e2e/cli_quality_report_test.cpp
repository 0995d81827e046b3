// `baton quality report | badge | diff | bundle | verify`: what they write and print, and what they
// say about input that cannot be used.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "e2e/cli_support.hpp"
#include "support/process.hpp"

namespace baton::test {

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kFolder = BATON_SOURCE_DIR "/examples/quality/tessera-tx1-linux";
const std::string kNow = kFolder + "/2.14.yml";
const std::string kBefore = kFolder + "/2.13.yml";

// The keys of RFC 8032, TEST 1; the other public one is of TEST 2.
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

Finished quality(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "quality");
    return baton(std::move(arguments));
}

TEST(QualityReportCommand, PrintsWhatTheGoldenFilesHold) {
    const std::pair<const char*, const char*> kFormats[]{
        {"text", "report.txt"},
        {"md", "report.md"},
        {"html", "report.html"},
        {"json", "result.json"}
    };
    for (const auto& [format, name] : kFormats) {
        const auto told = quality({"report", kNow, "--format", format});
        EXPECT_EQ(told.exit_code, 0) << told.err;
        EXPECT_EQ(told.out, slurp(BATON_SOURCE_DIR "/tests/golden/quality/" + std::string(name)));
    }
}

TEST(QualityReportCommand, WritesSeveralFormatsIntoAFolder) {
    const TemporaryFolder folder;
    const auto told = quality({"report", kNow, "--format", "md,html", "--out", folder.file("out")});
    EXPECT_EQ(told.exit_code, 0) << told.err;
    EXPECT_THAT(slurp(folder.file("out") + "/report.md"), StartsWith("# Tessera TX1"));
    EXPECT_THAT(slurp(folder.file("out") + "/report.html"), StartsWith("<!doctype html>"));

    const auto nowhere = quality({"report", kNow, "--format", "md,html"});
    EXPECT_EQ(nowhere.exit_code, 2);
    EXPECT_THAT(nowhere.err, HasSubstr("--out DIR"));
}

TEST(QualityReportCommand, RefusesWhatIsNoDayAndWhatIsNoFile) {
    EXPECT_THAT(quality({"report", kNow, "--as-of", "soon"}).err, HasSubstr("\"soon\" is no day"));
    EXPECT_EQ(quality({"report", kNow, "--as-of", "soon"}).exit_code, 2);
    EXPECT_EQ(quality({"report", kFolder + "/none.yml"}).exit_code, 2);
}

TEST(QualityBadgeCommand, TurnsGreyWhenTheEvidenceHasExpired) {
    const auto fresh = quality({"badge", kNow, "--as-of", "2026-10-20"});
    EXPECT_THAT(fresh.out, HasSubstr("<title>PyTorch platform: ◐ Unstable 93/126, P0 5/6</title>"));
    const auto stale = quality({"badge", kNow, "--as-of", "2027-10-20", "--kind", "score"});
    EXPECT_THAT(stale.out, AllOf(HasSubstr("stale: 93/126"), HasSubstr("#57606a")));
    const auto words = json_in(quality({"badge", kNow, "--as-of", "2026-10-20", "--json"}));
    EXPECT_EQ(words.at("rank"), 1);
    EXPECT_EQ(quality({"badge", kNow, "--kind", "colour"}).exit_code, 2);
}

TEST(QualityDiffCommand, SaysLevelsFirstThenItemsWithTheirCause) {
    const auto told = quality({"diff", kBefore, kNow});
    EXPECT_EQ(told.exit_code, 0) << told.err;
    EXPECT_THAT(
        told.out,
        AllOf(
            StartsWith("2.13 -> 2.14\ngrade: Engineering -> Unstable\ndocumented: still Eng"),
            HasSubstr("proven: 81 -> 93 (+12)"),
            HasSubstr("TEST-1  0 -> 2  +2          measurement  13216 of 20184, before 9688 of")
        )
    );
    const auto diff = json_in(quality({"diff", kBefore, kNow, "--json"}));
    EXPECT_EQ(diff.at("schema"), "cpq-diff/1");
    EXPECT_EQ(diff.at("items").at(0).at("item"), "CI-5");
    EXPECT_EQ(diff.at("items").at(0).at("difference"), 4);
    EXPECT_EQ(quality({"diff", kBefore, kFolder + "/none.yml"}).exit_code, 2);
}

/// A copy of the example, and keys.
class QualityBundleCommand : public ::testing::Test {
protected:
    QualityBundleCommand()
        : key_(folder_.write("private.pem", kPrivate))
        , public_(folder_.write("public.pem", kPublic))
        , platform_(folder_.file("platform")) {
        std::filesystem::copy(kFolder, platform_, std::filesystem::copy_options::recursive);
    }

    Finished bundle(const std::string& out) const { return bundle(out, key_); }

    Finished bundle(const std::string& out, const std::string& key) const {
        return quality({"bundle", platform_ + "/2.14.yml", "--out", folder_.file(out), "--key", key}
        );
    }

    Finished verify(const std::string& name) const {
        return quality({"verify", folder_.file(name), "--key", public_});
    }

    TemporaryFolder folder_;
    std::string key_;
    std::string public_;
    std::string platform_;
};

TEST_F(QualityBundleCommand, MakesTheSameBytesThatAreFoundGood) {
    EXPECT_EQ(bundle("one").exit_code, 0);
    const auto again = bundle("two");
    EXPECT_THAT(again.out, HasSubstr("as of 2026-10-20, signed\n"));
    EXPECT_EQ(bundle("two").exit_code, 0) << "over an earlier one";
    const auto same =
        run_command({"/usr/bin/diff", "-r", folder_.file("one"), folder_.file("two")});
    EXPECT_EQ(same.exit_code, 0) << same.out;

    const auto good = verify("one");
    EXPECT_EQ(good.exit_code, 0) << good.out << good.err;
    EXPECT_THAT(
        good.out,
        AllOf(
            HasSubstr("10 files, as they were signed with this key\n"),
            HasSubstr("Unstable: 93 proven, 93 potential, 126 in all; the assessment before is the")
        )
    );
    const auto said = json_in(quality({"verify", folder_.file("one"), "--json"}));
    EXPECT_TRUE(said.at("good").as_bool());
    EXPECT_TRUE(said.at("chained").as_bool());
    EXPECT_EQ(said.at("level"), "Unstable");
}

TEST_F(QualityBundleCommand, SaysWhatWasChangedAndWhoDidNotSign) {
    ASSERT_EQ(bundle("b").exit_code, 0);
    folder_.write("b/ev/2.14/dtypes.xml", "<testsuites/>\n");
    const auto changed = verify("b");
    EXPECT_EQ(changed.exit_code, 1);
    EXPECT_THAT(
        changed.out,
        AllOf(
            HasSubstr("ev/2.14/dtypes.xml was changed"),
            HasSubstr("ev/2.14/dtypes.xml is not the file that was declared")
        )
    );
    ASSERT_EQ(bundle("c").exit_code, 0);
    folder_.write("public.pem", kOtherPublic);
    const auto other = verify("c");
    EXPECT_EQ(other.exit_code, 1);
    EXPECT_THAT(other.out, HasSubstr("was not made with this key"));
    const auto unasked = quality({"verify", folder_.file("c")});
    EXPECT_EQ(unasked.exit_code, 0);
    EXPECT_THAT(unasked.out, HasSubstr("who signed them was not looked at: --key PUBLIC.pem"));
}

TEST_F(QualityBundleCommand, ChecksAFileBesideItsEvidence) {
    const auto file = platform_ + "/2.14.yml";
    EXPECT_EQ(quality({"verify", file}).exit_code, 0);
    const auto unsigned_one = verify("platform/2.14.yml");
    EXPECT_EQ(unsigned_one.exit_code, 1);
    EXPECT_THAT(unsigned_one.out, HasSubstr("there are no signatures in it"));

    // As the guide says: the digest, signed with openssl.
    const auto digest = json_in(quality({"score", file, "--json"})).at("assessment").as_string();
    folder_.write("digest", std::string(digest));
    const auto made = run_command(
        {"/bin/sh",
         "-c",
         "cd \"$0\" && openssl pkeyutl -sign -inkey private.pem -rawin -in digest | base64 -w0",
         folder_.path()}
    );
    ASSERT_EQ(made.exit_code, 0) << made.err;
    std::ofstream(file, std::ios::app)
        << "signatures: [{role: vendor, key: vendor-public.pem, value: \"" << made.out << "\"}]\n";
    const auto good = verify("platform/2.14.yml");
    EXPECT_EQ(good.exit_code, 0) << good.out << good.err;

    std::ofstream(platform_ + "/ev/2.14/dtypes.xml", std::ios::app) << " ";
    const auto changed = verify("platform/2.14.yml");
    EXPECT_EQ(changed.exit_code, 1);
    EXPECT_THAT(changed.out, HasSubstr("is not the file that was declared"));
}

TEST_F(QualityBundleCommand, SignsAnAssessmentAsOftenAsItIsAskedTo) {
    const auto file = platform_ + "/2.14.yml";
    const auto before = slurp(file);
    const auto printed = quality({"sign", file, "--key", key_});
    EXPECT_EQ(printed.exit_code, 0) << printed.err;
    EXPECT_THAT(
        printed.out, StartsWith("signatures:\n  - {role: vendor, key: \"private.pem\", value: \"")
    );
    EXPECT_EQ(slurp(file), before) << "nobody said --write";

    for (const auto* role : {"vendor", "reviewer"}) {
        const auto written = quality({"sign", file, "--key", key_, "--role", role, "--write"});
        EXPECT_EQ(written.exit_code, 0) << written.err;
        EXPECT_EQ(verify("platform/2.14.yml").exit_code, 0) << role;
    }
    EXPECT_THAT(slurp(file), StartsWith(before)) << "not a byte of the rest is touched";
    EXPECT_EQ(
        quality({"verify", file, "--key", folder_.write("other.pem", kOtherPublic)}).exit_code, 1
    );

    const auto flat = before + "signatures: [{role: vendor, key: k, value: \"AA==\"}]\n";
    folder_.write("platform/2.14.yml", flat);
    const auto refused = quality({"sign", file, "--key", key_, "--write"});
    EXPECT_EQ(refused.exit_code, 1) << "only a person can add to that list";
    EXPECT_THAT(refused.err, HasSubstr("add what is printed without --write"));
    EXPECT_EQ(slurp(file), flat);
    EXPECT_EQ(quality({"sign", file, "--key", public_}).exit_code, 2);
    EXPECT_EQ(quality({"sign", file, "--key", key_, "--role", "king"}).exit_code, 2);
}

TEST_F(QualityBundleCommand, FindsAnotherPast) {
    auto text = slurp(platform_ + "/2.13.yml");
    const std::string old = "vendor: ";
    text.replace(text.find(old), old.size(), "vendor: Not ");
    folder_.write("platform/2.13.yml", text);
    const auto told = quality({"verify", platform_ + "/2.14.yml"});
    EXPECT_EQ(told.exit_code, 1);
    EXPECT_THAT(told.out, HasSubstr("the previous assessment of 2.13 is another one"));
    EXPECT_EQ(bundle("b").exit_code, 1) << "and no bundle is made of it";
}

TEST_F(QualityBundleCommand, SaysWhatCannotBeUsed) {
    struct Case {
        const char* name;
        Finished told;
        const char* said;
        int exit_code;
    };

    folder_.write("garbage.pem", "hello");
    std::filesystem::create_directory(folder_.file("mine"));
    folder_.write("mine/mine.txt", "mine");
    const Case cases[]{
        {"no key", bundle("b", folder_.file("garbage.pem")), "PEM", 2},
        {"a folder with other things", bundle("mine"), "name a folder of its own", 2},
        {"no bundle", verify("mine"), "this is no bundle", 2},
        {"nothing there", verify("nothing"), "cannot be read", 2},
        {"no key to verify with",
         quality({"verify", platform_, "--key", folder_.file("none.pem")}),
         "none.pem",
         2},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.name);
        EXPECT_EQ(c.told.exit_code, c.exit_code) << c.told.out;
        EXPECT_THAT(c.told.err, HasSubstr(c.said));
    }
    std::filesystem::remove(platform_ + "/ev/2.14/dtypes.xml");
    const auto missing = bundle("b");
    EXPECT_EQ(missing.exit_code, 1);
    EXPECT_THAT(missing.err, HasSubstr("ev/2.14/dtypes.xml cannot be read"));
    EXPECT_FALSE(std::filesystem::exists(folder_.file("b"))) << "nothing is written";
}

} // namespace

} // namespace baton::test
