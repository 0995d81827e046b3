// `baton quality lint`: the code, the line and the column of what is wrong, and how it leaves.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "e2e/cli_support.hpp"
#include "support/process.hpp"

namespace baton::test {

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

const std::string kExample = BATON_SOURCE_DIR "/examples/quality/tessera-tx1-linux";

Finished quality(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "quality");
    return baton(std::move(arguments));
}

/// One edit of the example, and what lint says where.
struct Broken {
    const char* code;
    std::string old;
    std::string made;
    std::string at; // begins in `made` where the finding points to
    const char* says;
};

/// `LINE:COLUMN` of an offset, both from 1.
std::string place_of(const std::string& text, std::size_t offset) {
    std::size_t line = 1;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < offset; ++i) {
        if (text[i] == '\n') {
            ++line;
            begin = i + 1;
        }
    }
    return std::to_string(line) + ":" + std::to_string(offset - begin + 1);
}

/// A copy of the example that may be spoiled.
class QualityLintCommand : public ::testing::Test {
protected:
    QualityLintCommand() {
        std::filesystem::copy(
            kExample, folder_.file("p"), std::filesystem::copy_options::recursive
        );
        file_ = folder_.file("p/2.14.yml");
        whole_ = slurp(file_);
    }

    /// The place in the spoiled file at which `broken.at` stands.
    std::string spoil(const Broken& broken) {
        auto text = whole_;
        const auto found = text.find(broken.old);
        EXPECT_NE(found, std::string::npos) << broken.old;
        text.replace(found, broken.old.size(), broken.made);
        folder_.write("p/2.14.yml", text);
        return place_of(text, found + broken.made.find(broken.at));
    }

    TemporaryFolder folder_;
    std::string file_;
    std::string whole_;
};

TEST_F(QualityLintCommand, NamesCodeLineAndColumnAndLeavesWithOne) {
    const std::vector<Broken> kBroken{
        {"Q001", "  HW-1: {", "  HW-9: {", "HW-9", "has no item HW-9"},
        {"Q001", "  HW-1: {claim: met, ev: [buy]}\n", "", "", "item HW-1 is missing"},
        {"Q002", "HW-1: {claim: met, ev: [buy]}", "HW-1: {claim: met}", "{", "without evidence"},
        {"Q003", "ev: [buy]", "ev: [bye]", "bye", "evidence \"bye\" is not declared"},
        {"Q004", "parts: [native]", "parts: [nativ]", "nativ]", "no part \"nativ\""},
        {"Q004",
         "TEST-1: {claim: measured, value: {num: 13216,",
         "TEST-1: {claim: measured, value: {num: 23216,",
         "{num",
         "num 23216 is more than den 20184"},
        {"Q005",
         "TEST-1: {claim: measured, value: {num",
         "TEST-1: {claim: met, value: {num",
         "{num",
         "met, but its value earns 2 of 6"},
        {"Q006",
         "TEST-5: {claim: met, ev: [ut]}",
         "TEST-5: {claim: exempt, reason: not ours}",
         "{",
         "exempt, but targets has distributed"},
        {"Q007", "ev/2.14/smoke-3env.xml", "ev/2.14/none.xml", "", "cannot be read"},
        {"Q007", "sha256: \"e284d3d5", "sha256: \"f284d3d5", "", "is not the file"},
        {"Q040", "HW-1: {claim: met", "HW-1: {clam: met", "clam", "did you mean \"claim\""},
        {"Q040", "class: accelerator", "class: gpu", "gpu", "accelerator"},
    };
    for (const auto& broken : kBroken) {
        SCOPED_TRACE(std::string(broken.code) + ": " + broken.made);
        const auto place = spoil(broken);
        const auto told = quality({"lint", file_});
        EXPECT_EQ(told.exit_code, 1) << told.out << told.err;
        EXPECT_THAT(
            told.out,
            AllOf(HasSubstr(": error: " + std::string(broken.code)), HasSubstr(broken.says))
        );
        if (!broken.at.empty()) {
            EXPECT_THAT(
                told.out, HasSubstr(file_ + ":" + place + ": error: " + std::string(broken.code))
            );
        }
        EXPECT_NE(json_in(quality({"lint", file_, "--json"})).at("ok"), true);
    }
}

TEST_F(QualityLintCommand, TellsTheSamePlaceInEveryFormat) {
    spoil({"Q003", "ev: [buy]", "ev: [bye]", "bye", ""});
    const auto found =
        json_in(quality({"lint", file_, "--json"})).at("files").at(0).at("findings").as_array();
    const boost::json::object* undeclared = nullptr;
    for (const auto& one : found) {
        if (one.at("code") == "Q003" && one.at("severity") == "error") {
            undeclared = &one.as_object();
        }
    }
    ASSERT_NE(undeclared, nullptr);
    const auto line = std::to_string(undeclared->at("line").as_int64());
    const auto column = std::to_string(undeclared->at("column").as_int64());
    EXPECT_THAT(
        quality({"lint", file_, "--format", "github"}).out,
        HasSubstr("::error file=" + file_ + ",line=" + line + ",col=" + column + "::Q003")
    );
    const auto sarif = json_in(quality({"lint", file_, "--format", "sarif"}));
    const auto& run = sarif.at("runs").at(0);
    bool told = false;
    for (const auto& result : run.at("results").as_array()) {
        const auto& region =
            result.at("locations").at(0).at("physicalLocation").at("region").as_object();
        told = told || (result.at("ruleId") == "Q003" && result.at("level") == "error" &&
                        region.at("startLine") == undeclared->at("line") &&
                        region.at("startColumn") == undeclared->at("column"));
    }
    EXPECT_TRUE(told);
}

