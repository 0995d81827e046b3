#include "baton/sink/notify_webhook.hpp"

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/hmac.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/domain/letter.hpp"
#include "baton/net/client.hpp"
#include "baton/net/url.hpp"
#include "baton/ports/results.hpp"
#include "baton/sink/reply.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

namespace baton::sink {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kReplyBytesMax = 64U * 1024; // an answer is a line
constexpr std::size_t kConnectionsMax = 2;         // notifications are rare

} // namespace

Result<std::unique_ptr<NotifyWebhook>>
NotifyWebhook::make(asio::any_io_executor executor, Options options) {
    BATON_TRY(const auto url, net::parse_url(options.url));
    net::ClientOptions client_options;
    client_options.base_url = url.origin();
    client_options.idle_max = kConnectionsMax;
    client_options.reply_bytes_max = kReplyBytesMax;
    BATON_TRY(auto client, net::Client::make(std::move(executor), std::move(client_options)));
    return std::unique_ptr<NotifyWebhook>(
        new NotifyWebhook(std::move(client), url.path.empty() ? "/" : url.path, std::move(options))
    );
}

NotifyWebhook::NotifyWebhook(
    std::unique_ptr<net::Client> client, std::string target, Options options
)
    : client_(std::move(client))
    , target_(std::move(target))
    , options_(std::move(options))
    , key_(options_.secret)
    , name_(sink_name(options_.name)) {}

asio::awaitable<domain::SinkAnswer> NotifyWebhook::deliver(ports::TakenLetter letter) {
    const auto signature = key_.sign(letter.body);
    net::ClientRequest request{
        .method = "POST",
        .target = target_,
        .headers =
            {{"Content-Type", "application/json"},
             {"X-Baton-Delivery", fmt::format("{}-{}", letter.id, to_ms(letter.created_at))},
             {"X-Baton-Signature-256", "sha256=" + crypto::to_hex(crypto::view_of(signature))}},
        .body = std::move(letter.body),
    };
    const auto reply = co_await client_->send(std::move(request), options_.wait);
    co_return answer_in(reply, name_, options_.secret);
}

} // namespace baton::sink
