#include "baton/base/ids.hpp"
#include "baton/domain/attribution.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/signature.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using enum CellOutcome;

RepoName repo(const std::string& name) {
    return *RepoName::parse(name);
}

SeenSignature seen(int cluster) {
    return {.cluster = ClusterId{cluster}};
}

/// A failing cell of a/gpu with one failed test that nobody knows.
FailureFacts failing() {
    FailureFacts facts;
    facts.downstream = repo("a/gpu");
    facts.signatures = {seen(1)};
    facts.tests_told = true;
    return facts;
}

struct Case {
    const char* what;
    std::function<void(FailureFacts&)> change;
    Whose verdict;
    Confidence confidence;
};

void on_commit(FailureFacts& facts, const std::string& name) {
    facts.signatures[0].on_commit.insert(repo(name));
}

void on_trunk(FailureFacts& facts, const std::string& name) {
    facts.signatures[0].on_trunk.insert(repo(name));
}

void on_pulls(FailureFacts& facts, std::size_t pulls, const std::string& name) {
    facts.signatures[0].other_pulls = pulls;
    facts.signatures[0].on_pulls.insert(repo(name));
}

void without_tests(FailureFacts& facts) {
    facts.signatures.clear();
    facts.tests_told = false;
}

void expect(const std::vector<Case>& cases) {
    for (const auto& [what, change, verdict, confidence] : cases) {
        auto facts = failing();
        change(facts);
        const auto made = attribute(facts);
        EXPECT_EQ(name_of(made.verdict), name_of(verdict)) << what;
        EXPECT_EQ(name_of(made.confidence), name_of(confidence)) << what;
        EXPECT_FALSE(made.would_change.empty()) << what;
    }
}

TEST(Attribution, GoesByWhereElseTheSameFailureWasSeen) {
    using enum Whose;
    using enum Confidence;
    expect({
        {"nothing is known", [](auto&) {}, unknown, low},
        {"another owner fails so on this commit",
         [](auto& facts) { on_commit(facts, "b/npu"); },
         pr,
         high},
        {"the same owner is not independent",
         [](auto& facts) { on_commit(facts, "A/other"); },
         unknown,
         low},
        {"two owners here and on trunk",
         [](auto& facts) {
             on_commit(facts, "b/npu");
             on_trunk(facts, "b/npu");
         },
         trunk,
         high},
        {"on trunk at itself alone", [](auto& facts) { on_trunk(facts, "a/gpu"); }, backend, high},
        {"on trunk at another owner", [](auto& facts) { on_trunk(facts, "b/npu"); }, trunk, high},
        {"two other pull requests do not clear it",
         [](auto& facts) { on_pulls(facts, 2, "a/gpu"); },
         unknown,
         low},
        {"three other pull requests do",
         [](auto& facts) { on_pulls(facts, 3, "a/gpu"); },
         backend,
         high},
        {"three other pull requests at two owners",
         [](auto& facts) { on_pulls(facts, 3, "b/npu"); },
         trunk,
         high},
    });
}

TEST(Attribution, GoesByHowTheJobFaresElsewhere) {
    using enum Whose;
    using enum Confidence;
    expect({
        {"the job passes on trunk, and nobody knows the failure",
         [](auto& facts) { facts.on_trunk = success; },
         pr,
         medium},
        {"the job fails on trunk", [](auto& facts) { facts.on_trunk = failure; }, backend, medium},
        {"half of the recent ones fail",
         [](auto& facts) {
             facts.recent = 6;
             facts.recent_failed = 3;
         },
         backend,
         medium},
        {"too few recent ones to tell",
         [](auto& facts) {
             facts.recent = 4;
             facts.recent_failed = 4;
         },
         unknown,
         low},
        {"it passed on the same commit", [](auto& facts) { facts.outcome = flaky; }, flake, high},
    });
}

