#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::relay {

/// Why a report was not taken, for its sender.
struct CallbackRefusal {
    Errc code{Errc::invalid};
    std::string_view reason; // fixed words, so that they can be counted
    std::string detail;      // what, where, what to do
    std::optional<Millis> retry_after{};
};

inline tl::unexpected<CallbackRefusal>
refuse(Errc code, std::string_view reason, std::string detail) {
    return tl::unexpected(
        CallbackRefusal{.code = code, .reason = reason, .detail = std::move(detail)}
    );
}

inline tl::unexpected<CallbackRefusal> store_trouble() {
    return refuse(
        Errc::unavailable, "store unavailable", "Cannot record the result now; send it again"
    );
}

} // namespace baton::relay
