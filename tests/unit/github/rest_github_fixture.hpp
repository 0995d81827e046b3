#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/retry.hpp"
#include "baton/github/app_client.hpp"
#include "baton/github/credentials.hpp"
#include "baton/net/http.hpp"
#include "baton/ports/github.hpp"

#include <boost/asio/io_context.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "support/manual_clock.hpp"
#include "support/run_coroutine.hpp"
#include "unit/github/scripted_github.hpp"

namespace baton::github {

inline const crypto::RsaKeyPair& key_pair() {
    static const auto made = crypto::make_rsa_key_pair();
    return made;
}

inline net::Response status(int code, std::string message = "", net::Headers headers = {}) {
    return {
        .status = code,
        .headers = std::move(headers),
        .body = fmt::format(R"({{"message":"{}"}})", message)
    };
}

/// The adapter and a GitHub on the loopback, under a clock that stands still.
class RestGithubTest : public testing::Test {
protected:
    RestGithubTest() { connect(server.url(), limits::kGithubCallWait); }

    void connect(std::string url, std::chrono::milliseconds wait, std::int64_t pace = 0) {
        auto made = RestGithub::make(
            loop.get_executor(),
            {.api_url = std::move(url), .ca_file = "", .wait = wait, .pace = pace},
            {.app_id = 12345, .key = crypto::AppKey::parse(key_pair().private_pem).value()},
            clock
        );
        ASSERT_TRUE(made) << made.error().detail;
        github = *std::move(made);
    }

    domain::Answer dispatch(std::string body = "{}") {
        return test::run(loop, github->dispatch({.downstream = repo, .body = std::move(body)}))
            .value();
    }

    Result<std::optional<ports::FileVersion>> read_file(std::string etag = "") {
        ports::FileQuery query{
            .repo = repo, .path = ".github/allow list.yml", .ref = "main", .etag = std::move(etag)
        };
        return test::run(loop, github->read_file(std::move(query))).value();
    }

    Result<domain::Permission> permission() {
        return test::run(loop, github->permission({.repo = repo, .login = Login("al/ice")}))
            .value();
    }

    Result<void> check_access() { return test::run(loop, github->check_access()).value(); }

    std::vector<std::string> requests() const {
        std::vector<std::string> all;
        for (const auto& seen : server.seen()) {
            all.push_back(seen.what);
        }
        return all;
    }

    Seen last() const { return server.seen().back(); }

    test::ManualClock clock;
    boost::asio::io_context loop;
    ScriptedGithub server{clock};
    RepoName repo = RepoName::parse("org/backend").value();
    std::unique_ptr<RestGithub> github;
};

} // namespace baton::github
