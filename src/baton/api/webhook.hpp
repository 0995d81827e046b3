#pragma once

#include "baton/crypto/webhook_signature.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/journal.hpp"
#include "baton/relay/intake.hpp"

#include <memory>
#include <mutex>
#include <utility>

namespace baton::api {

/// The webhook secrets in force. Replaced by a reload while requests are under way: each request
/// keeps the set it began with. Any thread.
class WebhookKeys {
public:
    using Keys = std::shared_ptr<const crypto::SignatureKeys>;

    explicit WebhookKeys(Keys keys)
        : keys_(std::move(keys)) {}

    Keys current() const {
        const std::scoped_lock lock(mutex_);
        return keys_;
    }

    void replace(Keys keys) {
        const std::scoped_lock lock(mutex_);
        keys_ = std::move(keys);
    }

private:
    mutable std::mutex mutex_;
    Keys keys_;
};

struct WebhookSurroundings {
    relay::Intake& intake;
    const WebhookKeys& keys;
    ports::Clock& clock;
    ports::Journal& journal;
};

/// `POST /github/webhook` as SPEC section 6 has it: the signature is computed while the body is
/// read and checked before anything is parsed; 2xx only once the event is on disk. The surroundings
/// outlive the server.
net::Route webhook_route(WebhookSurroundings around);

} // namespace baton::api
