// Bodies that were once good and are so no longer, from a listed downstream with a good identity
// token. Whatever they have become, they are taken for what our ledger says or refused as the
// sender's mistake.

#include "baton/base/result.hpp"
#include "baton/domain/job.hpp"
#include "baton/relay/callbacks.hpp"
#include "baton/sim/seeded_chance.hpp"
#include "baton/wire/callback.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "unit/relay/callbacks_fixture.hpp"

namespace baton::relay {
namespace {

constexpr int kMutations = 10'000;

/// One small change after another, drawn from a seed.
class Mutator {
public:
    explicit Mutator(std::uint64_t seed)
        : chance_(seed) {}

    std::string mutated(std::string text, std::string_view donor) {
        const auto changes = 1 + below(3);
        for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
            change(text, donor);
        }
        return text;
    }

    std::size_t below(std::size_t bound) { return chance_.draw().bits % bound; }

private:
    void change(std::string& text, std::string_view donor) {
        constexpr std::array<std::string_view, 10> kWords{
            "null", "[]", "{}", "\"\"", "-1", "1e400", "true", "\"\\u0000\"", "completed", "99"
        };
        const auto at = below(text.size());
        const auto length = 1 + below(std::min<std::size_t>(text.size() - at, 16));
        switch (below(5)) {
        case 0:
            text[at] = static_cast<char>(chance_.draw().bits & 0xFFU);
            break;
        case 1:
            text.erase(at, length);
            break;
        case 2:
            text.insert(at, text.substr(at, length));
            break;
        case 3:
            text.replace(at, length, donor.substr(below(donor.size()), length));
            break;
        default:
            text.replace(at, length, kWords[below(kWords.size())]);
        }
    }

    sim::SeededChance chance_;
};

bool is_senders_mistake(Errc code) {
    return code == Errc::invalid || code == Errc::forbidden || code == Errc::conflict ||
           code == Errc::not_found;
}

TEST_F(CallingBack, TenThousandMutatedBodiesPutNothingInTheWrongPlace) {
    const auto second = dispatched("d-2");
    Callbacks unhurried{
        {.upstreams = {kUpstream, kSecond}, .sinks = {}, .per_minute = 60'000},
        {.store = store, .clock = clock, .book = book, .mint = mint, .commits = commits}
    };
    const auto one = body({.delivery = "d-1", .token = token, .status = "completed"});
    const auto two = body({.delivery = "d-2", .token = second, .status = "completed", .run = "8"});
    Mutator mutator(4);
    std::size_t taken = 0;
    std::size_t bound = 0;
    for (int i = 0; i < kMutations; ++i) {
        const bool first = mutator.below(2) == 0;
        const auto text = mutator.mutated(first ? one : two, first ? two : one);
        const auto outcome = wait_for(unhurried.accept(caller(), text));
        if (!outcome) {
            ASSERT_TRUE(is_senders_mistake(outcome.error().code)) << outcome.error().detail;
            continue;
        }
        ++taken;
        if (outcome->bound) {
            ++bound;
            const auto said = wire::parse_callback(text);
            ASSERT_TRUE(said) << text;
            const auto& good = said->delivery.text() == "d-1" ? token : second;
            ASSERT_EQ(said->callback_token, good) << text;
        }
        clock.advance(1ms);
    }
    EXPECT_GT(taken, 100U) << "hardly a mutation was small enough to tell anything";
    EXPECT_GT(bound, 100U);
    EXPECT_LT(bound, static_cast<std::size_t>(kMutations));
    for (const auto* const delivery : {"d-1", "d-2"}) {
        std::set<std::string> runs;
        for (const auto& job : jobs_of(delivery)) {
            EXPECT_EQ(job.subject.head, kHead);
            EXPECT_EQ(job.subject.downstream, kDownstream);
            if (job.counts && job.key.workflow == "ci") {
                runs.insert(job.key.run_id);
            }
        }
        EXPECT_EQ(runs.size(), 1U) << "one run has the claim";
    }
}

} // namespace
} // namespace baton::relay
