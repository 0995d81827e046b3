#include "baton/base/time.hpp"
#include "baton/crypto/ed25519.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/wire/bundle.hpp"
#include "baton/wire/bundle_files.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pugixml.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

using domain::ExclusionRule;
using domain::Figure;
using domain::JudgedOutcome;
using domain::LadderEvent;
using domain::Level;
using domain::OutcomeClass;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using namespace std::chrono_literals;

const TimePoint kAsOf = *parse_rfc3339("2026-11-16T00:00:00Z");
constexpr Millis kDay = 24h;

constexpr const char* kAllowlist = "# Who hears of it.\n"
                                   "L2:\n"
                                   "  - acme/backend: {device: npu, oncalls: [ann]} # since May\n"
                                   "L3:\n"
                                   "  npu:\n"
                                   "    other/one: [bob]\n";

/// One event a day, with a job that ends as the table says; the last day has one that nobody has
/// answered yet.
struct Stage {
    domain::LadderEvidence evidence;
    std::vector<JudgedOutcome> outcomes;
    domain::LadderHistory history;
    std::string allowlist{kAllowlist};
    std::vector<RepoName> hidden{*RepoName::parse("secret/lab")};

    Stage() {
        for (int day = 14; day > 0; --day) {
            add(day, day % 5 == 0 ? OutcomeClass::test : OutcomeClass::success);
        }
        set_aside(ExclusionRule::trunk, "2 of 3 others that reported are red: secret/lab, b/two");
        add(1, OutcomeClass::open);
        name("=HYPERLINK(\"http://x\")", "a|b `c` @everyone");
        for (int day = 14; day > 0; --day) {
            domain::LadderDay counted{.day = kAsOf - day * kDay, .level = Level::l2};
            const bool red = day % 5 == 0;
            counted.events = counted.answered = counted.completed = 20;
            counted.completed_passed = red ? 17U : 20U;
            counted.decided = 20;
            counted.passed = red ? 18U : 20U;
            counted.outcomes.at(static_cast<std::size_t>(OutcomeClass::success) - 1) =
                red ? 17U : 20U;
            counted.outcomes.at(static_cast<std::size_t>(OutcomeClass::test) - 1) = red ? 3U : 0U;
            counted.excluded.at(static_cast<std::size_t>(OutcomeClass::test) - 1) = red ? 1U : 0U;
            history.days.push_back(counted);
        }
    }

    void add(int days_ago, OutcomeClass outcome) {
        const auto number = static_cast<std::int64_t>(evidence.events.size()) + 1;
        const auto sent_at = kAsOf - days_ago * kDay + 90min;
        LadderEvent event{
            .id = DispatchId{number},
            .downstream = *RepoName::parse("acme/backend"),
            .event_type = "pull_request",
            .pr = PrNumber{100 + number},
            .head = HeadSha(fmt::format("{:040x}", number)),
            .level = Level::l2,
            .sent_at = sent_at,
        };
        if (outcome != OutcomeClass::open) {
            event.jobs.push_back({
                .workflow = "ci",
                .name = "test (1, 2)",
                .attempts = {{.job = JobId{7000 + number}, .ended_at = sent_at + 40min}},
            });
        }
        outcomes.push_back({
            .event = evidence.events.size(),
            .workflow = event.jobs.empty() ? "" : "ci",
            .job = event.jobs.empty() ? "" : "test (1, 2)",
            .outcome = outcome,
        });
        evidence.events.push_back(std::move(event));
    }

    /// What the last red one is, and why.
    void set_aside(ExclusionRule rule, std::string why) {
        const auto red = std::find_if(outcomes.rbegin(), outcomes.rend(), [](const auto& outcome) {
            return outcome.outcome == OutcomeClass::test;
        });
        red->rule = rule;
        red->excluded = true;
        red->evidence = std::move(why);
    }

    /// Of the first one.
    void name(const std::string& workflow, const std::string& job) {
        outcomes.front().workflow = evidence.events.front().jobs.front().workflow = workflow;
        outcomes.front().job = evidence.events.front().jobs.front().name = job;
        outcomes.front().outcome = OutcomeClass::infra;
        outcomes.front().rule = ExclusionRule::overruled;
        outcomes.front().excluded = true;
        outcomes.front().evidence = "ann said so: <b>our racks</b> moved";
    }

