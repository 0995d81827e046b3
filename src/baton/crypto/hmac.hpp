#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace baton::crypto {

inline constexpr std::size_t kSha256Bytes = 32;
using Sha256Bytes = std::array<char, kSha256Bytes>;

/// The bytes as text that compares, hashes and encodes; valid as long as `bytes`.
inline std::string_view view_of(const Sha256Bytes& bytes) {
    return {bytes.data(), bytes.size()};
}

class Hmac;

/// A secret made ready once. Looking the algorithm up and mixing the key in is the larger part of
/// signing something short, so each message starts from a copy of this state. Immutable: any thread
/// may start from it.
class HmacKey {
public:
    /// The secret must not be empty: OpenSSL takes an empty one for "the key of last time".
    explicit HmacKey(std::string_view secret);
    HmacKey(HmacKey&&) noexcept;
    HmacKey& operator=(HmacKey&&) noexcept;
    HmacKey(const HmacKey&) = delete;
    HmacKey& operator=(const HmacKey&) = delete;
    ~HmacKey();

    Hmac start() const;
    Sha256Bytes sign(std::string_view message) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// HMAC-SHA256 of one message that arrives in pieces.
class Hmac {
public:
    Hmac(Hmac&&) noexcept;
    Hmac& operator=(Hmac&&) noexcept;
    Hmac(const Hmac&) = delete;
    Hmac& operator=(const Hmac&) = delete;
    ~Hmac();

    void update(std::span<const char> bytes);
    /// Once, at the end.
    Sha256Bytes finish();

private:
    friend class HmacKey;
    struct State;
    explicit Hmac(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace baton::crypto
