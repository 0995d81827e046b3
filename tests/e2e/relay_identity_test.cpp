// A real `baton serve` and the issuers of its configuration: what /readyz says of their keys.

#include "baton/crypto/signing_key.hpp"
#include "baton/crypto/verification_key.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "e2e/stage.hpp"

namespace baton::test {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

boost::asio::awaitable<net::Response> answer(net::Response response) {
    co_return response;
}

/// An issuer on the loopback that answers every request so.
std::unique_ptr<net::Server> issuer_with(net::Response always) {
    net::Route route;
    route.method = "GET";
    route.path = "/{*}";
    route.handler = [always = std::move(always)](const net::Request&) { return answer(always); };
    std::vector<net::Route> routes;
    routes.push_back(std::move(route));
    auto server = std::make_unique<net::Server>(net::ServerOptions{}, std::move(routes));
    EXPECT_TRUE(server->start());
    return server;
}

std::string config_for(const net::Server& issuer) {
    return fmt::format(
        "oidc:\n  audience: relay\n  issuers:\n    - issuer: http://127.0.0.1:{0}\n"
        "      kind: github-actions\n      jwks_url: http://127.0.0.1:{0}/keys\n",
        issuer.port()
    );
}

TEST(RelayIdentity, IsReadyOnceTheKeysOfItsIssuersAreThere) {
    const auto key = crypto::SigningKey::make(crypto::Algorithm::es256);
    const auto issuer =
        issuer_with({.body = fmt::format(R"({{"keys":[{}]}})", key.public_jwk("k"))});
    Stage stage({.allowlist = "L1: [one/a]\n", .more_config = config_for(*issuer)});
    ASSERT_TRUE(stage.start()) << stage.log();
    std::string ready;
    EXPECT_TRUE(eventually([&] { return stage.get("/readyz", &ready) == 200; }, 20s)) << ready;
    EXPECT_THAT(ready, HasSubstr(R"("keys":"ready")"));
}

TEST(RelayIdentity, SaysWhoseKeysCannotBeHadAndRunsAllTheSame) {
    const auto issuer = issuer_with({.status = 500, .body = "{}"});
    Stage stage({.allowlist = "L1: [one/a]\n", .more_config = config_for(*issuer)});
    ASSERT_TRUE(stage.start()) << stage.log();
    const auto blamed =
        fmt::format(R"("keys":"http://127.0.0.1:{}: GET /keys answered 500")", issuer->port());
    std::string ready;
    EXPECT_TRUE(eventually(
        [&] {
            return stage.get("/readyz", &ready) == 503 && ready.find(blamed) != std::string::npos;
        },
        20s
    )) << ready;
    EXPECT_EQ(stage.get("/healthz"), 200);
    EXPECT_THAT(stage.log(), HasSubstr("its tokens are answered with 503"));
    const auto ending = stage.ask_to_stop();
    ASSERT_TRUE(ending);
    EXPECT_EQ(ending->exit_code, 0);
}

} // namespace
} // namespace baton::test
