#include "baton/crypto/ecdsa_form.hpp"

#include "baton/base/assert.hpp"
#include "baton/crypto/openssl.hpp"

#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/types.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace baton::crypto {

namespace {

unsigned char* place_in(std::string& bytes) {
    return reinterpret_cast<unsigned char*>(bytes.data());
}

} // namespace

std::optional<std::string> der_from_pair(std::string_view pair) {
    if (pair.size() != 2 * kP256Bytes) {
        return std::nullopt;
    }
    const Owned<ECDSA_SIG> signature(ECDSA_SIG_new());
    const auto* const bytes = bytes_of(pair);
    Owned<BIGNUM> r(BN_bin2bn(bytes, kP256Bytes, nullptr));
    Owned<BIGNUM> s(BN_bin2bn(bytes + kP256Bytes, kP256Bytes, nullptr));
    BATON_ASSERT(signature != nullptr && r != nullptr && s != nullptr);
    // It takes the two over.
    BATON_ASSERT(ECDSA_SIG_set0(signature.get(), r.release(), s.release()) == 1);
    const auto size = i2d_ECDSA_SIG(signature.get(), nullptr);
    BATON_ASSERT(size > 0);
    std::string der(static_cast<std::size_t>(size), '\0');
    auto* place = place_in(der);
    BATON_ASSERT(i2d_ECDSA_SIG(signature.get(), &place) == size);
    return der;
}

std::string pair_from_der(std::string_view der) {
    const auto* place = bytes_of(der);
    const Owned<ECDSA_SIG> signature(d2i_ECDSA_SIG(nullptr, &place, static_cast<long>(der.size())));
    BATON_ASSERT(signature != nullptr);
    std::string pair(2 * kP256Bytes, '\0');
    auto* const into = place_in(pair);
    const auto* const r = ECDSA_SIG_get0_r(signature.get());
    const auto* const s = ECDSA_SIG_get0_s(signature.get());
    BATON_ASSERT(BN_bn2binpad(r, into, kP256Bytes) == kP256Bytes);
    BATON_ASSERT(BN_bn2binpad(s, into + kP256Bytes, kP256Bytes) == kP256Bytes);
    return pair;
}

} // namespace baton::crypto
