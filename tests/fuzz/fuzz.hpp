#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

/// What every fuzz target defines: takes any bytes and holds its promises, or calls broken().
/// libFuzzer's name, so that the same file is a fuzz target and a regression test (replay.cpp).
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace baton::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

/// A promise was not kept: says which and ends the process, so that the input is kept.
[[noreturn]] void broken(const char* promise);

inline void promise(bool kept, const char* words) {
    if (!kept) {
        broken(words);
    }
}

/// Whether it can be shown to a person: no control character moves the cursor or ends the line.
inline bool is_inert(std::string_view text) {
    return std::ranges::none_of(text, [](char c) {
        return static_cast<unsigned char>(c) < ' ' || c == 0x7F;
    });
}

/// The text up to the first `mark`, which is taken off `rest` together with the mark.
inline std::string_view take_until(std::string_view& rest, char mark) {
    const auto end = rest.find(mark);
    const auto part = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return part;
}

} // namespace baton::fuzz
