#pragma once

#include "baton/crypto/rsa_key.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/system/error_code.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "support/process.hpp"

namespace baton::test {

/// Runs `baton` with these arguments to its end.
inline Finished
baton(std::vector<std::string> arguments, const std::vector<std::string>& environment = {}) {
    arguments.insert(arguments.begin(), baton_binary());
    return run_command(std::move(arguments), environment);
}

/// What --json printed: one object in one line, and nothing else.
inline boost::json::object json_in(const Finished& finished) {
    boost::system::error_code broken;
    auto value = boost::json::parse(finished.out, broken);
    EXPECT_FALSE(broken) << finished.out << finished.err;
    EXPECT_EQ(finished.out.find('\n'), finished.out.size() - 1) << finished.out;
    return value.is_object() ? std::move(value.as_object()) : boost::json::object{};
}

inline const std::string& private_key_pem() {
    static const auto pem = crypto::make_rsa_key_pair().private_pem; // a tenth of a second
    return pem;
}

constexpr const char* kSecret = "s3cret-of-the-webhook";

/// A folder with all that `serve` needs.
struct Household {
    Household() {
        key = folder.write("app.pem", private_key_pem());
        allowlist = folder.write("allowlist.yml", "L1:\n  - org1/repo1\n");
        config = folder.write("baton.yml", text());
    }

    /// Four lines of github, then the upstream; `more` follows.
    static std::string text(const std::string& more = "") {
        return "github:\n"
               "  app_id: 1\n"
               "  private_key: {file: app.pem}\n"
               "  webhook_secrets: [{env: BATON_TEST_SECRET}]\n"
               "upstreams:\n"
               "  - {repo: up/stream, allowlist: \"file:allowlist.yml\"}\n" +
               more;
    }

    void add(const std::string& more) const { folder.write("baton.yml", text(more)); }

    Finished run(std::vector<std::string> arguments) const {
        return baton(std::move(arguments), {std::string("BATON_TEST_SECRET=") + kSecret});
    }

    TemporaryFolder folder;
    std::string key;
    std::string allowlist;
    std::string config;
};

} // namespace baton::test
