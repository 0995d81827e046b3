#pragma once

#include "baton/base/time.hpp"
#include "baton/crypto/app_jwt.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/net/http.hpp"
#include "baton/sim/api_limits.hpp"
#include "baton/sim/github_api.hpp"
#include "baton/sim/github_model.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "unit/sim/support.hpp"

/// The REST API over a small world, without HTTP.
namespace baton::sim::testing {

inline const crypto::AppKey& app_key() {
    static const auto key = crypto::AppKey::parse(crypto::make_rsa_key_pair().private_pem).value();
    return key;
}

inline std::string message(const ApiReply& reply) {
    return std::string(boost::json::parse(reply.body).at("message").as_string());
}

inline std::string header(const ApiReply& reply, std::string_view name) {
    return std::string(reply.headers.find(name).value_or(""));
}

inline const std::string kPush = R"({"event_type":"push"})";

struct ApiTest : ::testing::Test {
    ApiTest() {
        furnish(model);
        static_cast<void>(
            model.put_file({.repo = repo("up/stream"), .path = "dir/list.yml", .text = "L1: []"})
        );
    }

    ApiReply
    call(std::string method, std::string target, std::string credential, std::string body = {}) {
        return call_with(
            std::move(method),
            std::move(target),
            {{"Authorization", "Bearer " + credential}},
            std::move(body)
        );
    }

    ApiReply call_with(
        std::string method, const std::string& target, net::Headers headers, std::string body = {}
    ) {
        const auto mark = std::min(target.find('?'), target.size());
        ApiRequest request{
            .method = std::move(method),
            .path = target.substr(0, mark),
            .query = mark < target.size() ? target.substr(mark + 1) : "",
            .headers = std::move(headers),
            .body = std::move(body),
        };
        return api.handle(request, now);
    }

    std::string jwt() const { return crypto::make_app_jwt(app_key(), 12345, now).token; }

    std::int64_t installation(const char* name) const {
        return static_cast<std::int64_t>(model.installation_of(*model.repo(repo(name))));
    }

    ApiReply ask_token(const char* for_repo, std::string body = {}) {
        const auto target =
            fmt::format("/app/installations/{}/access_tokens", installation(for_repo));
        return call("POST", target, jwt(), std::move(body));
    }

    std::string token(const char* for_repo, std::string body = {}) {
        const auto reply = ask_token(for_repo, std::move(body));
        EXPECT_EQ(reply.status, 201) << reply.body;
        return std::string(boost::json::parse(reply.body).at("token").as_string());
    }

    TimePoint now{kStart};
    GithubModel model{{.site = {}}};
    ApiLimits limits;
    GithubApi api{model, limits, app_key().public_key(), 1};
};

} // namespace baton::sim::testing
