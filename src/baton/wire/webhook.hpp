#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/crypto/webhook_signature.hpp"
#include "baton/domain/event.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace baton::wire {

/// What the headers of a webhook say.
struct WebhookHead {
    std::string event;   // X-GitHub-Event
    DeliveryId delivery; // X-GitHub-Delivery
};

/// A webhook whose signature was checked over exactly these bytes. It cannot be made without the
/// proof, so whoever asks for one cannot be handed bytes that nobody checked.
class VerifiedWebhook {
public:
    /// The proof has to be that of this very body: another length breaks a promise of the caller.
    VerifiedWebhook(crypto::SignatureProof proof, WebhookHead head, std::string body);

    const WebhookHead& head() const { return head_; }

    const std::string& body() const { return body_; }

    /// Which secret signed it: an old one that is still in use is worth knowing before it is
    /// removed.
    std::size_t secret_index() const { return proof_.secret_index(); }

    /// Gives the bytes away, to be stored.
    std::string take_body() && { return std::move(body_); }

private:
    crypto::SignatureProof proof_;
    WebhookHead head_;
    std::string body_;
};

/// Reads a webhook at the edge. The whole document is checked to be JSON, then the fields that
/// Baton acts on are read; everything else stays unread.
///
/// Fails with `invalid` only: "Invalid JSON body" (also: nested deeper than limits::kJsonDepthMax,
/// or a number beyond 64 bits), "Body is not a JSON object", or the JSON pointer of a field that is
/// missing or of the wrong kind: "/pull_request/head/sha: expected 40 hex digits".
///
/// Fast path: no copy is made when the body's string has 64 bytes of spare capacity; reserve them
/// before reading into it. Any thread; a parser is kept per thread and never held across an await.
Result<domain::Event> parse_event(const VerifiedWebhook& webhook);

/// The same for a body that Baton itself stored after it was verified. Never for bytes from
/// outside.
Result<domain::Event> parse_stored_event(const WebhookHead& head, std::string_view body);

} // namespace baton::wire