TEST(Attribution, GoesByWhatWasNotToldAndWhoSaysWhat) {
    using enum Whose;
    using enum Confidence;
    expect({
        {"it failed and told nothing", without_tests, infra, low},
        {"it was lost",
         [](auto& facts) {
             without_tests(facts);
             facts.outcome = timed_out;
             facts.relay_said = true;
         },
         infra,
         medium},
        {"many died at once",
         [](auto& facts) {
             without_tests(facts);
             facts.died_early = 3;
         },
         infra,
         high},
        {"it was hard to send", [](auto& facts) { facts.sendings = 3; }, relay, low},
        {"triage alone decides nothing",
         [](auto& facts) { facts.triage = Triage{Triage::Category::infra, Confidence::high}; },
         unknown,
         low},
        {"triage adds to what is known",
         [](auto& facts) {
             without_tests(facts);
             facts.triage = Triage{Triage::Category::infra, Confidence::high};
         },
         infra,
         medium},
        {"triage says upstream, and trunk has it",
         [](auto& facts) {
             on_trunk(facts, "b/npu");
             facts.triage = Triage{Triage::Category::upstream, Confidence::low};
         },
         trunk,
         high},
        {"a person decides",
         [](auto& facts) {
             on_trunk(facts, "b/npu");
             facts.said = Override{Whose::infra, "ann", "the rack burnt"};
         },
         infra,
         high},
    });
}

TEST(Attribution, IsUnknownWhenTheEvidenceIsEven) {
    auto facts = failing();
    facts.on_trunk = success; // speaks against the pull request
    facts.signatures[0] = seen(1);
    facts.sendings = 1;
    without_tests(facts);
    facts.sendings = 2;  // 2 for the relay
    facts.skewed = true; // and 1, as many as speak for the infrastructure
    const auto made = attribute(facts);
    EXPECT_EQ(made.verdict, Whose::unknown);
    EXPECT_EQ(made.confidence, Confidence::low);
    EXPECT_THAT(made.evidence, SizeIs(2));
}

TEST(Attribution, DoesNotLetOneKnownFailureExplainManyNewOnes) {
    auto facts = failing();
    on_trunk(facts, "a/gpu");
    facts.signatures.push_back(seen(2));
    facts.signatures.push_back(seen(3));
    facts.on_trunk = success;
    EXPECT_EQ(attribute(facts).verdict, Whose::pr);
}

TEST(Attribution, TellsWithNumbersAndLinksWhatItRestsOn) {
    auto facts = failing();
    on_commit(facts, "b/npu");
    const auto made = attribute(facts);
    ASSERT_THAT(made.evidence, SizeIs(1));
    EXPECT_EQ(
        made.evidence[0].text,
        "1 of its 1 failures is the same on this commit at 2 downstreams of 2 owners"
    );
    EXPECT_EQ(made.evidence[0].link, "/clusters/0000000000000001");
    EXPECT_THAT(attribute(failing()).evidence, IsEmpty());
    facts.triage = Triage{Triage::Category::flake, Confidence::high};
    EXPECT_THAT(attribute(facts).evidence.back().text, HasSubstr("does not count"));
}

TEST(ClusterVerdicts, FollowFromWhereAClusterWasSeen) {
    const auto of = [](std::set<RepoName> downstreams, std::size_t pulls, bool trunk) {
        return verdict_of({.downstreams = std::move(downstreams), .pulls = pulls, .on_trunk = trunk}
        );
    };
    const std::set one{repo("a/gpu"), repo("a/two")};
    const std::set two{repo("a/gpu"), repo("b/npu")};
    EXPECT_EQ(of(one, 1, false), Whose::unknown);
    EXPECT_EQ(of(one, 1, true), Whose::backend);
    EXPECT_EQ(of(one, 3, false), Whose::backend);
    EXPECT_EQ(of(two, 1, false), Whose::pr);
    EXPECT_EQ(of(two, 2, false), Whose::unknown);
    EXPECT_EQ(of(two, 3, false), Whose::trunk);
    EXPECT_EQ(of(two, 0, true), Whose::trunk);
}

