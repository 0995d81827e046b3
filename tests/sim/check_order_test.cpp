// What finally stands on a pull request's head depends on what happened, not on the order in which
// the relay heard of it: each set of facts is told in many orders, with looks at random moments.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/checks.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/operating.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/store.hpp"
#include "baton/relay/check_reader.hpp"
#include "baton/sim/seeded_chance.hpp"
#include "baton/store/memory/memory_store.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "support/run_coroutine.hpp"

namespace baton::test {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;

constexpr int kSets = 500;
constexpr int kOrders = 20;
constexpr TimePoint kBegin = from_ms(1'800'000'000'000);
constexpr TimePoint kEnd = kBegin + 24h; // every limit of the gate is over
const RepoName kRepo = *RepoName::parse("up/stream");
constexpr PrNumber kPull{7};
const ports::PullRequestQuery kQuery{.upstream = kRepo, .number = kPull};
const std::string kLabel = "ciflow/crcr/npu";

std::shared_ptr<const domain::Allowlist> listed() {
    domain::Allowlist all;
    all.add({.repo = *RepoName::parse("three/a"), .level = domain::Level::l3, .device = "npu"});
    all.add({.repo = *RepoName::parse("three/b"), .level = domain::Level::l3, .device = "npu"});
    all.add({.repo = *RepoName::parse("four/gate"), .level = domain::Level::l4, .device = "gpu"});
    return std::make_shared<const domain::Allowlist>(std::move(all));
}

/// That a downstream was told of a commit. Every report about it comes later.
struct Told {
    std::string name; // its delivery
    domain::Downstream downstream;
    HeadSha head;
};

struct Said {
    std::size_t told{0}; // which of the facts it answers
    domain::Report report;
};

using Fact = std::variant<domain::Event, Told, Said>;

class Author {
public:
    explicit Author(std::uint64_t seed)
        : chance_(sim::seed_for(seed, "facts")) {}

    std::vector<Fact> facts() {
        happen("opened");
        const auto more = 2 + chance_.draw().below(6);
        for (std::uint64_t i = 0; i < more; ++i) {
            act();
        }
        return std::move(facts_);
    }

private:
    bool now_and_then(double probability) { return chance_.draw().unit() < probability; }

    void act() {
        switch (chance_.draw().below(5)) {
        case 0:
            return happen("synchronize");
        case 1:
        case 2:
            labelled_ = !labelled_;
            return happen(labelled_ ? "labeled" : "unlabeled");
        default:
            open_ = !open_;
            return happen(open_ ? "reopened" : "closed");
        }
    }

    void happen(const std::string& action) {
        if (action == "synchronize" || action == "opened") {
            head_ = HeadSha(fmt::format("{:040x}", ++heads_));
            run_everybody();
        }
        domain::PullRequestFacts about;
        about.number = kPull;
        about.head = head_;
        about.base_ref = "main";
        about.open = open_;
        about.labels = labelled_ ? std::vector{kLabel} : std::vector<std::string>{};
        about.label = action.ends_with("labeled") ? kLabel : "";
        about.author = Login("ann");
        about.updated_at = kBegin + std::chrono::minutes(++minutes_);
        facts_.emplace_back(domain::Event{
            .delivery = DeliveryId(fmt::format("d-{}", minutes_)),
            .name = "pull_request",
            .action = action,
            .repository = kRepo,
            .sender = Login(now_and_then(0.3) ? "stranger" : "triager"),
            .facts = std::move(about),
        });
    }

    void run_everybody() {
        const auto all = listed();
        for (const auto& downstream : all->downstreams()) {
            const auto told = facts_.size();
            facts_.emplace_back(Told{
                .name = fmt::format("t-{}-{}", heads_, downstream.repo.text()),
                .downstream = downstream,
                .head = head_,
            });
            if (now_and_then(0.8)) {
                answer(told);
            }
        }
    }

    void answer(std::size_t told) {
        const auto attempts = now_and_then(0.3) ? 2 : 1;
        for (int attempt = 1; attempt <= attempts; ++attempt) {
            for (const auto* job : {"build", "test"}) {
                const domain::JobKey key{
                    .workflow = "CI",
                    .job = job,
                    .run_id = fmt::to_string(told + 1),
                    .attempt = attempt,
                };
                domain::Report report{.key = key};
                facts_.emplace_back(Said{.told = told, .report = report});
                if (now_and_then(0.8)) {
                    report.status = domain::JobStatus::completed;
                    report.conclusion = now_and_then(0.7) ? domain::Conclusion::success
                                                          : domain::Conclusion::failure;
                    facts_.emplace_back(Said{.told = told, .report = std::move(report)});
                }
            }
        }
    }