TEST_F(QualityLintCommand, ReadsWhateverBytesAndNeverDies) {
    const std::pair<std::string, int> kFiles[]{
        {"a: [\n", 2},
        {"\xff\xfe\x00", 2},
        {"a: b: c\n", 2},
        {"", 1},
        {"7\n", 1},
        {"- a\n", 1},
        {"schema: cpq-assessment/2\n", 1},
        {"a: &x [*x]\n", 1},
    };
    for (const auto& [bytes, exit_code] : kFiles) {
        SCOPED_TRACE(bytes);
        folder_.write("p/2.14.yml", bytes);
        for (const auto* verb : {"lint", "score", "gap", "report", "badge", "verify", "history"}) {
            const auto told = quality({verb, file_});
            EXPECT_EQ(told.exit_code, exit_code) << verb << told.out << told.err;
            EXPECT_THAT(told.out + told.err, Not(IsEmpty())) << verb;
        }
    }
}

/// Nothing outside this machine is asked: the links lead to it, which is refused unasked.
class QualityLinks : public ::testing::Test {
protected:
    QualityLinks() {
        auto text = quality({"init", "--platform", "p", "--release", "2.14"}).out;
        const std::string none = "evidence: {}";
        const std::string unknown = "  HW-1: {claim: unknown}";
        text.replace(
            text.find(none),
            none.size(),
            "evidence:\n  shop: {type: url, url: \"https://127.0.0.1/shop\", captured: 2026-10-10}"
        );
        text.replace(text.find(unknown), unknown.size(), "  HW-1: {claim: met, ev: [shop]}");
        file_ = folder_.write("a.yml", text);
        notes_ = folder_.file("links.json");
    }

    void write_notes(const std::string& more) {
        folder_.write(
            "links.json",
            R"({"schema": "cpq-links/1", "links": [{"url": "https://127.0.0.1/shop", )"
            R"("checked": "2026-10-10T00:00:00Z", "open": false, "detail": "status 500", "text": "", )" +
                more + "}]}"
        );
    }

    TemporaryFolder folder_;
    std::string file_;
    std::string notes_;
};

TEST_F(QualityLinks, AreTriedWhenAskedForAndDeadAfterADay) {
    EXPECT_THAT(quality({"lint", file_}).err, IsEmpty()) << "nobody asked";
    const auto first = quality({"lint", file_, "--links", notes_});
    EXPECT_THAT(first.err, HasSubstr("https://127.0.0.1/shop: it cannot be reached from outside"));
    EXPECT_THAT(first.err, HasSubstr("1 of 1 link did not open"));
    EXPECT_THAT(first.out, Not(HasSubstr("Q012"))) << "one failure is a bad day";
    EXPECT_THAT(slurp(notes_), StartsWith("{\n  \"schema\": \"cpq-links/1\""));

    write_notes(R"("closed_since": "2026-10-08T00:00:00Z")");
    const auto second = quality({"lint", file_, "--links", notes_});
    EXPECT_EQ(second.exit_code, 0) << "a warning";
    EXPECT_THAT(second.out, HasSubstr("Q012: shop: its link is dead since 2026-10-08"));
    EXPECT_THAT(slurp(notes_), HasSubstr("\"closed_since\": \"2026-10-08T00:00:00.000Z\""));
}

TEST_F(QualityLinks, AreJudgedByTheNotesAloneWhenOffline) {
    write_notes(R"("closed_since": "2026-10-08T00:00:00Z")");
    const auto notes = slurp(notes_);
    const auto told = quality({"lint", file_, "--links", notes_, "--offline"});
    EXPECT_THAT(told.out, HasSubstr("Q012: shop: its link is dead since 2026-10-08: status 500"));
    EXPECT_EQ(slurp(notes_), notes);
    write_notes(R"("login": true)");
    EXPECT_THAT(
        quality({"lint", file_, "--links", notes_, "--offline", "--strict"}).out,
        HasSubstr("Q012: shop: its link leads to a login")
    );
}

TEST_F(QualityLinks, NeedNotesThatCanBeUsed) {
    EXPECT_EQ(quality({"lint", file_, "--offline"}).exit_code, 2);
    EXPECT_EQ(quality({"lint", file_, "--offline", "--links", notes_}).exit_code, 2);
    EXPECT_EQ(quality({"lint", file_, "--links", file_}).exit_code, 2) << "that is no notes";
    EXPECT_EQ(quality({"lint", file_, "--links", folder_.file("no/links.json")}).exit_code, 2);
}

} // namespace

} // namespace baton::test