TEST(AgainstBase, SaysWhatIsNewAndWhatWasThere) {
    EXPECT_EQ(against_base(failure, success), AgainstBase::fresh);
    EXPECT_EQ(against_base(timed_out, flaky), AgainstBase::fresh);
    EXPECT_EQ(against_base(failure, timed_out), AgainstBase::existing);
    EXPECT_EQ(against_base(failure, std::nullopt), AgainstBase::unknown);
    EXPECT_EQ(against_base(success, failure), AgainstBase::fixed);
    EXPECT_EQ(against_base(flaky, failure), AgainstBase::fixed);
    EXPECT_EQ(against_base(success, success), std::nullopt);
    EXPECT_EQ(against_base(success, std::nullopt), std::nullopt);
    EXPECT_EQ(against_base(running, failure), std::nullopt);
    EXPECT_EQ(against_base(skipped, failure), std::nullopt);
}

std::set<RepoName> some_downstreams() {
    std::set<RepoName> chosen;
    for (const auto* name : {"a/gpu", "a/two", "b/npu", "c/fpga"}) {
        if (*rc::gen::arbitrary<bool>()) {
            chosen.insert(repo(name));
        }
    }
    return chosen;
}

FailureFacts any_facts() {
    FailureFacts facts;
    facts.downstream = repo("a/gpu");
    facts.outcome = *rc::gen::element(failure, timed_out, flaky);
    const auto count = *rc::gen::inRange(0, 5);
    for (int i = 0; i < count; ++i) {
        facts.signatures.push_back({
            .cluster = ClusterId{*rc::gen::inRange(1, 9)},
            .on_commit = some_downstreams(),
            .on_trunk = some_downstreams(),
            .on_pulls = some_downstreams(),
            .other_pulls = *rc::gen::inRange<std::size_t>(0, 6),
        });
    }
    facts.tests_told = *rc::gen::arbitrary<bool>();
    facts.relay_said = *rc::gen::arbitrary<bool>();
    facts.died_early = *rc::gen::inRange<std::size_t>(0, 5);
    facts.recent = *rc::gen::inRange<std::size_t>(0, 10);
    facts.recent_failed = *rc::gen::inRange<std::size_t>(0, facts.recent + 1);
    facts.sendings = *rc::gen::inRange(1, 4);
    if (*rc::gen::arbitrary<bool>()) {
        facts.on_trunk = *rc::gen::element(success, failure, flaky);
    }
    if (*rc::gen::arbitrary<bool>()) {
        facts.triage = Triage{
            *rc::gen::element(Triage::Category::upstream, Triage::Category::flake), Confidence::high
        };
    }
    return facts;
}

RC_GTEST_PROP(AttributionProperty, DoesNotDependOnTheOrderOfTheFacts, ()) {
    auto facts = any_facts();
    const auto made = attribute(facts);
    while (std::ranges::next_permutation(facts.signatures, {}, &SeenSignature::cluster).found) {
        RC_ASSERT(attribute(facts) == made);
    }
    RC_ASSERT(attribute(facts) == made);
}

RC_GTEST_PROP(AttributionProperty, HasEvidenceForEveryVerdictAndOpinionsNeverCarryOne, ()) {
    const auto facts = any_facts();
    const auto made = attribute(facts);
    if (made.verdict != Whose::unknown) {
        RC_ASSERT(std::ranges::any_of(made.evidence, [&](const Evidence& one) {
            return one.verdict == made.verdict && one.rule != Rule::triage;
        }));
    }
    for (const auto& one : made.evidence) {
        RC_ASSERT(one.weight >= 1 && one.weight <= 10);
        RC_ASSERT(one.rule != Rule::triage || one.weight <= kTriageWeightMax);
    }
}

} // namespace

} // namespace baton::domain
