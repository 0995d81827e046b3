#include "baton/links/link_check.hpp"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "support/scripted_server.hpp"

namespace baton::links {

namespace {

using namespace std::chrono_literals;
using test::says;
using test::ScriptedServer;
using testing::HasSubstr;

struct AddressCase {
    const char* address;
    bool open;
};

constexpr AddressCase kAddresses[] = {
    {"8.8.8.8", true},
    {"140.82.121.4", true},
    {"172.15.255.255", true},
    {"172.32.0.1", true},
    {"100.63.0.1", true},
    {"127.0.0.1", false},
    {"127.8.8.8", false},
    {"10.1.2.3", false},
    {"172.16.0.1", false},
    {"172.31.255.255", false},
    {"192.168.1.1", false},
    {"169.254.169.254", false},
    {"100.64.0.1", false},
    {"0.0.0.0", false},
    {"255.255.255.255", false},
    {"224.0.0.1", false},
    {"198.18.0.1", false},
    {"203.0.113.9", false},
    {"2606:4700::1111", true},
    {"2a00:1450::1", true},
    {"::1", false},
    {"::", false},
    {"fe80::1", false},
    {"fc00::1", false},
    {"fd12::1", false},
    {"::ffff:10.0.0.1", false},
    {"::ffff:8.8.8.8", false},
    {"64:ff9b::a00:1", false},
    {"2002:7f00:1::", false},
    {"2001:db8::1", false},
    {"ff02::1", false},
};

LinkState check(const std::string& url, LinkOptions options = {.reaches_this_machine = true}) {
    return check_links({url}, options).front();
}

net::Headers to(const std::string& place) {
    net::Headers headers;
    headers.add("Location", place);
    return headers;
}

} // namespace

TEST(PublicAddresses, AreThoseOfTheInternet) {
    for (const auto& c : kAddresses) {
        SCOPED_TRACE(c.address);
        std::array<std::uint8_t, 16> bytes{};
        const bool six = std::string(c.address).find(':') != std::string::npos;
        ASSERT_EQ(inet_pton(six ? AF_INET6 : AF_INET, c.address, bytes.data()), 1);
        EXPECT_EQ(is_public({bytes.data(), six ? 16U : 4U}), c.open);
    }
    EXPECT_FALSE(is_public({}));
}

TEST(LinkCheck, OpensWhatAnswers200) {
    ScriptedServer server({says(200, "page")});
    const auto state = check(server.url() + "/run/1?x=y");
    EXPECT_TRUE(state.open) << state.detail;
    ASSERT_EQ(server.asked().size(), 1U);
    EXPECT_EQ(server.asked()[0].authorization, "");
}

TEST(LinkCheck, AsksForTheFirstByteWhereHeadIsNotAnswered) {
    ScriptedServer server({says(405, ""), says(200, std::string(1'000'000, 'x'))});
    EXPECT_TRUE(check(server.url() + "/run").open);
    EXPECT_EQ(server.asked().back().method, "GET");
}

TEST(LinkCheck, IsClosedByAnErrorOrALogin) {
    ScriptedServer closed({says(401, "who?")});
    EXPECT_EQ(check(closed.url() + "/run").detail, "status 401");
    ScriptedServer login({says(302, "", to("/login?next=run")), says(200, "name, please")});
    const auto state = check(login.url() + "/run");
    EXPECT_EQ(state.detail, "it leads to a login");
    EXPECT_TRUE(state.login);
}

TEST(LinkCheck, KeepsTheBeginningOfAPageWhenAskedTo) {
    ScriptedServer server({says(200, "a page"), says(200, std::string(1'000'000, 'x'))});
    const LinkOptions options{.page_bytes = 1000, .reaches_this_machine = true};
    EXPECT_EQ(check(server.url() + "/page", options).page, "a page");
    const auto cut = check(server.url() + "/long", options);
    EXPECT_TRUE(cut.open) << cut.detail;
    EXPECT_EQ(cut.page, std::string(1000, 'x'));
    EXPECT_EQ(server.asked().front().method, "GET");
    ScriptedServer plain({says(200, "a page")});
    EXPECT_EQ(check(plain.url() + "/page").page, "");
}

TEST(LinkCheck, KeepsNothingOfALogin) {
    ScriptedServer login({says(302, "moved", to("/login")), says(200, "name, please")});
    const auto state = check(login.url(), {.page_bytes = 1000, .reaches_this_machine = true});
    EXPECT_TRUE(state.login);
    EXPECT_EQ(state.page, "");
}

TEST(LinkCheck, FollowsThreeHops) {
    ScriptedServer near(
        {says(302, "", to("/a")), says(301, "", to("/b")), says(307, "", to("/c")), says(200, "")}
    );
    EXPECT_TRUE(check(near.url() + "/run").open);
    ScriptedServer far({says(302, "", to("/again"))});
    EXPECT_EQ(check(far.url() + "/run").detail, "more than 3 redirects");
    EXPECT_EQ(far.asked().size(), 4U);
}

TEST(LinkCheck, ReachesNeitherThisMachineNorPlainHttpNorOtherSchemes) {
    ScriptedServer server({says(200, "secret")});
    const auto port = server.url().substr(server.url().rfind(':'));
    for (const auto& url :
         {server.url(),
          "https://127.0.0.1" + port,
          "https://localhost" + port,
          "https://[::ffff:127.0.0.1]" + port,
          std::string("file:///etc/passwd"),
          std::string("https://user:word@example.org/"),
          std::string("no link"),
          std::string()}) {
        const auto state = check(url, {.wait = 2s});
        EXPECT_FALSE(state.open) << url;
        EXPECT_FALSE(state.detail.empty()) << url;
    }
    EXPECT_TRUE(server.asked().empty());
}

TEST(LinkCheck, WaitsNoLongerThanItWasTold) {
    ScriptedServer server({{.response = {}, .silent = true}}); // for a minute
    const auto state = check(server.url(), {.wait = 200ms, .reaches_this_machine = true});
    EXPECT_FALSE(state.open);
    EXPECT_THAT(state.detail, HasSubstr("Timeout"));
}

TEST(LinkCheck, AnswersInTheOrderOfTheLinks) {
    ScriptedServer server({says(200, "")});
    std::vector<std::string> urls;
    for (int i = 0; i < 40; ++i) {
        urls.push_back(i % 2 == 0 ? server.url() + "/" + std::to_string(i) : "no link");
    }
    const auto states = check_links(urls, {.reaches_this_machine = true});
    ASSERT_EQ(states.size(), urls.size());
    for (std::size_t i = 0; i < urls.size(); ++i) {
        EXPECT_EQ(states[i].url, urls[i]);
        EXPECT_EQ(states[i].open, i % 2 == 0);
    }
}

} // namespace baton::links
