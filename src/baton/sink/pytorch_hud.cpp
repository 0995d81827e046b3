#include "baton/sink/pytorch_hud.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/letter.hpp"
#include "baton/net/client.hpp"
#include "baton/ports/results.hpp"
#include "baton/wire/hud_letter.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::sink {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kReplyBytesMax = 64U * 1024; // an answer is a line
constexpr std::size_t kConnectionsMax = 8;
constexpr std::string_view kPath = "/crcr/results";

/// Only as a number of seconds: a date would be by a clock that we do not know.
std::optional<Millis> retry_after(const net::ClientReply& reply) {
    const auto told = whole_number(trimmed(reply.headers.find("retry-after").value_or("")));
    constexpr std::int64_t kSecondsMax = 24 * 3600;
    if (!told || *told < 0 || *told > kSecondsMax) {
        return std::nullopt;
    }
    return std::chrono::seconds{*told};
}

/// What it said, safe to show; a server that hands our key back is not quoted.
std::string told(const net::ClientReply& reply, const std::string& key) {
    const bool quotable = key.empty() || reply.body.find(key) == std::string::npos;
    return fmt::format(
        "the HUD answered {}{}{}",
        reply.status,
        reply.body.empty() || !quotable ? "" : ": ",
        quotable ? inert(reply.body) : ""
    );
}

} // namespace

Result<std::unique_ptr<PytorchHud>>
PytorchHud::make(asio::any_io_executor executor, Options options) {
    net::ClientOptions client_options;
    client_options.base_url = options.url;
    client_options.idle_max = kConnectionsMax;
    client_options.reply_bytes_max = kReplyBytesMax;
    BATON_TRY(auto client, net::Client::make(std::move(executor), std::move(client_options)));
    return std::unique_ptr<PytorchHud>(new PytorchHud(std::move(client), std::move(options)));
}

PytorchHud::PytorchHud(std::unique_ptr<net::Client> client, Options options)
    : client_(std::move(client))
    , options_(std::move(options)) {}

asio::awaitable<domain::SinkAnswer> PytorchHud::deliver(ports::TakenLetter letter) {
    net::ClientRequest request{
        .method = "POST",
        .target = std::string(kPath),
        .headers = {{"Content-Type", "application/json"}, {"x-hud-internal-bot", options_.key}},
        .body = wire::hud_body(
            {.job = std::move(letter.job),
             .delivery = std::move(letter.delivery),
             .body = std::move(letter.body),
             .at = letter.created_at}
        ),
    };
    const auto reply = co_await client_->send(std::move(request), options_.wait);
    if (!reply) {
        co_return domain::SinkAnswer{
            .status = 0, .detail = inert(reply.error().detail), .retry_after = {}
        };
    }
    co_return domain::SinkAnswer{
        .status = reply->status,
        .detail = told(*reply, options_.key),
        .retry_after = retry_after(*reply),
    };
}

} // namespace baton::sink