    BundleFacts facts() const {
        domain::LadderVerdict verdict{.as_of = kAsOf};
        verdict.standing = {.listed = Level::l2, .effective = Level::l2, .since = kAsOf};
        verdict.standing.proposal = {
            .from = Level::l2,
            .to = Level::l3,
            .since = kAsOf - kDay,
            .reason = "every criterion of L3 is met",
        };
        verdict.next.push_back({
            .criterion =
                {.id = "l3.pass_raw",
                 .figure = Figure::pass_raw,
                 .window = 14,
                 .comparison = domain::Comparison::at_least,
                 .target = 0.9,
                 .text = "jobs pass"},
            .measured = {.value = 0.9786, .n = 280, .lower = 0.9594, .upper = 0.9888},
            .met = domain::Met::yes,
        });
        verdict.next.push_back({
            .criterion =
                {.id = "l3.e2e_p50",
                 .figure = Figure::e2e_p50,
                 .window = 14,
                 .comparison = domain::Comparison::below,
                 .target = 10'800'000,
                 .text = "from the dispatch to the last job"},
            .measured = {.value = 2'460'000, .n = 14},
            .met = domain::Met::yes,
        });
        return {
            .upstream = *RepoName::parse("pytorch/pytorch"),
            .downstream = *RepoName::parse("acme/backend"),
            .profile = "baton/1",
            .verdict = verdict,
            .digest = std::string(64, 'd'),
            .evidence = evidence,
            .outcomes = outcomes,
            .history = history,
            .moves =
                {{.as_of = kAsOf - kDay,
                  .move =
                      {.move = domain::LadderMove::proposed,
                       .from_state = domain::LadderState::ok,
                       .to_state = domain::LadderState::ok,
                       .from = Level::l2,
                       .to = Level::l2,
                       .rules = {},
                       .reason = "every criterion of L3 is met"}}},
            .hidden = hidden,
            .public_url = "https://baton.example",
            .allowlist = allowlist,
            .allowlist_path = "ci/allowlist.yml",
        };
    }
};

std::string slurp(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Bundle, ReadsAsItIsKept) {
    const auto files = make_bundle(Stage().facts());
    EXPECT_EQ(files.size(), 7U);
    for (const auto& [name, bytes] : files) {
        const auto kept = std::string(BATON_SOURCE_DIR) + "/tests/golden/bundle/" + name;
        if (std::getenv("BATON_REWRITE_GOLDEN") != nullptr) {
            std::ofstream(kept, std::ios::binary) << bytes;
        }
        EXPECT_EQ(bytes, slurp(kept)) << "BATON_REWRITE_GOLDEN=1 writes " << kept << " anew";
    }
}

TEST(Bundle, IsTheSameWhateverOrderTheEvidenceCameIn) {
    const Stage stage;
    Stage turned;
    std::ranges::reverse(turned.evidence.events);
    std::ranges::reverse(turned.outcomes);
    for (auto& outcome : turned.outcomes) {
        outcome.event = turned.evidence.events.size() - 1 - outcome.event;
    }
    EXPECT_EQ(make_bundle(stage.facts()), make_bundle(turned.facts()));
}

TEST(Bundle, HasOnlyWhatBelongsToTheDownstreamAndItsWindow) {
    const Stage stage;
    Stage more;
    more.add(15, OutcomeClass::test);
    more.add(0, OutcomeClass::test);
    more.add(3, OutcomeClass::test);
    more.evidence.events.back().downstream = *RepoName::parse("secret/lab");
    EXPECT_EQ(make_bundle(stage.facts()), make_bundle(more.facts()));
}

TEST(Bundle, NamesNobodyWhoIsHidden) {
    for (const auto& [name, bytes] : make_bundle(Stage().facts())) {
        EXPECT_THAT(bytes, Not(HasSubstr("secret/lab"))) << name;
    }
}

TEST(Bundle, MakesForeignNamesHarmless) {
    const auto files = make_bundle(Stage().facts());
    EXPECT_THAT(files.at("events.csv"), HasSubstr(",\"'=HYPERLINK(\"\"http://x\"\")\","));
    EXPECT_THAT(files.at("exclusions.md"), Not(HasSubstr("a|b `c`")));
    EXPECT_THAT(files.at("exclusions.md"), HasSubstr("`ann said so: <b>our racks</b> moved`"));
}

