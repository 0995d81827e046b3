#include "baton/base/ids.hpp"
#include "baton/domain/signature.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>

namespace baton::domain {

namespace {

const auto kUpstream = *RepoName::parse("up/stream");

std::string message(std::string_view text) {
    return normal_text(text, Paths::all, kSignatureMessageBytesMax);
}

ClusterId cluster(std::string_view test, std::string_view said) {
    return signature_of(kUpstream, test, said).cluster;
}

TEST(Signatures, LeaveOutWhatChangesFromRunToRun) {
    struct Case {
        std::string_view told;
        std::string_view kept;
    };

    for (const auto& [told, kept] : {
             Case{"", ""},
             Case{"  two   words\t\n", "two words"},
             Case{"took 12 s", "took <n> s"},
             Case{"up to 1e-05 allowed, got 0.0014", "up to <n> allowed, got <n>"},
             Case{"expected -3, got +4.5", "expected <n>, got <n>"},
             Case{"at index (2, 17, 5)", "at index (<n>)"},
             Case{"float32 is not float64", "float<n> is not float<n>"},
             Case{"at 0x7f3a12bc45", "at <hex>"},
             Case{"commit deadbeef01 is gone", "commit <hex> is gone"},
             Case{"the facade decade", "the facade decade"},
             Case{"id 123e4567-e89b-12d3-a456-426614174000!", "id <id>!"},
             Case{"/srv/ann/build-7/a.py:12: bad", "<path>:<n>: bad"},
             Case{"in ../src/a.cpp, and n/a", "in <path>, and n/a"},
             Case{"see https://ci.example/run/7", "see https:<path>"},
             Case{R"(C:\temp\run7\a.txt is gone)", "C:<path> is gone"},
             Case{"Mismatched: 3 / 512 (0.6%)", "Mismatched: <n> / <n> (<n>%)"},
             Case{"on 2026-11-15T13:30:00.123Z", "on <n>-<n>-<n>T<n>:<n>:<n>Z"},
             Case{"on 2026-11-15T13:30:00Z", "on <n>-<n>-<n>T<n>:<n>:<n>Z"},
             Case{"größer als 7", "größer als <n>"},
         }) {
        EXPECT_EQ(message(told), kept) << told;
    }
}

TEST(Signatures, KeepTheFileOfATest) {
    EXPECT_EQ(
        signature_of(kUpstream, "test/inductor/test_ops.py::TestOps::test_add[3-x]", "").text,
        "test/inductor/test_ops.py::TestOps::test_add[<n>-x]"
    );
}

TEST(Signatures, AreTheSameForTheSameFailureElsewhere) {
    const auto here = cluster("t::add[1]", "RuntimeError: at 0x12 in /a/b/c.py\nmore: 1");
    EXPECT_EQ(here, cluster("t::add[27]", "RuntimeError: at 0x99ff in /x/y/c.py\nless: 2"));
    EXPECT_NE(here, cluster("t::mul[1]", "RuntimeError: at 0x12 in /a/b/c.py"));
    EXPECT_NE(here, cluster("t::add[1]", "ValueError: at 0x12 in /a/b/c.py"));
    const auto other = *RepoName::parse("up/other");
    EXPECT_NE(here, signature_of(other, "t::add[1]", "RuntimeError: at 0x12 in /a/b/c.py").cluster);
}

TEST(Signatures, StayTheSameFromReleaseToRelease) {
    EXPECT_EQ(to_text(cluster("t::add", "boom")), "3939fd48ed31ecc7");
}

TEST(Signatures, AreBounded) {
    const auto signature =
        signature_of(kUpstream, std::string(9'000, 'a'), std::string(9'000, 'b'));
    EXPECT_EQ(signature.text.size(), kSignatureTestBytesMax + kSignatureMessageBytesMax + 2);
}

TEST(ClusterNames, ReadBack) {
    const auto id = cluster("t", "m");
    EXPECT_EQ(cluster_named(to_text(id)), id);
    for (const auto* wrong :
         {"", "12", "zzzzzzzzzzzzzzzz", "00C0FFEE00C0FFEE", "-0c0ffee00c0ffee"}) {
        EXPECT_FALSE(cluster_named(wrong)) << wrong;
    }
}

RC_GTEST_PROP(SignatureProperty, AnyTextBecomesOneBoundedLine, (const std::string& told)) {
    const auto kept = message(told);
    RC_ASSERT(kept.size() <= kSignatureMessageBytesMax);
    RC_ASSERT(kept.find_first_of("\n\r\t") == std::string::npos);
}

RC_GTEST_PROP(SignatureProperty, NoDigitIsLeftOfPlainText, ()) {
    const auto told =
        *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ab 07xf/.-:,\n[]()e+")));
    RC_ASSERT(message(told).find_first_of("0123456789") == std::string::npos);
}

} // namespace

} // namespace baton::domain
