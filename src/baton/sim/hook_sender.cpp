#include "baton/sim/hook_sender.hpp"

#include "baton/base/result.hpp"
#include "baton/crypto/hmac.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/net/client.hpp"
#include "baton/net/url.hpp"
#include "baton/ports/clock.hpp"
#include "baton/sim/hook_log.hpp"
#include "baton/sim/sending_thread.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace baton::sim {

namespace asio = boost::asio;

namespace {

constexpr std::int64_t kHookId = 1;

net::ClientRequest request_for(const HookLetter& letter, std::string target) {
    const auto& webhook = *letter.webhook;
    net::ClientRequest request{.method = "POST", .target = std::move(target), .body = webhook.body};
    auto& headers = request.headers;
    headers.add("Accept", "*/*");
    headers.add("Content-Type", "application/json");
    headers.add("X-GitHub-Delivery", webhook.id.text());
    headers.add("X-GitHub-Event", webhook.event);
    headers.add("X-GitHub-Hook-ID", std::to_string(kHookId));
    headers.add("X-GitHub-Hook-Installation-Target-ID", std::to_string(letter.app_id));
    headers.add("X-GitHub-Hook-Installation-Target-Type", "integration");
    if (!letter.target.secret.empty()) {
        const auto signature = crypto::HmacKey(letter.target.secret).sign(webhook.body);
        headers.add("X-Hub-Signature-256", "sha256=" + crypto::to_hex(crypto::view_of(signature)));
    }
    return request;
}

constexpr std::size_t kPayloadBytesMax = 4096; // of an answer, for the log

struct Ending {
    int code;
    std::string status;
};

Ending ending_of(const tl::expected<net::ClientReply, net::ClientFailure>& reply) {
    if (reply) {
        const bool fine = reply->status >= 200 && reply->status < 300;
        return {
            .code = reply->status,
            .status = fine ? "OK" : fmt::format("Invalid HTTP Response: {}", reply->status)
        };
    }
    if (reply.error().code == Errc::timed_out) {
        return {.code = 504, .status = "timed out"};
    }
    return {.code = 502, .status = "failed to connect to host"};
}

} // namespace

class HookSender::Impl {
public:
    Impl(Office office, ports::Clock& clock, Options options)
        : office_(std::move(office))
        , clock_(clock)
        , options_(options)
        , thread_("GitHub-Hookshot/sim", office_.on_surprise) {}

    void wake() {
        thread_.post([this] { pump(); });
    }

    void stop() { thread_.stop(); }

private:
    void pump() {
        while (!thread_.stopping() && in_flight_ < options_.in_flight_max) {
            auto letter = office_.next();
            if (!letter) {
                return;
            }
            ++in_flight_;
            thread_.spawn(deliver(*std::move(letter)));
        }
    }

    /// A place in flight, given back however a delivery ends.
    struct Place {
        explicit Place(std::size_t& in_flight)
            : count(in_flight) {}

        Place(const Place&) = delete;
        Place& operator=(const Place&) = delete;

        ~Place() { --count; }

        std::size_t& count;
    };

    asio::awaitable<void> deliver(HookLetter letter) {
        const Place place(in_flight_);
        const auto began = clock_.now();
        Ending ending{.code = 502, .status = "failed to connect to host"};
        const auto url = net::parse_url(letter.target.url);
        const auto client = url ? thread_.client_for(*url) : nullptr;
        auto request = request_for(letter, !url || url->path.empty() ? "/" : url->path);
        HookExchange exchange{.url = letter.target.url, .request = request.headers};
        if (client && !letter.outgoing.lost) {
            const auto reply = co_await client->send(std::move(request), options_.wait);
            ending = ending_of(reply);
            if (reply) {
                exchange.response = reply->headers;
                exchange.payload = reply->body.substr(0, kPayloadBytesMax);
            }
        }
        AttemptResult result{
            .delivery = letter.outgoing.delivery,
            .at = began,
            .took = clock_.now() - began,
            .redelivery = letter.outgoing.redelivery,
            .status_code = ending.code,
            .status = std::move(ending.status),
            .exchange = std::move(exchange),
        };
        if (!thread_.stopping()) {
            office_.done(std::move(result));
            wake(); // runs after this frame has given its place back
        }
    }

    Office office_;
    ports::Clock& clock_;
    Options options_;
    std::size_t in_flight_{0};
    SendingThread thread_; // last: it ends before what it uses
};

HookSender::HookSender(Office office, ports::Clock& clock, Options options)
    : impl_(std::make_unique<Impl>(std::move(office), clock, options)) {}

HookSender::~HookSender() = default;

void HookSender::wake() {
    impl_->wake();
}

void HookSender::stop() {
    impl_->stop();
}

} // namespace baton::sim
