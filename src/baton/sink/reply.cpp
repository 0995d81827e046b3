#include "baton/sink/reply.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/letter.hpp"
#include "baton/net/client.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::sink {

namespace {

/// Only as a number of seconds: a date would be by a clock that we do not know.
std::optional<Millis> retry_after(const net::ClientReply& reply) {
    const auto told = whole_number(trimmed(reply.headers.find("retry-after").value_or("")));
    constexpr std::int64_t kSecondsMax = 24 * 3600;
    if (!told || *told < 0 || *told > kSecondsMax) {
        return std::nullopt;
    }
    return std::chrono::seconds{*told};
}

} // namespace

domain::SinkAnswer answer_in(
    const tl::expected<net::ClientReply, net::ClientFailure>& reply,
    std::string_view who,
    std::string_view secret
) {
    if (!reply) {
        return {.status = 0, .detail = inert(reply.error().detail), .retry_after = {}};
    }
    const bool quotable = secret.empty() || reply->body.find(secret) == std::string::npos;
    return {
        .status = reply->status,
        .detail = fmt::format(
            "{} answered {}{}{}",
            who,
            reply->status,
            reply->body.empty() || !quotable ? "" : ": ",
            quotable ? inert(reply->body) : ""
        ),
        .retry_after = retry_after(*reply),
    };
}

} // namespace baton::sink
