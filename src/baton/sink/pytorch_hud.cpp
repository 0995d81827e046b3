#include "baton/sink/pytorch_hud.hpp"

#include "baton/base/result.hpp"
#include "baton/domain/letter.hpp"
#include "baton/net/client.hpp"
#include "baton/ports/results.hpp"
#include "baton/sink/reply.hpp"
#include "baton/wire/hud_letter.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace baton::sink {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kReplyBytesMax = 64U * 1024; // an answer is a line
constexpr std::size_t kConnectionsMax = 8;
constexpr std::string_view kPath = "/crcr/results";

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
    co_return answer_in(reply, "the HUD", options_.key);
}

} // namespace baton::sink
