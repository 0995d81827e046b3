#include "baton/net/router.hpp"
#include "baton/net/server.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::net {
namespace {

std::vector<Route> routes(const std::vector<std::pair<const char*, const char*>>& list) {
    std::vector<Route> made;
    for (const auto& [method, path] : list) {
        Route route;
        route.method = method;
        route.path = path;
        made.push_back(std::move(route));
    }
    return made;
}

/// "METHOD path [capture]..." of what matched, or "405 allow", or "404".
std::string found(const Router& router, std::string_view method, std::string_view path) {
    const auto match = router.match(method, path);
    if (match.route == nullptr) {
        return match.allow.empty() ? "404" : "405 " + match.allow;
    }
    auto text = match.route->method + " " + match.route->path;
    for (const auto& capture : match.captures) {
        text += " [" + capture + "]";
    }
    return text;
}

TEST(Router, FindsTheMostLiteralRoute) {
    const Router router(routes({
        {"GET", "/"},
        {"GET", "/a/{*}"},
        {"GET", "/a/{}"},
        {"GET", "/a/b"},
        {"GET", "/a/{}/c"},
        {"GET", "/x/{}/y/{}"},
        {"POST", "/a/b"},
        {"PUT", "/a/{}"},
    }));

    struct Case {
        const char* method;
        const char* path;
        const char* expected;
    };

    constexpr Case kCases[] = {
        {"GET", "/", "GET /"},
        {"GET", "/a/b", "GET /a/b"},
        {"HEAD", "/a/b", "GET /a/b"},
        {"GET", "/a/z", "GET /a/{} [z]"},
        {"GET", "/a/z/c", "GET /a/{}/c [z]"},
        {"GET", "/a/z/d", "GET /a/{*} [z/d]"},
        {"GET", "/a/", "GET /a/{*} []"},
        {"GET", "/a", "404"},
        {"GET", "/x/1/y/2", "GET /x/{}/y/{} [1] [2]"},
        {"GET", "/x//y/2", "404"},
        {"GET", "/x/1/y/2/", "404"},
        {"GET", "/x/1/y", "404"},
        {"GET", "//", "404"},
        {"GET", "", "404"},
        {"PUT", "/a/b", "PUT /a/{} [b]"},
        {"POST", "/a/b", "POST /a/b"},
        {"POST", "/a/z", "405 GET, HEAD, PUT"},
        {"POST", "/", "405 GET, HEAD"},
        {"get", "/", "405 GET, HEAD"},
        {"GET", "/%61/b", "404"},
    };
    for (const auto& c : kCases) {
        EXPECT_EQ(found(router, c.method, c.path), c.expected) << c.method << " " << c.path;
    }
}

TEST(Router, TakesAnEndingOffWhatItCaptures) {
    const Router router(routes({
        {"GET", "/q/{}"},
        {"GET", "/q/{}.json"},
        {"GET", "/q/list.json"},
        {"GET", "/q/{}/{}.md"},
        {"GET", "/q/{}/gap.md"},
        {"GET", "/q/{}/{}"},
        {"GET", "/{*}"},
    }));

    struct Case {
        const char* path;
        const char* expected;
    };

    constexpr Case kCases[] = {
        {"/q/one.json", "GET /q/{}.json [one]"},
        {"/q/one", "GET /q/{} [one]"},
        {"/q/one.json.json", "GET /q/{}.json [one.json]"},
        {"/q/one.JSON", "GET /q/{} [one.JSON]"},
        {"/q/.json", "GET /q/{} [.json]"},
        {"/q/list.json", "GET /q/list.json"},
        {"/q/one/2.14", "GET /q/{}/{} [one] [2.14]"},
        {"/q/one/2.14.md", "GET /q/{}/{}.md [one] [2.14]"},
        {"/q/one/gap.md", "GET /q/{}/gap.md [one]"},
        {"/q/one/gap.json", "GET /q/{}/{} [one] [gap.json]"},
        {"/q//2.14.md", "GET /{*}"},
    };
    for (const auto& c : kCases) {
        EXPECT_EQ(found(router, "GET", c.path), c.expected) << c.path;
    }
    EXPECT_EQ(found(router, "POST", "/q/one.json"), "405 GET, HEAD");
}

TEST(Router, HasALastResortForPathsThatNobodyKnows) {
    const Router router(routes({
        {"GET", "/a"},
        {"GET", "/b/{}"},
        {"GET", "/{*}"},
    }));
    EXPECT_EQ(found(router, "GET", "/a"), "GET /a");
    EXPECT_EQ(found(router, "GET", "/c"), "GET /{*}");
    EXPECT_EQ(found(router, "POST", "/c/d"), "GET /{*}") << "whatever the method";
    EXPECT_EQ(found(router, "POST", "/a"), "405 GET, HEAD");
    EXPECT_EQ(found(router, "POST", "/b/1"), "405 GET, HEAD");
}

TEST(RouterDeathTest, EndsTheProgramOnTwoRoutesOfOneName) {
    EXPECT_DEATH(Router(routes({{"GET", "/a"}, {"GET", "/a"}})), "same == 1");
    EXPECT_DEATH(Router(routes({{"GET", "/{*}/a"}})), "rest");
    EXPECT_DEATH(Router(routes({{"GET", "a"}})), "starts_with");
}

} // namespace
} // namespace baton::net
