#include "baton/base/result.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"
#include "baton/oidc/key_fetcher.hpp"
#include "baton/wire/key_set.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "support/run_coroutine.hpp"
#include "unit/oidc/issuer_stage.hpp"

namespace baton::oidc {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;

constexpr const char* kMetadata = "/.well-known/openid-configuration";

/// An issuer on the loopback that has the documents a test gave it.
class KeyFetcherTest : public testing::Test {
protected:
    KeyFetcherTest() {
        net::Route route;
        route.method = "GET";
        route.path = "/{*}";
        route.handler = [this](net::Request request) { return answer(std::move(request)); };
        std::vector<net::Route> routes;
        routes.push_back(std::move(route));
        net::ServerOptions options;
        options.threads = 1;
        server_ = std::make_unique<net::Server>(std::move(options), std::move(routes));
        const auto started = server_->start();
        EXPECT_TRUE(started) << started.error().detail;
        issuer = fmt::format("http://127.0.0.1:{}", server_->port());
    }

    void put(const std::string& path, net::Response response) {
        const std::scoped_lock lock(mutex_);
        documents_[path] = std::move(response);
    }

    void put_metadata(const std::string& named_issuer, const std::string& jwks_uri) {
        put(kMetadata,
            {.body = fmt::format(R"({{"issuer":"{}","jwks_uri":"{}"}})", named_issuer, jwks_uri)});
    }

    void put_keys(const std::string& path) {
        put(path, {.body = key_set_json({rsa_key().public_jwk("a")})});
    }

    Result<wire::KeySet> fetch(KeyFetcher::Place place) {
        auto fetcher = KeyFetcher::make(loop_.get_executor(), std::move(place));
        if (!fetcher) {
            return fail(fetcher.error());
        }
        return test::run(loop_, (*fetcher)->fetch()).value();
    }

    Result<wire::KeySet> fetch() { return fetch({.issuer = issuer, .jwks_url = {}}); }

    std::vector<std::string> asked() const {
        const std::scoped_lock lock(mutex_);
        return asked_;
    }

    std::string issuer;

private:
    boost::asio::awaitable<net::Response> answer(net::Request request) {
        const std::scoped_lock lock(mutex_); // nothing below waits
        asked_.push_back(request.head.path);
        const auto found = documents_.find(request.head.path);
        co_return found == documents_.end() ? net::Response{.status = 404, .body = "{}"}
                                            : found->second;
    }

