#include "baton/crypto/jws.hpp"

#include "baton/base/result.hpp"
#include "baton/crypto/base64url.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace baton::crypto {

Result<CompactJws> take_apart(std::string_view token) {
    if (token.size() > kJwsBytesMax) {
        return fail(Errc::invalid, fmt::format("it is longer than {} bytes", kJwsBytesMax));
    }
    const auto first = token.find('.');
    const auto last = token.rfind('.');
    if (last != std::string_view::npos && last + 1 == token.size()) {
        return fail(Errc::invalid, "it has no signature");
    }
    if (std::ranges::count(token, '.') != 2 || first == 0 || first + 1 == last) {
        return fail(Errc::invalid, "it does not have three parts");
    }
    auto header = from_base64url(token.substr(0, first));
    auto payload = from_base64url(token.substr(first + 1, last - first - 1));
    auto signature = from_base64url(token.substr(last + 1));
    if (!header || !payload || !signature) {
        return fail(Errc::invalid, "it is not base64url");
    }
    return CompactJws{
        .header = *std::move(header),
        .payload = *std::move(payload),
        .signed_part = token.substr(0, last),
        .signature = *std::move(signature),
    };
}

} // namespace baton::crypto
