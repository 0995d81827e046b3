#include "baton/crypto/ed25519.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/quality/assessment.hpp"
#include "baton/quality/metric.hpp"
#include "baton/wire/bundle_files.hpp"
#include "baton/wire/metrics_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace baton::wire {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

quality::Snapshot snapshot() {
    quality::Metric metric{
        .name = "ci_outages",
        .formula = "f",
        .num = 3,
        .den = 7,
        .n = 21,
        .least = 20,
        .window =
            {.from = *quality::parse_day("2026-09-12"), .to = *quality::parse_day("2026-10-12")},
        .figures =
            {{"outages", *quality::parse_amount("2")},
             {"max_recovery_h", *quality::parse_amount("41.5")}},
        .verdict = quality::MetricVerdict::pending,
        .reason = "an \"outage\" lasts",
        .rows = {"a", "b"},
    };
    return {
        .repo = "acme/backend",
        .upstream = "up/stream",
        .as_of = *quality::parse_day("2026-10-12"),
        .relay_level = 3,
        .baseline = {},
        .files = {{.name = "a\xff.xml", .sha256 = "00", .hardware = "TX1"}},
        .metrics = {metric},
        .reporting = {"distributed"},
    };
}

} // namespace

TEST(MetricsJson, HasFixedKeysAndNoTimeButItsOwn) {
    EXPECT_EQ(
        metrics_json(snapshot()),
        R"({
  "schema": "cpq-metrics/1",
  "repo": "acme/backend",
  "upstream": "up/stream",
  "as_of": "2026-10-12",
  "relay_level": 3,
  "baseline": "",
  "reporting": ["distributed"],
  "files": [
    {"name": "a�.xml", "sha256": "00", "hardware": "TX1"}],
  "metrics": [
    {"metric": "ci_outages", "formula": "f", "num": 3, "den": 7, "n": 21, "least": 20, "window": "2026-09-12/2026-10-12", "figures": {"max_recovery_h": "41.5", "outages": "2"}, "verdict": "pending", "reason": "an \"outage\" lasts", "rows": 2, "digest": ")" +
            crypto::sha256_hex("a\nb\n") + "\"}]\n}\n"
    );
}

TEST(MetricsJson, ReadsBackWhatPeopleLookAt) {
    const auto summary = read_metrics(metrics_json(snapshot()));
    ASSERT_TRUE(summary) << summary.error().detail;
    EXPECT_EQ(summary->repo, "acme/backend");
    EXPECT_EQ(summary->as_of, "2026-10-12");
    ASSERT_EQ(summary->lines.size(), 1U);
    EXPECT_EQ(summary->lines[0].metric, "ci_outages");
    EXPECT_EQ(summary->lines[0].verdict, "pending");
    EXPECT_EQ(summary->lines[0].den, 7);
}

TEST(MetricsJson, SaysWhatASnapshotLacks) {
    for (const auto& [text, says] : {
             std::pair{"[]", ""},
             std::pair{R"({"schema": "cpq-metrics/2"})", "/schema: expected cpq-metrics/1"},
             std::pair{R"({"schema": "cpq-metrics/1"})", "/repo"},
             std::pair{R"({"schema":"cpq-metrics/1","repo":"a","as_of":"b"})", "/metrics"},
             std::pair{
                 R"({"schema":"cpq-metrics/1","repo":"a","as_of":"b","metrics":[{"metric":"m","verdict":"v","num":-1}]})",
                 "/num: expected a number"
             },
         }) {
        const auto summary = read_metrics(text);
        ASSERT_FALSE(summary) << text;
        EXPECT_THAT(summary.error().detail, HasSubstr(says));
    }
}

TEST(MetricsJson, IsSignedAsBundlesAre) {
    const auto key = crypto::Ed25519PrivateKey::parse(
        "-----BEGIN PRIVATE KEY-----\n"
        "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
        "-----END PRIVATE KEY-----\n"
    );
    ASSERT_TRUE(key);
    auto files = metrics_bundle(snapshot());
    sign_bundle(files, *key);
    EXPECT_THAT(*check_bundle(files, key->public_key()), IsEmpty());
    files[kMetricsFile] += " ";
    EXPECT_THAT(*check_bundle(files, key->public_key()), ElementsAre("metrics.json was changed"));
}

} // namespace baton::wire
