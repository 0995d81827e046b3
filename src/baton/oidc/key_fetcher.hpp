#pragma once

#include "baton/async/budget.hpp"
#include "baton/base/result.hpp"
#include "baton/net/client.hpp"
#include "baton/net/url.hpp"
#include "baton/oidc/key_source.hpp"
#include "baton/wire/key_set.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace baton::oidc {

/// Fetches an issuer's keys over HTTP: at its configured address, or where its own documents say.
/// Talks to the issuer's origin and to nobody else, follows no redirect. One executor.
class KeyFetcher final : public KeySource {
public:
    static constexpr std::chrono::milliseconds kWait{5'000}; // all requests of one fetch together

    struct Place {
        std::string issuer;                  // as tokens spell it
        std::optional<std::string> jwks_url; // nullopt: found through the well-known documents
        std::string ca_file{};               // extra trust anchor, for tests
        std::chrono::milliseconds wait{kWait};
    };

    /// `invalid` when the issuer is not an address that Baton may talk to, or jwks_url is on
    /// another origin.
    static Result<std::unique_ptr<KeyFetcher>>
    make(boost::asio::any_io_executor executor, Place place);

    boost::asio::awaitable<Result<wire::KeySet>> fetch() override;

private:
    KeyFetcher(Place place, net::Url url, std::unique_ptr<net::Client> client);

    boost::asio::awaitable<Result<std::string>> key_set_path(async::Budget budget);
    boost::asio::awaitable<Result<net::ClientReply>> get(std::string path, async::Budget budget);

    Place place_;
    net::Url url_; // of the issuer
    std::unique_ptr<net::Client> client_;
};

} // namespace baton::oidc
