#include "baton/base/result.hpp"
#include "baton/net/url.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace baton::net {
namespace {

TEST(Url, ReadsBaseUrls) {
    struct Case {
        const char* text;
        const char* normal;
        const char* host;
        int port;
        const char* path;
    };

    constexpr Case kCases[] = {
        {"https://api.github.com", "https://api.github.com", "api.github.com", 443, ""},
        {"https://API.GitHub.com/", "https://api.github.com", "api.github.com", 443, ""},
        {"https://ghe.example.com/api/v3/",
         "https://ghe.example.com/api/v3",
         "ghe.example.com",
         443,
         "/api/v3"},
        {"https://a.b:8443/x", "https://a.b:8443/x", "a.b", 8443, "/x"},
        {"https://a.b:443", "https://a.b", "a.b", 443, ""},
        {"http://127.0.0.1:4000/p", "http://127.0.0.1:4000/p", "127.0.0.1", 4000, "/p"},
        {"http://localhost", "http://localhost", "localhost", 80, ""},
        {"http://[::1]:81", "http://[::1]:81", "::1", 81, ""},
        {"https://[2001:DB8::1]/", "https://[2001:db8::1]", "2001:db8::1", 443, ""},
    };
    for (const auto& c : kCases) {
        SCOPED_TRACE(c.text);
        const auto url = parse_url(c.text);
        ASSERT_TRUE(url) << url.error().detail;
        EXPECT_EQ(url->text(), c.normal);
        EXPECT_EQ(url->host, c.host);
        EXPECT_EQ(url->port, c.port);
        EXPECT_EQ(url->path, c.path);
        EXPECT_EQ(url->secure, std::string(c.text).starts_with("https"));
    }
}

TEST(Url, RefusesWhatBatonMustNotTalkTo) {
    struct Case {
        const char* name;
        const char* text;
        const char* reason;
    };

    constexpr Case kCases[] = {
        {"nothing", "", "not a URL"},
        {"no scheme", "api.github.com", "not a URL"},
        {"another scheme", "ftp://api.github.com", "not a URL"},
        {"a file", "file:///etc/passwd", "not a URL"},
        {"plain http to the world", "http://api.github.com", "has to be https"},
        {"plain http to a name that only looks local",
         "http://localhost.example.com",
         "has to be https"},
        {"plain http to an address that only looks local",
         "http://127.0.0.1.example.com",
         "has to be https"},
        {"a password", "https://u:secret@api.github.com", "no user name"},
        {"a query", "https://a.b/?x=1", "query"},
        {"a fragment", "https://a.b/#x", "fragment"},
        {"no host", "https:///x", "host"},
        {"port 0", "https://a.b:0", "port"},
        {"a port too large", "https://a.b:65536", "port"},
        {"an escaped host", "https://a%0d%0ab/", "host"},
        {"an open bracket", "https://[::1", "host"},
        {"something behind the bracket", "https://[::1]x", "host"},
        {"brackets around a name", "https://[a.b]", "host"},
        {"a blank", "https://a b", "host"},
        {"a line break", "https://a.b/\r\nX: y", "path"},
    };
    for (const auto& c : kCases) {
        SCOPED_TRACE(c.name);
        const auto url = parse_url(c.text);
        ASSERT_FALSE(url);
        EXPECT_EQ(url.error().code, Errc::invalid);
        EXPECT_NE(url.error().detail.find(c.reason), std::string::npos) << url.error().detail;
        EXPECT_EQ(url.error().detail.find("secret"), std::string::npos);
    }
}

TEST(Url, KnowsLoopbackHosts) {
    for (const auto* host : {"localhost", "LocalHost", "127.0.0.1", "127.9.9.9", "::1"}) {
        EXPECT_TRUE(is_loopback(host)) << host;
    }
    for (const auto* host :
         {"", "example.com", "128.0.0.1", "0.0.0.0", "::", "127.1", "a.localhost"}) {
        EXPECT_FALSE(is_loopback(host)) << host;
    }
}

RC_GTEST_PROP(Url, ReadsItsOwnNormalFormAndNeverCrashes, ()) {
    const auto piece = rc::gen::element<std::string>(
        "a",
        ".",
        ":",
        "/",
        "[",
        "]",
        "::1",
        "443",
        "127.0.0.1",
        "localhost",
        "@",
        "?",
        "#",
        "%",
        " "
    );
    const auto rest = *rc::gen::container<std::vector<std::string>>(piece);
    std::string text = *rc::gen::element<std::string>("https://", "http://", "");
    for (const auto& part : rest) {
        text += part;
    }
    const auto url = parse_url(text);
    if (!url) {
        return; // refusing is fine, crashing is not
    }
    const auto again = parse_url(url->text());
    RC_ASSERT(again.has_value());
    RC_ASSERT(again->text() == url->text());
    RC_ASSERT(url->secure || is_loopback(url->host));
}

RC_GTEST_PROP(PercentCoding, DecodingUndoesEncoding, (const std::string& text)) {
    const auto encoded = percent_encode(text);
    RC_ASSERT(percent_decode(encoded) == text);
    RC_ASSERT(encoded.find_first_of("/?#&=+ \r\n") == std::string::npos);
}

TEST(PercentCoding, RefusesBrokenEscapes) {
    for (const auto* text : {"%", "a%1", "%zz", "%1z"}) {
        EXPECT_EQ(percent_decode(text), std::nullopt) << text;
    }
    EXPECT_EQ(percent_decode("a+b%2Fc%41"), "a+b/cA");
}

TEST(QueryValue, FindsTheFirstValueAndDecodesIt) {
    EXPECT_EQ(query_value("a=1&b=x%20y+z&b=2", "b"), "x y z");
    EXPECT_EQ(query_value("a=1&b", "b"), "");
    EXPECT_EQ(query_value("b=&a", "b"), "");
    EXPECT_EQ(query_value("per%5Fpage=5", "per_page"), "5");
    EXPECT_EQ(query_value("a=b=c", "a"), "b=c");
    EXPECT_EQ(query_value("ab=1", "b"), std::nullopt);
    EXPECT_EQ(query_value("", "b"), std::nullopt);
    EXPECT_EQ(query_value("&&b=%", "b"), std::nullopt);
}

} // namespace
} // namespace baton::net
