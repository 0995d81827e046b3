#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace baton::test {

/// What the command line chose: --seed=N, --seconds=N, --long. Without a word, what ./dev test
/// does.
struct ChaosOptions {
    std::uint64_t seed{20'261'118};
    std::uint64_t seconds{20};
    bool is_long{false}; // GitHub sends webhooks by itself, and loses some; measures take longer
};

ChaosOptions& chaos_options();

} // namespace baton::test
