#pragma once

#include "baton/base/ids.hpp"
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
    std::string cause{};   // of our own trouble: for the log, not for the sender
    DeliveryId delivery{}; // that the body names; empty: it was not read that far
};

inline tl::unexpected<CallbackRefusal>
refuse(Errc code, std::string_view reason, std::string detail) {
    return tl::unexpected(
        CallbackRefusal{.code = code, .reason = reason, .detail = std::move(detail)}
    );
}

inline tl::unexpected<CallbackRefusal> store_trouble(const Error& cause) {
    return tl::unexpected(CallbackRefusal{
        .code = Errc::unavailable,
        .reason = "store unavailable",
        .detail = "Cannot record the result now; send it again",
        .cause = cause.detail,
    });
}

} // namespace baton::relay
