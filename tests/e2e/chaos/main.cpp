#include <gtest/gtest.h>

#include <charconv>
#include <cstdint>
#include <string_view>
#include <system_error>

#include "e2e/chaos/options.hpp"

namespace baton::test {

ChaosOptions& chaos_options() {
    static ChaosOptions chosen;
    return chosen;
}

} // namespace baton::test

namespace {

bool take_number(std::string_view argument, std::string_view name, std::uint64_t& into) {
    if (!argument.starts_with(name)) {
        return false;
    }
    const auto digits = argument.substr(name.size());
    return std::from_chars(digits.data(), digits.data() + digits.size(), into).ec == std::errc{};
}

} // namespace

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    auto& chosen = baton::test::chaos_options();
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument(argv[i]);
        if (argument == "--long") {
            chosen.is_long = true;
        } else if (!take_number(argument, "--seed=", chosen.seed) &&
                   !take_number(argument, "--seconds=", chosen.seconds)) {
            return 2;
        }
    }
    return RUN_ALL_TESTS();
}
