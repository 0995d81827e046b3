#include "baton/api/webhook.hpp"

#include "baton/base/forms.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/webhook_signature.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/journal.hpp"
#include "baton/relay/intake.hpp"
#include "baton/wire/json_text.hpp"
#include "baton/wire/webhook.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace baton::api {

namespace asio = boost::asio;

namespace {

constexpr std::string_view kSignature = "X-Hub-Signature-256";
constexpr std::string_view kDelivery = "X-GitHub-Delivery";
constexpr std::string_view kEvent = "X-GitHub-Event";

class SignatureTap final : public net::BodyTap {
public:
    explicit SignatureTap(const WebhookKeys::Keys& keys)
        : check_(keys) {}

    void chunk(std::span<const char> bytes) override { check_.update(bytes); }

    std::optional<crypto::SignatureProof> finish(std::string_view header) {
        return check_.finish(header);
    }

private:
    crypto::SignatureCheck check_;
};

net::Response refusal(int status, std::string_view detail) {
    return {.status = status, .body = fmt::format(R"({{"detail":{}}})", wire::json_quoted(detail))};
}

/// Printable, and short enough for a key: it goes into rows, logs and the payload.
bool is_delivery_id(std::string_view id) {
    return !id.empty() && id.size() <= limits::kDeliveryIdBytesMax && is_visible_ascii(id);
}

net::Response answer_to(const Result<relay::Receipt>& receipt, const DeliveryId& delivery) {
    if (receipt) {
        switch (receipt->kind) {
        case relay::Receipt::Kind::accepted:
            return {
                .status = 202,
                .body = fmt::format(
                    R"({{"ok":true,"accepted":true,"delivery_id":{}}})",
                    wire::json_quoted(delivery.text())
                ),
            };
        case relay::Receipt::Kind::duplicate:
            return {.status = 200, .body = R"({"ok":true,"duplicate":true})"};
        case relay::Receipt::Kind::ignored:
            return {
                .status = 200,
                .body = fmt::format(
                    R"({{"ignored":true,"reason":{}}})", wire::json_quoted(receipt->reason)
                ),
            };
        }
    }
    if (receipt.error().code == Errc::invalid) {
        return refusal(400, receipt.error().detail);
    }
    auto unavailable = refusal(503, "Cannot record the event now; deliver it again");
    unavailable.headers.add("Retry-After", std::to_string(limits::kRetryAfter.count()));
    return unavailable;
}

std::string_view outcome_of(const Result<relay::Receipt>& receipt) {
    if (!receipt) {
        return receipt.error().code == Errc::invalid ? "refused" : "unavailable";
    }
    switch (receipt->kind) {
    case relay::Receipt::Kind::accepted:
        return "accepted";
    case relay::Receipt::Kind::duplicate:
        return "duplicate";
    case relay::Receipt::Kind::ignored:
        return "ignored";
    }
    return "accepted";
}

/// One webhook request from its complete body to its answer.
class WebhookEndpoint {
public:
    explicit WebhookEndpoint(WebhookSurroundings around)
        : around_(around) {}

    std::unique_ptr<net::BodyTap> tap() const {
        return std::make_unique<SignatureTap>(around_.keys.current());
    }

    std::optional<net::Response> early(const net::RequestHead& head) const {
        if (head.headers.find(kSignature)) {
            return std::nullopt;
        }
        note(
            {.event = event_of(head), .status = 400, .outcome = "refused", .reason = "no signature"}
        );
        return refusal(400, "No signature");
    }

    asio::awaitable<net::Response> answer(net::Request request) const {
        const auto began = around_.clock.now();
        ports::WebhookAnswered entry{
            .event = event_of(request.head), .body_bytes = request.body.size()
        };
        auto& tap = dynamic_cast<SignatureTap&>(*request.tap);
        const auto signature = request.head.headers.find(kSignature);
        const bool once = request.head.headers.count(kSignature) == 1;
        const auto proof = once ? tap.finish(*signature) : std::nullopt;
        if (!proof) {
            co_return refused(std::move(entry), 401, "bad signature", "Bad signature");
        }
        request.share.release(); // from here on these bytes are GitHub's
        const auto delivery = request.head.headers.find(kDelivery).value_or("");
        if (!is_delivery_id(delivery)) {
            co_return refused(std::move(entry), 400, "no delivery id", "No delivery id");
        }
        entry.delivery = DeliveryId(std::string(delivery));
        wire::WebhookHead head{.event = entry.event, .delivery = entry.delivery};
        wire::VerifiedWebhook webhook(*proof, std::move(head), std::move(request.body));
        const auto receipt = co_await around_.intake.accept(std::move(webhook));
        auto response = answer_to(receipt, entry.delivery);
        entry.status = response.status;
        entry.outcome = outcome_of(receipt);
        if (receipt) {
            entry.action = receipt->action;
            entry.reason = receipt->reason;
        } else {
            entry.reason =
                receipt.error().code == Errc::invalid ? "unusable body" : "store unavailable";
        }
        entry.took = around_.clock.now() - began;
        note(entry);
        co_return response;
    }

private:
    static std::string event_of(const net::RequestHead& head) {
        return std::string(head.headers.find(kEvent).value_or(""));
    }

    net::Response refused(
        ports::WebhookAnswered entry, int status, std::string_view reason, std::string_view detail
    ) const {
        entry.status = status;
        entry.outcome = "refused";
        entry.reason = reason;
        note(entry);
        return refusal(status, detail);
    }

    void note(const ports::WebhookAnswered& entry) const { around_.journal.note(entry); }

    WebhookSurroundings around_;
};

} // namespace

net::Route webhook_route(WebhookSurroundings around) {
    const auto endpoint = std::make_shared<const WebhookEndpoint>(around);
    return {
        .method = "POST",
        .path = "/github/webhook",
        .handler = [endpoint](net::Request request
                   ) { return endpoint->answer(std::move(request)); },
        .body_bytes_max = limits::kWebhookBodyBytesMax,
        .tap = [endpoint](const net::RequestHead&) { return endpoint->tap(); },
        .early = [endpoint](const net::RequestHead& head) { return endpoint->early(head); },
    };
}

} // namespace baton::api
