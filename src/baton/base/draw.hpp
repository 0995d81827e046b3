#pragma once

#include <cstdint>

namespace baton {

/// One draw of 64 random bits, brought by the caller so that pure functions stay pure. Our own few
/// lines: the standard distributions differ between libraries and would break replays.
struct Draw {
    std::uint64_t bits{0};

    /// In [0, 1).
    double unit() const { return static_cast<double>(bits >> 11U) * 0x1.0p-53; }

    /// In [0, n); n must not be 0.
    std::uint64_t below(std::uint64_t n) const {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::uint64_t>((static_cast<Wide>(bits) * n) >> 64U);
    }
};

} // namespace baton
