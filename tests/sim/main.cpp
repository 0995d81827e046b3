#include <gtest/gtest.h>

#include <charconv>
#include <cstdint>
#include <string_view>

#include "sim/options.hpp"

namespace baton::test {

Options& options() {
    static Options chosen;
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
    auto& chosen = baton::test::options();
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument(argv[i]);
        if (take_number(argument, "--replay=", chosen.first_seed)) {
            chosen.seeds = 1;
            chosen.chronicle = true;
            ::testing::GTEST_FLAG(filter) = "*RelaySimCampaign*";
        } else if (argument == "--chronicle") {
            chosen.chronicle = true;
        } else if (!take_number(argument, "--seeds=", chosen.seeds) &&
                   !take_number(argument, "--first-seed=", chosen.first_seed) &&
                   !take_number(argument, "--walk-stride=", chosen.walk_stride)) {
            return 2;
        }
    }
    return RUN_ALL_TESTS();
}