    sim::SeededChance chance_;
    std::vector<Fact> facts_;
    HeadSha head_;
    int heads_{0};
    int minutes_{0};
    bool open_{true};
    bool labelled_{false};
};

/// One order of a set of facts, told to a store of its own.
class Telling {
public:
    Telling(const std::vector<Fact>& facts, std::uint64_t seed)
        : facts_(facts)
        , chance_(sim::seed_for(seed, "order"))
        , told_(facts.size()) {
        rules_.label_prefixes = {"ciflow/crcr/", "ciflow/oot/"};
        rights_.known = {
            {Login("triager"), domain::Permission::triage},
            {Login("stranger"), domain::Permission::read},
        };
    }

    /// Which checks stand on the head in the end. One that was withdrawn as neutral is as good as
    /// none; on older commits all have ended.
    std::set<std::string> outcome() {
        asio::io_context io;
        std::set<std::string> standing;
        EXPECT_TRUE(test::run(io, tell(standing)));
        return standing;
    }

private:
    asio::awaitable<void> tell(std::set<std::string>& standing) {
        std::vector<std::size_t> left(facts_.size());
        for (std::size_t i = 0; i < left.size(); ++i) {
            left[i] = i;
        }
        while (!left.empty()) {
            const auto at =
                left.begin() + static_cast<std::ptrdiff_t>(chance_.draw().below(left.size()));
            const auto* said = std::get_if<Said>(&facts_[*at]);
            if (said != nullptr && !told_[said->told]) {
                continue; // nobody answers what was not sent
            }
            now_ += 1s;
            co_await apply(*at);
            left.erase(at);
            if (chance_.draw().unit() < 0.15) {
                co_await look();
            }
        }
        now_ = kEnd;
        co_await look();
        const auto pull = co_await store_.pull_request(kQuery);
        for (const auto& subject : subjects_) {
            const auto postings = co_await store_.postings_of(subject);
            for (const auto& one : *postings) {
                if (subject.head != (*pull)->head) {
                    EXPECT_EQ(one.check.status, domain::CheckStatus::completed) << one.check.name;
                } else if (one.check.conclusion != domain::Conclusion::neutral) {
                    standing.insert(fmt::format(
                        "{} {} {}",
                        one.check.name,
                        domain::name_of(one.check.status),
                        one.check.conclusion ? domain::name_of(*one.check.conclusion) : ""
                    ));
                }
            }
        }
    }

    asio::awaitable<void> apply(std::size_t number) {
        const auto& fact = facts_[number];
        if (const auto* event = std::get_if<domain::Event>(&fact)) {
            co_await hear(*event);
        } else if (const auto* told = std::get_if<Told>(&fact)) {
            co_await dispatch(*told, number);
        } else {
            co_await record(std::get<Said>(fact));
        }
    }

    asio::awaitable<void> hear(domain::Event event) {
        const auto& about = std::get<domain::PullRequestFacts>(event.facts);
        const auto known = co_await store_.pull_request(kQuery);
        ports::NewDelivery delivery{
            .id = event.delivery,
            .event = event.name,
            .action = event.action,
            .repository = kRepo.text(),
            .pr = kPull,
            .head = about.head,
            .received_at = now_,
            .body = "{}"
        };
        const auto inserted = co_await store_.insert_delivery(std::move(delivery));
        EXPECT_TRUE(inserted);
        domain::PlanInput input{
            .event = event, .known = *known, .now = now_, .label_prefixes = rules_.label_prefixes
        };
        auto plan = domain::plan(input, *allowlist_, rights_);
        // Who was told of which commit is a fact of its own here, and does not depend on the order.
        plan.dispatches.clear();
        plan.supersede_older = plan.cancel_pending = plan.supersede_others = false;
        ports::PlanCommit commit{
            .delivery = event.delivery, .upstream = kRepo, .plan = std::move(plan), .now = now_
        };
        const auto planned = co_await store_.commit_plan(std::move(commit));
        EXPECT_TRUE(planned) << planned.error().detail;
        subjects_.insert({.upstream = kRepo, .pr = kPull, .head = about.head});
    }

