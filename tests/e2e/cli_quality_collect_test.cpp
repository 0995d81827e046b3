// `baton quality collect` on a store without a relay: what it measures, writes and refuses.

#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/sql/sql_store.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "contract/results_fixture.hpp"
#include "contract/store_fixture.hpp"
#include "e2e/cli_store.hpp"
#include "e2e/cli_support.hpp"
#include "support/run_awaitable.hpp"

namespace baton::test {

namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

// the key of RFC 8032, TEST 1
constexpr const char* kPrivate =
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
    "-----END PRIVATE KEY-----\n";
constexpr const char* kPublic = "-----BEGIN PUBLIC KEY-----\n"
                                "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n"
                                "-----END PUBLIC KEY-----\n";

const TimePoint kAsOf = *parse_rfc3339("2026-10-12T00:00:00Z");
constexpr const char* kDay = "2026-10-12";

std::string bytes_of(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// A relay's store in which acme/backend passed a nightly on each of 40 days, with tests told, and
/// files of 120 tests of which 100 pass.
class CollectCommand : public ::testing::Test {
protected:
    CollectCommand()
        : store_(place_.open(kAsOf - 24h * 41)) {
        EXPECT_TRUE(run_awaitable(store_->record_allowlist({
            .upstream = upstream(),
            .source = "file:list.yml",
            .mark = "1",
            .text = "L3:\n  npu:\n    acme/backend: {oncalls: [alice]}\n",
            .in_force_at = kAsOf - 24h * 41,
        })));
        for (int i = 40; i > 0; --i) {
            nightly(fmt::format("n{}", i), kAsOf - 24h * i + 2h);
        }
        assessment_ = folder_.write("2.14.yml", made_assessment());
        std::string baseline = "# cpq-baseline/1 pytorch 2.14 hardware ACCELERATOR\n";
        std::string junit = "<testsuite name=\"all\" timestamp=\"2026-10-09T01:00:00\">\n";
        for (int i = 100; i < 220; ++i) {
            baseline += fmt::format("unit\ttest/t.py::T<DEV>::test_{}_<dev>\n", i);
            junit += fmt::format(
                "<testcase file=\"test/t.py\" classname=\"TNPU\" "
                "name=\"test_{}_npu\">{}</testcase>\n",
                i,
                i < 200 ? "" : "<failure/>"
            );
        }
        baseline_ = folder_.write("2.14.tsv", baseline);
        junit_ = folder_.write("results.xml", junit + "</testsuite>\n");
        marks_ = folder_.write("marks.txt", "# flaky\ntest/t.py::TNPU::test_100_npu\n");
        key_ = folder_.write("relay.pem", kPrivate);
    }

    /// Sent, begun and ended an hour later.
    void nightly(const std::string& id, TimePoint when) {
        auto delivery = a_delivery(id, when);
        delivery.event = "baton_nightly";
        delivery.action = "";
        delivery.pr = {};
        delivery.head = HeadSha(id + "-head");
        EXPECT_TRUE(run_awaitable(store_->insert_delivery(delivery)));
        auto dispatch = a_dispatch(id, "acme/backend");
        dispatch.event_type = "nightly";
        dispatch.pr = {};
        dispatch.head = delivery.head;
        EXPECT_TRUE(run_awaitable(store_->commit_plan(a_plan(id, {dispatch}, when))));
        auto leased = run_awaitable(store_->lease(a_lease("acme/backend", 1, when)));
        ASSERT_TRUE(leased && leased->size() == 1);
        EXPECT_TRUE(run_awaitable(
            store_->settle(ended(leased->front().lease, domain::DispatchState::sent, when))
        ));
        auto report = an_end(domain::Conclusion::success, id);
        report.tests = domain::TestCounts{.passed = 50, .failed = 0, .skipped = 0, .total = 50};
        EXPECT_TRUE(run_awaitable(
            store_->record_report(a_commit(leased->front().dispatch, report, when + 1h))
        ));
    }

    /// As `init` writes it, for the platform of the store.
    static std::string made_assessment() {
        auto text = baton({"quality", "init", "--platform", "acme-linux", "--release", "2.14"}).out;
        const auto put = [&text](const std::string& before, const std::string& line) {
            const auto at = text.find(before);
            EXPECT_NE(at, std::string::npos) << before;
            text.insert(at, line);
        };
        put("  targets:", "  backend: {kind: privateuse1, device: npu, repo: acme/backend}\n");
        const auto assessed = text.find("assessed:");
        text.replace(
            assessed, text.find('\n', assessed) - assessed, "assessed: {on: 2026-10-20, by: []}"
        );
        return text;
    }

    Finished collect(std::vector<std::string> more = {}, const std::string& repo = "acme/backend") {
        std::vector<std::string> all{
            "quality", "collect", "--store", place_.text(), "--repo", repo, "--as-of", kDay
        };
        all.insert(all.end(), more.begin(), more.end());
        all.push_back(assessment_);
        return baton(all);
    }

    std::vector<std::string> with_tests(std::vector<std::string> more = {}) const {
        more.insert(more.end(), {"--junit", junit_, "--baseline", baseline_, "--marks", marks_});
        return more;
    }

    TemporaryFolder folder_;
    StorePlace place_;
    std::unique_ptr<store::SqlStore> store_;
    std::string assessment_;
    std::string baseline_;
    std::string junit_;
    std::string marks_;
    std::string key_;
};

} // namespace

TEST_F(CollectCommand, WritesWhatLintFindsGoodAndScoreCounts) {
    const auto told = collect(with_tests({"--write", "--key", key_}));
    ASSERT_EQ(told.exit_code, 0) << told.err;
    EXPECT_THAT(told.out, HasSubstr("TEST-1: measured, was unknown"));
    const auto linted = baton({"quality", "lint", "--strict", assessment_});
    EXPECT_EQ(linted.exit_code, 0) << linted.out;
    const auto score = json_in(baton({"quality", "score", assessment_, "--json"}));
    EXPECT_EQ(score.at("proven"), 16); // TEST-1 83 %: 4, CI-3: 4, CI-4: 4, CI-5: 4
    const auto text = bytes_of(assessment_);
    EXPECT_THAT(
        text,
        AllOf(
            HasSubstr(
                "TEST-1: {claim: measured, value: {num: 100, den: 120}, ev: [relay-2026-10-12-"
            ),
            HasSubstr("CI-4: {claim: measured, value: {num: 1, den: 120}"),
            HasSubstr("CI-5: {claim: measured, value: {max_recovery_h: 0, outages: 0}"),
            HasSubstr("relay_level: 3"),
            HasSubstr("flaky_observed: {num: 0, den: 50}")
        )
    );
    const auto again = collect(with_tests({"--write", "--key", key_}));
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(bytes_of(assessment_), text); // nothing is unknown any more
}

TEST_F(CollectCommand, WritesTheSameBytesEachTimeAndTheyVerify) {
    const auto first = folder_.file("first");
    const auto second = folder_.file("second");
    ASSERT_EQ(collect(with_tests({"--out", first, "--key", key_})).exit_code, 0);
    ASSERT_EQ(collect(with_tests({"--out", second, "--key", key_})).exit_code, 0);
    for (const auto* name : {"metrics.json", "digests.txt", "signature"}) {
        const auto bytes = bytes_of(std::filesystem::path(first) / name);
        EXPECT_FALSE(bytes.empty()) << name;
        EXPECT_EQ(bytes, bytes_of(std::filesystem::path(second) / name)) << name;
    }
    const auto key = folder_.write("relay-public.pem", kPublic);
    const auto verified = baton({"quality", "verify", first, "--key", key});
    EXPECT_EQ(verified.exit_code, 0) << verified.err;
    EXPECT_THAT(
        verified.out,
        AllOf(
            HasSubstr("of acme/backend as of 2026-10-12, as they were signed with this key"),
            HasSubstr("100 of 120")
        )
    );
    std::ofstream(std::filesystem::path(first) / "metrics.json", std::ios::app) << " ";
    const auto changed = baton({"quality", "verify", first, "--key", key, "--json"});
    EXPECT_EQ(changed.exit_code, 1);
    EXPECT_EQ(json_in(changed).at("good"), false);
}

TEST_F(CollectCommand, PrintsWhatToAddAndLeavesTheFileAlone) {
    const auto before = bytes_of(assessment_);
    const auto told = collect();
    EXPECT_EQ(told.exit_code, 0) << told.err;
    EXPECT_THAT(
        told.out,
        AllOf(
            HasSubstr("  CI-3: {claim: measured, value: {num: 30, den: 30}"),
            HasSubstr("digest: \""),
            HasSubstr("# CI-2: insufficient: 0 pull requests were merged, at least 20 are needed"),
            HasSubstr("# CI-4: insufficient: which tests are marked is not known"),
            Not(HasSubstr("TEST-1"))
        )
    );
    EXPECT_EQ(bytes_of(assessment_), before);
}

TEST_F(CollectCommand, KeepsWhatWasClaimedByHandAndSaysWhatDiffers) {
    auto text = bytes_of(assessment_);
    const std::string unknown = "  CI-5: {claim: unknown}";
    text.replace(
        text.find(unknown), unknown.size(), "  CI-5: {claim: unmet, plan: more machines} # by hand"
    );
    folder_.write("2.14.yml", text);
    const auto told = collect({"--write", "--json"});
    ASSERT_EQ(told.exit_code, 0) << told.err;
    EXPECT_EQ(
        json_in(told).at("differs").at(0),
        "CI-5: claimed unmet, measured max_recovery_h 0, outages 0"
    );
    EXPECT_THAT(
        bytes_of(assessment_), HasSubstr("  CI-5: {claim: unmet, plan: more machines} # by hand\n")
    );
}

TEST_F(CollectCommand, SaysWhatCannotBeUsed) {
    const auto unlisted = collect({}, "acme/backand");
    EXPECT_EQ(unlisted.exit_code, 1);
    EXPECT_THAT(unlisted.err, HasSubstr("acme/backend"));
    EXPECT_EQ(collect({}, "backend").exit_code, 2);
    EXPECT_EQ(collect({"--baseline", folder_.file("none.tsv")}).exit_code, 2);
    const auto other = folder_.write("2.13.tsv", "# cpq-baseline/1 pytorch 2.13 hardware A\n");
    const auto mismatch = collect({"--baseline", other});
    EXPECT_EQ(mismatch.exit_code, 1);
    EXPECT_THAT(mismatch.err, HasSubstr("is the baseline of 2.13, the assessment is of 2.14"));
    const auto broken = collect({"--junit", folder_.write("broken.xml", "<testsuite><")});
    EXPECT_EQ(broken.exit_code, 1);
    EXPECT_THAT(broken.err, HasSubstr("broken.xml: offset"));
    EXPECT_EQ(collect({"--junit", folder_.file("none.xml")}).exit_code, 2);
    const auto future = baton(
        {"quality",
         "collect",
         "--store",
         place_.text(),
         "--repo",
         "acme/backend",
         "--as-of",
         "9999-01-01",
         assessment_}
    );
    EXPECT_EQ(future.exit_code, 2);
    EXPECT_THAT(future.err, HasSubstr("9999-01-01 is still to come"));
    const auto no_day = baton(
        {"quality",
         "collect",
         "--store",
         place_.text(),
         "--repo",
         "acme/backend",
         "--as-of",
         "soon",
         assessment_}
    );
    EXPECT_EQ(no_day.exit_code, 2);
    EXPECT_EQ(collect({"--key", junit_}).exit_code, 2);
}

} // namespace baton::test
