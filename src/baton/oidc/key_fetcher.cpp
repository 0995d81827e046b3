#include "baton/oidc/key_fetcher.hpp"

#include "baton/async/budget.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/net/client.hpp"
#include "baton/net/url.hpp"
#include "baton/wire/key_set.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace baton::oidc {

namespace asio = boost::asio;

namespace {

constexpr std::string_view kMetadata = "/.well-known/openid-configuration";
constexpr std::string_view kKeySet = "/.well-known/jwks"; // where Actions and Buildkite have it
constexpr std::size_t kConnectionsKept = 1;

/// The path of an address that has to be on the issuer's own origin: whoever may say where keys are
/// must not make us ask elsewhere.
Result<std::string> path_on(const net::Url& issuer, std::string_view address) {
    const auto url = net::parse_url(address);
    if (!url || url->origin() != issuer.origin()) {
        return fail(
            Errc::invalid,
            fmt::format("its key set is at {}, which is not on {}", inert(address), issuer.origin())
        );
    }
    return url->path.empty() ? "/" : url->path;
}

} // namespace

KeyFetcher::KeyFetcher(Place place, net::Url url, std::unique_ptr<net::Client> client)
    : place_(std::move(place))
    , url_(std::move(url))
    , client_(std::move(client)) {}

Result<std::unique_ptr<KeyFetcher>> KeyFetcher::make(asio::any_io_executor executor, Place place) {
    BATON_TRY(auto url, net::parse_url(place.issuer));
    if (place.jwks_url) {
        BATON_TRY(const auto path, path_on(url, *place.jwks_url));
    }
    BATON_TRY(
        auto client,
        net::Client::make(
            std::move(executor),
            {.base_url = url.origin(),
             .ca_file = place.ca_file,
             .idle_max = kConnectionsKept,
             .reply_bytes_max = wire::kKeySetBytesMax}
        )
    );
    return std::unique_ptr<KeyFetcher>(
        new KeyFetcher(std::move(place), std::move(url), std::move(client))
    );
}

asio::awaitable<Result<wire::KeySet>> KeyFetcher::fetch() {
    const async::Budget budget(place_.wait);
    BATON_CO_TRY(auto path, co_await key_set_path(budget));
    BATON_CO_TRY(const auto reply, co_await get(path, budget));
    if (reply.status != 200) {
        co_return fail(
            Errc::unavailable, fmt::format("GET {} answered {}", inert(path), reply.status)
        );
    }
    auto keys = wire::read_key_set(reply.body);
    if (!keys) {
        co_return fail(
            Errc::invalid, fmt::format("{}: {}", inert(path), std::move(keys).error().detail)
        );
    }
    co_return keys;
}

/// Asked anew each time: an issuer may move its keys.
asio::awaitable<Result<std::string>> KeyFetcher::key_set_path(async::Budget budget) {
    if (place_.jwks_url) {
        co_return path_on(url_, *place_.jwks_url);
    }
    auto path = url_.path + std::string(kMetadata);
    BATON_CO_TRY(const auto reply, co_await get(path, budget));
    if (reply.status == 404) {
        co_return url_.path + std::string(kKeySet);
    }
    if (reply.status != 200) {
        co_return fail(Errc::unavailable, fmt::format("GET {} answered {}", path, reply.status));
    }
    const auto metadata = wire::read_issuer_metadata(reply.body);
    if (!metadata) {
        co_return fail(Errc::invalid, fmt::format("{}: {}", path, metadata.error().detail));
    }
    if (metadata->issuer != place_.issuer) {
        co_return fail(
            Errc::invalid,
            fmt::format(
                "{} names the issuer {}: write it so in the configuration, byte for byte",
                path,
                inert(metadata->issuer)
            )
        );
    }
    co_return path_on(url_, metadata->jwks_uri);
}

asio::awaitable<Result<net::ClientReply>> KeyFetcher::get(std::string path, async::Budget budget) {
    net::ClientRequest request;
    request.target = path;
    request.headers.add("Accept", "application/json");
    auto reply = co_await client_->send(std::move(request), budget.left());
    if (!reply) {
        co_return fail(
            reply.error().code, fmt::format("GET {}: {}", inert(path), reply.error().detail)
        );
    }
    co_return *std::move(reply);
}

} // namespace baton::oidc