TEST(Bundle, DrawsAChartThatIsXml) {
    pugi::xml_document chart;
    const auto parsed = chart.load_string(make_bundle(Stage().facts()).at("chart.svg").c_str());
    ASSERT_TRUE(parsed) << parsed.description();
    EXPECT_EQ(chart.select_nodes("//circle[@class='adj'][@cx!='4']").size(), 14U);
}

TEST(Bundle, SaysWhyThereIsNoPatch) {
    Stage stage;
    stage.allowlist = "L2:\n  - acme/backend\nL3:\n  npu:\n    other/one: [bob]\n";
    const auto refused = make_bundle(stage.facts());
    EXPECT_FALSE(refused.contains("allowlist.patch"));
    EXPECT_THAT(refused.at("verdict.md"), HasSubstr("There is no patch: "));
    EXPECT_THAT(refused.at("verdict.md"), HasSubstr("give it a device first"));
    EXPECT_THAT(refused.at("verdict.json"), HasSubstr("\"patch\":null"));

    auto facts = stage.facts();
    facts.verdict.standing.proposal.reset();
    EXPECT_THAT(
        make_bundle(facts).at("verdict.md"),
        HasSubstr("There is no patch: no change of the list is proposed.")
    );
}

// --- the signature; the keys are those of RFC 8032, TEST 1 and TEST 2

const auto kKey = crypto::Ed25519PrivateKey::parse(
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
    "-----END PRIVATE KEY-----\n"
);
const auto kOtherKey = crypto::Ed25519PrivateKey::parse(
    "-----BEGIN PRIVATE KEY-----\n"
    "MC4CAQAwBQYDK2VwBCIEIEzNCJso/5banbbDRuwRTg9bijGfNaumJNqM9u1PuKb7\n"
    "-----END PRIVATE KEY-----\n"
);

BundleFiles signed_bundle() {
    auto files = make_bundle(Stage().facts());
    sign_bundle(files, *kKey);
    return files;
}

std::vector<std::string> differences(const BundleFiles& files) {
    const auto checked = check_bundle(files, kKey->public_key());
    return checked ? *checked : std::vector<std::string>{"unusable: " + checked.error().detail};
}

TEST(BundleSignature, HoldsForWhatWasSigned) {
    EXPECT_THAT(differences(signed_bundle()), IsEmpty());
    EXPECT_EQ(signed_bundle(), signed_bundle());
    EXPECT_EQ(signed_bundle().at("signature").size(), 64U);
}

TEST(BundleSignature, SaysWhatDiffers) {
    auto changed = signed_bundle();
    changed["events.csv"] += " ";
    EXPECT_THAT(differences(changed), ElementsAre("events.csv was changed"));

    auto missing = signed_bundle();
    missing.erase("exclusions.md");
    EXPECT_THAT(differences(missing), ElementsAre("exclusions.md is missing"));

    auto more = signed_bundle();
    more["notes.txt"] = "trust me";
    EXPECT_THAT(differences(more), ElementsAre("notes.txt does not belong to the bundle"));

    auto rewritten = signed_bundle();
    rewritten["verdict.md"] = "# all is well\n";
    rewritten["digests.txt"] = crypto::sha256_hex("# all is well\n") + "  verdict.md\n";
    EXPECT_THAT(
        differences(rewritten),
        testing::Contains("the signature over digests.txt was not made with this key")
    );
}

TEST(BundleSignature, IsThatOfOneKey) {
    auto files = signed_bundle();
    sign_bundle(files, *kOtherKey);
    EXPECT_THAT(
        differences(files), ElementsAre("the signature over digests.txt was not made with this key")
    );
    files.erase("signature");
    EXPECT_THAT(
        differences(files), ElementsAre("it is not signed: there is no file \"signature\"")
    );
}

TEST(BundleSignature, NeedsDigests) {
    EXPECT_THAT(
        differences({}), ElementsAre("unusable: there is no digests.txt: this is no bundle")
    );
    EXPECT_THAT(
        differences({{"digests.txt", "hello\n"}}),
        ElementsAre("unusable: digests.txt, line 1: expected a SHA-256 and a name, found \"hello\"")
    );
}

} // namespace
} // namespace baton::wire