    boost::asio::io_context loop_;
    mutable std::mutex mutex_;
    std::map<std::string, net::Response> documents_;
    std::vector<std::string> asked_;
    std::unique_ptr<net::Server> server_;
};

TEST_F(KeyFetcherTest, GoesWhereTheIssuerSays) {
    put_metadata(issuer, issuer + "/here/keys");
    put_keys("/here/keys");
    const auto keys = fetch();
    ASSERT_TRUE(keys) << keys.error().detail;
    EXPECT_THAT(keys->keys, ElementsAre(Key("a")));
    EXPECT_THAT(asked(), ElementsAre(kMetadata, "/here/keys"));
}

TEST_F(KeyFetcherTest, LooksAtTheUsualPlaceWhereThatDocumentIsMissing) {
    put_keys("/.well-known/jwks");
    const auto keys = fetch();
    ASSERT_TRUE(keys) << keys.error().detail;
    EXPECT_THAT(asked(), ElementsAre(kMetadata, "/.well-known/jwks"));
}

TEST_F(KeyFetcherTest, TakesTheConfiguredAddressWithoutAsking) {
    put_keys("/k");
    const auto keys = fetch({.issuer = issuer, .jwks_url = issuer + "/k"});
    ASSERT_TRUE(keys) << keys.error().detail;
    EXPECT_THAT(asked(), ElementsAre("/k"));
}

TEST_F(KeyFetcherTest, KeepsAnIssuersOwnPath) {
    put("/realm/one/.well-known/openid-configuration",
        {.body = fmt::format(R"({{"issuer":"{0}/realm/one","jwks_uri":"{0}/k"}})", issuer)});
    put_keys("/k");
    const auto keys = fetch({.issuer = issuer + "/realm/one", .jwks_url = {}});
    ASSERT_TRUE(keys) << keys.error().detail;
}

TEST_F(KeyFetcherTest, RefusesADocumentThatNamesAnotherIssuer) {
    put_keys("/k");
    for (const auto& other : {issuer + "/", std::string("https://issuer.example"), std::string()}) {
        put_metadata(other, issuer + "/k");
        const auto keys = fetch();
        ASSERT_FALSE(keys) << other;
        EXPECT_EQ(keys.error().code, Errc::invalid);
        EXPECT_THAT(keys.error().detail, HasSubstr("byte for byte"));
    }
}

TEST_F(KeyFetcherTest, AsksNobodyButTheIssuer) {
    for (const auto* elsewhere :
         {"https://evil.example/keys",
          "http://127.0.0.1:1/keys",
          "http://169.254.169.254/latest/meta-data",
          "file:///etc/passwd",
          "/keys",
          ""}) {
        put_metadata(issuer, elsewhere);
        const auto keys = fetch();
        ASSERT_FALSE(keys) << elsewhere;
        EXPECT_EQ(keys.error().code, Errc::invalid);
        EXPECT_THAT(keys.error().detail, HasSubstr("is not on"));
    }
    EXPECT_FALSE(fetch({.issuer = issuer, .jwks_url = "http://127.0.0.1:1/keys"}));
}

TEST_F(KeyFetcherTest, FollowsNoRedirect) {
    net::Headers there;
    there.add("Location", issuer + "/k");
    put(kMetadata, {.status = 302, .headers = there, .body = ""});
    put_keys("/k");
    const auto keys = fetch();
    ASSERT_FALSE(keys);
    EXPECT_EQ(keys.error().code, Errc::unavailable);
    EXPECT_THAT(keys.error().detail, HasSubstr("302"));
    EXPECT_THAT(asked(), ElementsAre(kMetadata));
}

TEST_F(KeyFetcherTest, SaysWhatWentWrong) {
    struct Case {
        const char* name;
        net::Response metadata;
        Errc code;
        const char* why;
    };

    const Case cases[] = {
        {"a fault of the issuer", {.status = 500, .body = "{}"}, Errc::unavailable, "answered 500"},
        {"forbidden", {.status = 403, .body = "{}"}, Errc::unavailable, "answered 403"},
        {"a page", {.body = "<html>"}, Errc::invalid, "not JSON"},
        {"without a key set", {.body = R"({"issuer":"x"})"}, Errc::invalid, "jwks_uri"},
        {"endless", {.body = std::string(wire::kKeySetBytesMax + 1, ' ')}, Errc::invalid, "GET"},
    };
    for (const auto& one : cases) {
        SCOPED_TRACE(one.name);
        put(kMetadata, one.metadata);
        const auto keys = fetch();
        ASSERT_FALSE(keys);
        EXPECT_EQ(keys.error().code, one.code) << keys.error().detail;
        EXPECT_THAT(keys.error().detail, HasSubstr(one.why));
    }
    put_metadata(issuer, issuer + "/k");
    put("/k", {.body = R"({"keys":[]})"});
    EXPECT_EQ(fetch().error().code, Errc::invalid);
    put("/k", {.status = 404, .body = "{}"});
    EXPECT_EQ(fetch().error().code, Errc::unavailable);
    put(kMetadata, {.body = "{}", .abort = true});
    EXPECT_EQ(fetch().error().code, Errc::unavailable);
}

TEST_F(KeyFetcherTest, TalksInTheOpenOnlyToThisMachine) {
    for (const auto* place : {"http://issuer.example", "ftp://issuer.example", "issuer", ""}) {
        EXPECT_FALSE(fetch({.issuer = place, .jwks_url = {}})) << place;
    }
}

} // namespace
} // namespace baton::oidc
