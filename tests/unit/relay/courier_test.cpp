// Results on their way to a sink: in order, nothing lost, nobody delayed.

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/letter.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/sink.hpp"
#include "baton/relay/courier.hpp"
#include "baton/sim/virtual_clock.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/memory_journal.hpp"
#include "unit/relay/callbacks_fixture.hpp"

namespace baton::relay {
namespace {

/// Takes what it does not know yet, unless `says` has something else to say.
class ScriptedSink final : public ports::Sink {
public:
    explicit ScriptedSink(ports::Clock& clock)
        : clock_(clock) {}

    const std::string& name() const override { return name_; }

    asio::awaitable<domain::SinkAnswer> deliver(ports::TakenLetter letter) override {
        ++tries;
        ++under_way;
        most_under_way = std::max(most_under_way, under_way);
        auto answer = says(letter);
        if (answer.status == 200) {
            auto& known = taken[letter.lane];
            if (std::ranges::find(known, letter.body) != known.end()) {
                answer.status = 409;
            } else {
                known.push_back(letter.body);
            }
        }
        co_await clock_.sleep_until(clock_.now() + takes);
        --under_way;
        co_return answer;
    }

    std::function<domain::SinkAnswer(const ports::TakenLetter&)> says =
        [](const ports::TakenLetter&) { return domain::SinkAnswer{.status = 200}; };
    Millis takes{20};
    int tries{0};
    std::size_t under_way{0};
    std::size_t most_under_way{0};
    std::map<std::string, std::vector<std::string>> taken; // by lane, in order

private:
    ports::Clock& clock_;
    std::string name_{"hud"};
};

class Carrying : public CallingBack {
protected:
    Carrying() { engage(); }

    ~Carrying() override {
        courier->finish();
        pass(1min);
    }

    /// A relay that starts on this store.
    void engage() {
        EXPECT_TRUE(wait_for(store.adopt(InstanceId("next"), clock.now())));
        courier = std::make_unique<Courier>(
            Courier::Settings{.instance = InstanceId("me"), .retry = domain::RetryPolicy{}},
            Courier::Surroundings{
                .executor = io.get_executor(),
                .store = store,
                .sink = sink,
                .clock = clock,
                .chance = chance,
                .journal = journal,
            }
        );
        tasks.spawn(courier->run());
    }

    void pass(Millis span) {
        const auto until = clock.now() + span;
        sim::run_until_quiet(io, clock, {.until = until});
        clock.advance(std::max(until - clock.now(), Millis{0}));
    }

    /// Both reports of one job of its own run.
    void report(const std::string& run) {
        const auto who = caller(kDownstream, run);
        const Said begun{.delivery = "x-" + run, .run = run};
        const Said ended{.delivery = "x-" + run, .status = "completed", .run = run};
        dispatched("x-" + run);
        EXPECT_TRUE(call(begun, who));
        EXPECT_TRUE(call(ended, who));
    }

    std::size_t waiting() { return wait_for(store.result_counts()).value().outbox_waiting; }

