#pragma once

#include "baton/base/time.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/sim/github_api.hpp"
#include "baton/sim/sim_world.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "unit/sim/support.hpp"

namespace baton::sim::testing {

inline crypto::RsaPublicKey some_key() {
    static const auto pair = crypto::make_rsa_key_pair();
    return crypto::RsaPublicKey::parse(pair.public_pem).value();
}

/// A world that is changed through its control routes, without HTTP.
struct ControlTest : ::testing::Test {
    ApiReply
    call(std::string method, std::string path, std::string body = {}, std::string query = {}) {
        const ApiRequest request{
            .method = std::move(method),
            .path = "/_sim" + std::move(path),
            .query = std::move(query),
            .headers = {},
            .body = std::move(body),
        };
        return control(world, request, now);
    }

    boost::json::value
    ok(std::string method, std::string path, std::string body = {}, std::string query = {}) {
        const auto reply =
            call(std::move(method), std::move(path), std::move(body), std::move(query));
        EXPECT_EQ(reply.status, 200) << reply.body;
        return boost::json::parse(reply.body);
    }

    void furnish() {
        ok("POST", "/repos", R"({"repo":"up/stream"})");
        ok("POST", "/repos", R"({"repo":"down/one"})");
    }

    TimePoint now{kStart};
    SimWorld world{{.site = {}}, some_key()};
};

} // namespace baton::sim::testing
