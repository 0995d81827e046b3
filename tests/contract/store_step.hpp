#pragma once

#include "baton/base/result.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstdint>
#include <string>
#include <utility>

#include "contract/checks_text.hpp"
#include "contract/results_text.hpp"
#include "contract/store_text.hpp"
#include "support/run_awaitable.hpp"

namespace baton::test {

/// One call, drawn at random: what to do and a few numbers that say with what.
struct Step {
    int verb{0};
    int seconds{0}; // that pass before it
    std::uint64_t draw{0};

    /// A number below `n`; each call the next one of the sequence that the draw starts.
    int pick(std::uint64_t n) {
        draw = (draw * 6364136223846793005U) + 1442695040888963407U;
        return static_cast<int>((draw >> 33U) % n);
    }
};

inline constexpr int kVerbs = 29;
inline constexpr int kVerbsOfTheRelay = 18; // the first ones: what they did shows from outside

inline std::string delivery_name(int number) {
    return "d" + std::to_string(number);
}

inline std::string downstream_name(int number) {
    constexpr const char* kNames[] = {"a/one", "A/One", "b/two", "c/three_3"};
    return kNames[number];
}

inline std::string head_name(int number) {
    return std::string(4, static_cast<char>('a' + number));
}

/// What a store answers, as text.
template <class T> std::string answer(boost::asio::awaitable<Result<T>> verb) {
    return text_of(run_awaitable(std::move(verb)));
}

} // namespace baton::test