    /// In one transaction with the look, as the planner does it.
    asio::awaitable<void> dispatch(Told told, std::size_t number) {
        const DeliveryId id(told.name);
        ports::NewDelivery delivery{
            .id = id,
            .event = "pull_request",
            .action = "opened",
            .repository = kRepo.text(),
            .pr = kPull,
            .head = told.head,
            .received_at = now_,
            .body = "{}",
        };
        EXPECT_TRUE(co_await store_.insert_delivery(std::move(delivery)));
        domain::NewDispatch dispatch;
        dispatch.key = {.delivery = id, .downstream = told.downstream.repo, .generation = 0};
        dispatch.upstream = kRepo;
        dispatch.event_type = "pull_request";
        dispatch.pr = kPull;
        dispatch.head = told.head;
        dispatch.level = told.downstream.level;
        dispatch.device = told.downstream.device;
        ports::PlanCommit commit{.delivery = id, .upstream = kRepo, .plan = {}, .now = now_};
        commit.plan.dispatches.push_back(std::move(dispatch));
        commit.plan.looks.push_back({.upstream = kRepo, .pr = kPull, .head = told.head});
        const auto sent = co_await store_.commit_plan(std::move(commit));
        EXPECT_TRUE(sent) << sent.error().detail;
        const auto rows = co_await store_.dispatches_to(id, told.downstream.repo);
        told_[number] = rows->front();
    }

    asio::awaitable<void> record(Said said) {
        const auto& dispatch = *told_[said.told];
        ports::ReportCommit commit{
            .subject =
                {.dispatch = dispatch.id,
                 .downstream = dispatch.key.downstream,
                 .upstream = kRepo,
                 .event_type = dispatch.event_type,
                 .pr = dispatch.pr,
                 .head = dispatch.head},
            .report = said.report,
            .level = dispatch.level,
            .device = dispatch.device,
            .bound = true,
            .run_proven = true,
            .letters = {},
            .now = now_,
        };
        const auto recorded = co_await store_.record_report(std::move(commit));
        EXPECT_TRUE(recorded) << recorded.error().detail;
    }

    /// As the reconciler does: only what is on the list of looks.
    asio::awaitable<void> look() {
        const auto due = co_await store_.looks(now_, 100);
        for (const auto& one : *due) {
            relay::CheckReader reader(store_);
            const auto facts = co_await reader.read(one, allowlist_);
            auto wanted = domain::checks_wanted(*facts, rules_, now_);
            ports::PostingCommit commit{.look = one, .look_at = wanted.look_at, .now = now_};
            for (auto& check : wanted.checks) {
                commit.wanted.push_back(
                    {.subject = one.subject, .check = std::move(check), .text = {}}
                );
            }
            const auto kept = co_await store_.commit_postings(std::move(commit));
            EXPECT_TRUE(kept) << kept.error().detail;
        }
    }

    const std::vector<Fact>& facts_;
    sim::SeededChance chance_;
    std::vector<std::optional<domain::Dispatch>> told_; // by the number of the fact
    store::MemoryStore store_;
    std::shared_ptr<const domain::Allowlist> allowlist_{listed()};
    domain::CheckRules rules_;
    domain::Rights rights_;
    std::set<domain::Subject> subjects_;
    TimePoint now_{kBegin};
};

TEST(CheckOrder, WhatStandsInTheEndDependsOnTheFactsAndNotOnTheirOrder) {
    std::size_t checks = 0;
    for (std::uint64_t set = 1; set <= kSets && !::testing::Test::HasFailure(); ++set) {
        const auto facts = Author(set).facts();
        const auto first = Telling(facts, set * 1000).outcome();
        checks += first.size();
        for (std::uint64_t order = 1; order < kOrders; ++order) {
            SCOPED_TRACE(::testing::Message() << "set " << set << ", order " << order);
            ASSERT_EQ(Telling(facts, set * 1000 + order).outcome(), first);
        }
    }
    EXPECT_GT(checks, 1500U) << "hardly anything stood anywhere";
}

} // namespace
} // namespace baton::test