    ScriptedSink sink{clock};
    test::MemoryJournal journal;
    std::unique_ptr<Courier> courier;
};

domain::SinkAnswer with_status(int status) {
    return {.status = status, .detail = fmt::format("it said {}", status), .retry_after = {}};
}

TEST_F(Carrying, TellsAStartBeforeItsEnd) {
    report("1");
    report("2");
    pass(5s);
    ASSERT_EQ(sink.taken.size(), 2U);
    for (const auto& [lane, bodies] : sink.taken) {
        ASSERT_EQ(bodies.size(), 2U);
        EXPECT_NE(bodies[0].find("in_progress"), std::string::npos) << bodies[0];
        EXPECT_NE(bodies[1].find("completed"), std::string::npos) << bodies[1];
    }
    EXPECT_EQ(waiting(), 0U);
    const auto attempts = journal.all<ports::LetterAttempted>();
    ASSERT_EQ(attempts.size(), 4U);
    EXPECT_EQ(attempts[0].downstream, kDownstream);
}

TEST_F(Carrying, ASinkThatIsAwayForAnHourLosesNothingAndDelaysNobody) {
    sink.says = [](const ports::TakenLetter&) { return with_status(503); };
    for (int run = 1; run <= 40; ++run) {
        const auto before = clock.now();
        report(fmt::format("{}", run));
        EXPECT_LE(clock.now() - before, 2s) << "callbacks wait for no sink";
    }
    pass(1h);
    EXPECT_LE(sink.tries, 60) << "it is looked for, not stormed";
    EXPECT_EQ(waiting(), 80U);
    sink.says = [](const ports::TakenLetter&) { return with_status(200); };
    pass(10min);
    EXPECT_EQ(waiting(), 0U);
    EXPECT_EQ(sink.taken.size(), 40U);
    for (const auto& [lane, bodies] : sink.taken) {
        ASSERT_EQ(bodies.size(), 2U) << lane;
        EXPECT_NE(bodies[0].find("in_progress"), std::string::npos);
    }
    EXPECT_LE(sink.most_under_way, Courier::kAtOnce);
}

TEST_F(Carrying, ACrashBetweenSendingAndWritingDownIsKnownToTheSink) {
    sink.takes = 5s; // it has the letter, and its answer takes a while
    dispatched("d-1x");
    EXPECT_TRUE(call({.delivery = "d-1x", .run = "1"}, caller(kDownstream, "1")));
    pass(2s);
    EXPECT_EQ(sink.tries, 1);
    courier->finish();
    courier->cancel(); // the process dies
    pass(1s);
    engage();
    pass(30s);
    EXPECT_EQ(sink.tries, 2);
    EXPECT_EQ(sink.taken.begin()->second.size(), 1U) << "409: it had it already";
    EXPECT_EQ(waiting(), 0U);
}

TEST_F(Carrying, ALetterThatItWillNeverTakeIsDeadAndTheNextOneGoes) {
    sink.says = [](const ports::TakenLetter& letter) {
        return with_status(letter.body.find("in_progress") == std::string::npos ? 200 : 422);
    };
    report("1");
    pass(5s);
    EXPECT_EQ(sink.tries, 2);
    EXPECT_EQ(waiting(), 0U);
    const auto dead = wait_for(store.dead_letters(10)).value();
    ASSERT_EQ(dead.size(), 1U);
    EXPECT_EQ(dead[0].detail, "it said 422");
    EXPECT_EQ(wait_for(store.revive_letters("hud", "ann", clock.now())).value(), 1U);
    sink.says = [](const ports::TakenLetter&) { return with_status(200); };
    pass(5s);
    EXPECT_EQ(waiting(), 0U);
    EXPECT_TRUE(wait_for(store.dead_letters(10)).value().empty());
}

TEST_F(Carrying, ASinkIsLookedForAgainAfterTheClockWasSetBack) {
    sink.says = [](const ports::TakenLetter&) { return with_status(503); };
    for (int run = 1; run <= 40; ++run) {
        report(fmt::format("{}", run));
    }
    pass(10min);
    const auto tries = sink.tries;
    EXPECT_LT(tries, 40) << "some letters were never tried, so they are due by any clock";
    sink.says = [](const ports::TakenLetter&) { return with_status(200); };
    clock.jump(-5min);
    courier->wake();
    pass(1min);
    EXPECT_GT(sink.tries, tries) << "not only when the old time comes round again";
    EXPECT_FALSE(sink.taken.empty());
}

TEST_F(Carrying, ASinkThatStaysAwayIsGivenUpByAge) {
    sink.says = [](const ports::TakenLetter&) { return with_status(0); };
    report("1");
    pass(71h);
    EXPECT_EQ(waiting(), 2U);
    pass(2h);
    EXPECT_EQ(waiting(), 0U);
    EXPECT_EQ(wait_for(store.dead_letters(10)).value().size(), 2U);
}

TEST_F(Carrying, PatienceIsHadAsLongAsItIsAskedFor) {
    sink.says = [this](const ports::TakenLetter&) {
        auto answer = with_status(sink.tries == 1 ? 429 : 200);
        answer.retry_after = 10min;
        return answer;
    };
    report("1");
    pass(2s);
    report("2");
    pass(9min);
    EXPECT_EQ(sink.tries, 1) << "all of its letters wait";
    pass(2min);
    EXPECT_EQ(waiting(), 0U);
}

} // namespace
} // namespace baton::relay
