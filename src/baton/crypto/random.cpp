#include "baton/crypto/random.hpp"

#include "baton/base/result.hpp"
#include "baton/crypto/openssl.hpp"

#include <openssl/rand.h>

#include <cstddef>
#include <limits>
#include <string>

namespace baton::crypto {

Result<std::string> random_bytes(std::size_t count) {
    const ErrorsForgotten forget;
    if (count > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
        return fail(Errc::invalid, "too many random bytes asked for at once");
    }
    std::string bytes(count, '\0');
    auto* place = reinterpret_cast<unsigned char*>(bytes.data());
    if (RAND_bytes(place, static_cast<int>(count)) != 1) {
        return fail(Errc::unavailable, "the system gives no random bytes");
    }
    return bytes;
}

} // namespace baton::crypto
