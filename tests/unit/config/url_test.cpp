#include "baton/config/url.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace baton::config {

namespace {

TEST(Url, TakesHttpsAnywhereAndHttpOnLoopback) {
    for (const std::string_view text :
         {"https://api.github.com",
          "https://ghe.example.org:8443/api/v3",
          "https://[2001:db8::1]/x",
          "http://127.0.0.1:4010",
          "http://127.8.9.10",
          "http://localhost:1",
          "http://[::1]:80"}) {
        SCOPED_TRACE(text);
        const auto url = check_url(text, PlainHttp::loopback_only);
        ASSERT_TRUE(url.has_value()) << url.error().detail;
        EXPECT_EQ(*url, text);
    }
    EXPECT_EQ(*check_url("https://x.org//", PlainHttp::loopback_only), "https://x.org");
    EXPECT_TRUE(check_url("http://intra.example.org", PlainHttp::anywhere).has_value());
}

TEST(Url, RefusesWhatCouldMeanSomethingElse) {
    for (const std::string_view text :
         {"",
          "api.github.com",
          "ftp://x",
          "HTTPS://x",
          "https://",
          "https:///x",
          "https://u@x",
          "https://x y",
          "https://x?y",
          "https://x#y",
          "https://x:99999",
          "https://x:",
          "https://x:a",
          "https://[::1",
          "https://[zz]",
          "https://ex\xC3\xA4mple.org",
          "https://x\n",
          "http://x.org",
          "http://127.evil.org",
          "http://127.0.0.1.evil.org",
          "http://localhost.evil.org",
          "http://10.0.0.1",
          "http://127.1"}) {
        SCOPED_TRACE(text);
        EXPECT_FALSE(check_url(text, PlainHttp::loopback_only).has_value());
    }
}

TEST(Url, KnowsItsOrigin) {
    EXPECT_EQ(origin_of("https://X.org:1/Path/y"), "https://x.org:1");
    EXPECT_EQ(origin_of("http://[::1]"), "http://[::1]");
}

} // namespace

} // namespace baton::config
