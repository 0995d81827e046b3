#include "baton/wire/dispatch_body.hpp"

#include "baton/base/assert.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/crypto/callback_token.hpp"
#include "baton/domain/level.hpp"
#include "baton/wire/json_text.hpp"
#include "baton/wire/trim.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

constexpr std::size_t kEventTypeBytesMax = 100; // GitHub's limit

/// What for_downstream adds between head and tail, at its longest: the names, a token, a
/// generation, a level.
constexpr std::size_t kMiddleBytesMax =
    std::string_view(R"(,"callback_token":"","baton":{"generation":-2147483648,"level":"L4",)")
        .size() +
    crypto::kCallbackTokenBytesMax;

constexpr std::string_view kTrimmedOpen = R"(,"trimmed":[)";

std::string tail_of(std::string_view upstream, const std::vector<std::string>& trimmed) {
    auto tail = fmt::format(R"("upstream":{})", json_quoted(upstream));
    if (!trimmed.empty()) {
        tail += kTrimmedOpen;
        for (const auto& name : trimmed) {
            tail += json_quoted(name);
            tail += ',';
        }
        tail.back() = ']';
    }
    return tail + "}}}"; // baton, client_payload, the whole
}

} // namespace

Result<DispatchBody> DispatchBody::make(const DeliveryFacts& facts, std::string_view payload_json) {
    if (facts.event_type.empty() || facts.event_type.size() > kEventTypeBytesMax) {
        return fail(
            Errc::invalid,
            fmt::format("GitHub takes event types of 1 to {} bytes", kEventTypeBytesMax)
        );
    }
    const auto event_type = json_quoted(facts.event_type);
    auto head = fmt::format(R"({{"event_type":{},"client_payload":)", event_type);
    const auto client_payload_at = head.size();
    head += fmt::format(
        R"({{"event_type":{},"delivery_id":{},"payload":)",
        event_type,
        json_quoted(facts.delivery.text())
    );

    const auto others = head.size() - client_payload_at + kMiddleBytesMax + kTrimmedOpen.size() +
                        1 + tail_of(facts.upstream.text(), {}).size();
    if (others >= limits::kClientPayloadBytesMax) {
        return fail(Errc::invalid, "the delivery id leaves no room for the payload");
    }
    BATON_TRY(
        auto payload, trim(payload_json, limits::kClientPayloadBytesMax - 1 - others, facts.trim)
    );

    DispatchBody body;
    body.head_ = std::move(head) + payload.json;
    body.tail_ = tail_of(facts.upstream.text(), payload.trimmed);
    body.trimmed_ = std::move(payload.trimmed);
    return body;
}

std::string DispatchBody::for_downstream(const DownstreamFacts& facts) const {
    const auto token = json_quoted(facts.callback_token);
    BATON_ASSERT(token.size() <= crypto::kCallbackTokenBytesMax + 2);
    std::string body;
    body.reserve(head_.size() + kMiddleBytesMax + tail_.size());
    body += head_;
    if (!facts.callback_token.empty()) {
        body += R"(,"callback_token":)";
        body += token;
    }
    body += fmt::format(
        R"(,"baton":{{"generation":{},"level":"{}",)",
        facts.generation,
        domain::name_of(facts.level)
    );
    body += tail_;
    return body;
}

} // namespace baton::wire
