#include "baton/base/result.hpp"
#include "baton/net/client.hpp"
#include "baton/net/server.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "support/certificates.hpp"
#include "unit/net/client_fixture.hpp"
#include "unit/net/server_fixture.hpp"

namespace baton::net::test {
namespace {

using baton::test::Authority;

std::vector<Route> echo_route() {
    std::vector<Route> routes;
    routes.push_back(route("POST", "/a", echo, 1'000'000));
    return routes;
}

class Tls : public testing::Test {
protected:
    /// A server with a certificate for the names.
    static ServerOptions certified(const Authority& authority, const std::string& names) {
        const auto issued = authority.issue(names);
        ServerOptions options;
        options.tls =
            TlsFiles{.certificate_pem = issued.certificate_pem, .key_pem = issued.key_pem};
        return options;
    }

    static ClientOptions trusting(const Authority& authority, const std::string& base_url) {
        const auto file = fmt::format(
            "{}/baton-ca-{}.pem",
            testing::TempDir(),
            testing::UnitTest::GetInstance()->current_test_info()->name()
        );
        std::ofstream(file) << authority.pem();
        return {.base_url = base_url, .ca_file = file};
    }

    Authority ours_{"our authority"};
    Authority theirs_{"somebody"};
};

TEST_F(Tls, CarriesRequestsOnOneConnectionWhenChainAndNameAreRight) {
    for (const auto* host : {"localhost", "127.0.0.1"}) {
        auto options = certified(ours_, "DNS:localhost,IP:127.0.0.1");
        options.connections_max = 1; // a second one would be turned away
        const Running running(echo_route(), options);
        Caller caller(trusting(ours_, fmt::format("https://{}:{}", host, running.server.port())));
        for (const std::size_t size : {0U, 10U, 20'000U, 500'000U}) {
            const auto reply = caller.post("/a", std::string(size, 'x'));
            ASSERT_TRUE(reply) << reply.error().detail;
            EXPECT_EQ(reply->body, "POST /a?  " + std::string(size, 'x'));
        }
    }
}

TEST_F(Tls, RefusesAnAuthorityNobodyNamed) {
    const Running running(echo_route(), certified(theirs_, "DNS:localhost"));
    Caller caller(trusting(ours_, fmt::format("https://localhost:{}", running.server.port())));
    const auto reply = caller.post("/a", "secret");
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, Errc::unavailable);
    EXPECT_FALSE(reply.error().maybe_sent);
    EXPECT_NE(reply.error().detail.find("issuer"), std::string::npos) << reply.error().detail;
}

TEST_F(Tls, RefusesACertificateForAnotherName) {
    for (const auto* names : {"DNS:example.com", "DNS:localhost.example.com", "IP:127.0.0.2"}) {
        const Running running(echo_route(), certified(ours_, names));
        for (const auto* host : {"localhost", "127.0.0.1"}) {
            Caller caller(trusting(ours_, fmt::format("https://{}:{}", host, running.server.port()))
            );
            const auto reply = caller.post("/a", "secret");
            ASSERT_FALSE(reply) << names << " for " << host;
            EXPECT_FALSE(reply.error().maybe_sent);
            EXPECT_NE(reply.error().detail.find("mismatch"), std::string::npos)
                << reply.error().detail;
        }
    }
}

TEST_F(Tls, SurvivesClientsThatSpeakSomethingElse) {
    auto options = certified(ours_, "DNS:localhost");
    options.header_wait = 50ms;
    Running running(echo_route(), options);
    auto plain = running.connect();
    plain.send(post("/a", "x"));
    plain.receive_all();
    auto silent = running.connect();
    EXPECT_TRUE(silent.ends_silently());
    Caller caller(trusting(ours_, fmt::format("https://localhost:{}", running.server.port())));
    EXPECT_TRUE(caller.post("/a", "x"));
    EXPECT_TRUE(running.surprises().empty());
}

TEST_F(Tls, TellsTheClientWhyALongBodyWasRefused) {
    const Running running(echo_route(), certified(ours_, "DNS:localhost"));
    Caller caller(trusting(ours_, fmt::format("https://localhost:{}", running.server.port())));
    const auto reply = caller.post("/a", std::string(5'000'000, 'x'));
    ASSERT_TRUE(reply) << reply.error().detail;
    EXPECT_EQ(reply->status, 413);
    EXPECT_TRUE(caller.post("/a", "x"));
}

TEST_F(Tls, ServerWithAKeyOfAnotherCertificateDoesNotStart) {
    ServerOptions options;
    options.tls = TlsFiles{
        .certificate_pem = ours_.issue("DNS:a").certificate_pem,
        .key_pem = ours_.issue("DNS:a").key_pem,
    };
    Server server(options, {});
    const auto started = server.start();
    ASSERT_FALSE(started);
    EXPECT_EQ(started.error().code, Errc::invalid);
    EXPECT_NE(started.error().detail.find("key"), std::string::npos);
}

} // namespace
} // namespace baton::net::test
