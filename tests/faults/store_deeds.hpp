#pragma once

#include "baton/base/time.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/seeded_chance.hpp"
#include "baton/store/memory/memory_store.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "contract/store_fixture.hpp"
#include "contract/store_player.hpp"
#include "contract/store_text.hpp"

namespace baton::test {

/// One thing done to a store: a step of the player's random life, a delivery whose body takes
/// several pages, or the start of a relay.
struct Deed {
    Step step;
    std::optional<int> big;          // the number of a big delivery
    std::optional<TimePoint> starts; // when
};

/// What a store that cannot commit now answers.
inline constexpr std::string_view kRefused = "unavailable";

inline Deed drawn_step(sim::SeededChance& chance) {
    Deed deed;
    // Not the operator's verbs: some leave nothing but a line in the ledger, so that whether one of
    // them happened before the plug was pulled cannot be told by looking.
    deed.step.verb = static_cast<int>(chance.draw().below(kVerbsOfTheRelay));
    deed.step.seconds = static_cast<int>(
        chance.draw().below(30) == 0 ? chance.draw().below(40'000) : chance.draw().below(12)
    );
    deed.step.draw = chance.draw().bits;
    return deed;
}

inline ports::NewDelivery big_delivery(int number) {
    auto delivery = a_delivery("big" + std::to_string(number), at(number));
    sim::SeededChance noise(static_cast<std::uint64_t>(number));
    const auto size = 1000 + noise.draw().below(30'000);
    delivery.body.clear();
    while (delivery.body.size() < size) {
        const auto bits = noise.draw().bits;
        delivery.body.append(reinterpret_cast<const char*>(&bits), sizeof bits);
    }
    return delivery;
}

/// The relay's side of a store: does deeds and describes what it sees.
class Doer {
public:
    explicit Doer(ports::Store& store)
        : store_(&store)
        , player_(store) {}

    void go_on_with(ports::Store& store) {
        store_ = &store;
        player_.go_on_with(store);
    }

    std::string perform(const Deed& deed) {
        if (deed.starts) {
            return player_.start(*deed.starts);
        }
        if (deed.big) {
            return text_of(run_awaitable(store_->insert_delivery(big_delivery(*deed.big))));
        }
        return player_.play(deed.step);
    }

    /// Everything that can be seen from outside; `bigs` is how many big deliveries there ever were.
    std::string picture(int bigs) {
        auto text = player_.picture();
        for (int i = 0; i < bigs; ++i) {
            const auto id = big_delivery(i).id;
            text += "\n" + text_of(run_awaitable(store_->delivery_history(id)));
            text += text_of(run_awaitable(store_->body_of(id)));
        }
        return text;
    }

private:
    ports::Store* store_;
    Player player_;
};

/// What the store should hold: the same deeds done to one in memory, which knows no disk.
struct Expectation {
    explicit Expectation(const std::vector<Deed>& deeds)
        : store(std::make_unique<store::MemoryStore>())
        , doer(*store) {
        for (const auto& deed : deeds) {
            static_cast<void>(doer.perform(deed));
        }
    }

    std::unique_ptr<store::MemoryStore> store;
    Doer doer;
};

} // namespace baton::test
