#include "baton/crypto/constant_time.hpp"

#include <openssl/crypto.h>

#include <string_view>

namespace baton::crypto {

bool equal_in_constant_time(std::string_view a, std::string_view b) {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

} // namespace baton::crypto
