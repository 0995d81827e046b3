#pragma once

#include "baton/base/draw.hpp"
#include "baton/ports/chance.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

namespace baton::sim {

/// The next of a splitmix64 sequence. Spreads a small seed over 64 bits, so that seeds 1, 2, 3
/// share nothing.
inline std::uint64_t splitmix(std::uint64_t& state) {
    state += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
}

/// A seed of its own for one named part of a world: what one part draws never shifts what another
/// draws.
inline std::uint64_t seed_for(std::uint64_t seed, std::string_view part) {
    std::uint64_t mixed = seed;
    for (const char c : part) {
        mixed = splitmix(mixed) ^ static_cast<unsigned char>(c);
    }
    return splitmix(mixed);
}

/// Chance from a seed (xoshiro256**): equal seeds give equal draws on every machine and library.
/// One thread.
class SeededChance final : public ports::Chance {
public:
    explicit SeededChance(std::uint64_t seed) {
        for (auto& word : state_) {
            word = splitmix(seed);
        }
    }

    Draw draw() override {
        const std::uint64_t bits = std::rotl(state_[1] * 5, 7) * 9;
        const std::uint64_t shifted = state_[1] << 17U;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return Draw{.bits = bits};
    }

private:
    std::array<std::uint64_t, 4> state_{};
};

} // namespace baton::sim
