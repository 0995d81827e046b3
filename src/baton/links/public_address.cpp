#include "baton/links/link_check.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace baton::links {

namespace {

struct Range4 {
    std::uint32_t network;
    int bits;
};

constexpr std::uint32_t quad(unsigned a, unsigned b, unsigned c, unsigned d) {
    return (a << 24U) | (b << 16U) | (c << 8U) | d;
}

// RFC 6890 and its register: what is not forwarded on the internet.
constexpr std::array<Range4, 15> kReserved{{
    {.network = quad(0, 0, 0, 0), .bits = 8},
    {.network = quad(10, 0, 0, 0), .bits = 8},
    {.network = quad(100, 64, 0, 0), .bits = 10},
    {.network = quad(127, 0, 0, 0), .bits = 8},
    {.network = quad(169, 254, 0, 0), .bits = 16},
    {.network = quad(172, 16, 0, 0), .bits = 12},
    {.network = quad(192, 0, 0, 0), .bits = 24},
    {.network = quad(192, 0, 2, 0), .bits = 24},
    {.network = quad(192, 88, 99, 0), .bits = 24},
    {.network = quad(192, 168, 0, 0), .bits = 16},
    {.network = quad(198, 18, 0, 0), .bits = 15},
    {.network = quad(198, 51, 100, 0), .bits = 24},
    {.network = quad(203, 0, 113, 0), .bits = 24},
    {.network = quad(224, 0, 0, 0), .bits = 4},
    {.network = quad(240, 0, 0, 0), .bits = 4},
}};

bool is_public4(std::span<const std::uint8_t> bytes) {
    const auto address = quad(bytes[0], bytes[1], bytes[2], bytes[3]);
    return std::ranges::none_of(kReserved, [address](const Range4& range) {
        return (address ^ range.network) >> static_cast<unsigned>(32 - range.bits) == 0;
    });
}

/// Of IPv6 only 2000::/3 is given out; in it, what carries IPv4 inside or is for examples is not.
bool is_public6(std::span<const std::uint8_t> bytes) {
    const auto starts = [bytes](std::initializer_list<std::uint8_t> prefix) {
        return std::equal(prefix.begin(), prefix.end(), bytes.begin());
    };
    const bool global = (bytes[0] & 0xE0U) == 0x20U;
    return global && !starts({0x20, 0x02}) && !starts({0x20, 0x01, 0x00, 0x00}) &&
           !starts({0x20, 0x01, 0x0D, 0xB8}) && !starts({0x3F, 0xFF});
}

} // namespace

bool is_public(std::span<const std::uint8_t> address) {
    constexpr std::size_t kBytes4 = 4;
    constexpr std::size_t kBytes6 = 16;
    if (address.size() == kBytes4) {
        return is_public4(address);
    }
    return address.size() == kBytes6 && is_public6(address);
}

} // namespace baton::links
