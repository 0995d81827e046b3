#pragma once

#include "baton/base/result.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace baton::crypto {

/// How identity tokens may be signed (RFC 7518). There is no third way: "none" and the ones with a
/// shared secret are words that nothing here can say.
enum class Algorithm : std::uint8_t { rs256 = 1, es256 };

std::string_view name_of(Algorithm algorithm); // RS256, ES256
std::optional<Algorithm> algorithm_named(std::string_view name);

/// The public half of a key by which somebody else signs identity tokens. It knows the one
/// algorithm that it is for, so a token's header cannot choose another. Immutable, cheap to copy,
/// any thread.
class VerificationKey {
public:
    static constexpr int kRsaBitsMin = 2048;
    static constexpr int kRsaBitsMax = 8192; // one check takes a millisecond or less
    static constexpr int kExponentBitsMax = 64;

    /// Numbers as a JWK has them: big-endian bytes. `invalid` for a modulus of another size or
    /// even, and for an exponent that is even, 1, or very long.
    struct RsaParts {
        std::string_view modulus;
        std::string_view exponent;
    };

    static Result<VerificationKey> rsa(RsaParts parts);

    /// Coordinates of 32 bytes each. `invalid` for a point that is not on P-256.
    struct PointParts {
        std::string_view x;
        std::string_view y;
    };

    static Result<VerificationKey> p256(PointParts parts);

    Algorithm algorithm() const;

    /// An ES256 signature is r and s, 32 bytes each.
    bool verifies(std::string_view message, std::string_view signature) const;

private:
    struct Handle;
    explicit VerificationKey(std::shared_ptr<const Handle> handle);
    std::shared_ptr<const Handle> handle_;
};

} // namespace baton::crypto
