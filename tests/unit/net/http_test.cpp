#include "baton/net/byte_budget.hpp"
#include "baton/net/http.hpp"
#include "baton/net/response_text.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

namespace baton::net {
namespace {

TEST(Headers, FindsNamesWhateverTheirCase) {
    const Headers headers{{"X-One", "1"}, {"x-two", "2"}, {"X-ONE", "3"}};
    EXPECT_EQ(headers.find("x-one"), "1");
    EXPECT_EQ(headers.find("X-Two"), "2");
    EXPECT_EQ(headers.find("X-On"), std::nullopt);
    EXPECT_EQ(headers.count("x-one"), 2U);
    EXPECT_EQ(headers.count("x-three"), 0U);
}

TEST(ResponseText, WritesOurHeadersOnceAndTheOthersAsGiven) {
    Response response;
    response.status = 201;
    response.headers = {{"Location", "/x"}, {"content-length", "7"}, {"Connection", "upgrade"}};
    response.body = "{}";
    std::string out;
    append_head(out, response, {.keep_alive = true});
    EXPECT_EQ(
        out,
        "HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
        "X-Content-Type-Options: nosniff\r\nLocation: /x\r\nConnection: keep-alive\r\n\r\n"
    );
}

TEST(ResponseText, KnowsWhatCanBeSent) {
    const auto sendable = [](int status, std::string type, Headers headers) {
        Response response;
        response.status = status;
        response.content_type = std::move(type);
        response.headers = std::move(headers);
        return is_sendable(response);
    };
    EXPECT_TRUE(sendable(200, "text/html; charset=utf-8", {{"ETag", "\"x\ty\""}}));
    EXPECT_FALSE(sendable(100, "a/b", {}));
    EXPECT_FALSE(sendable(600, "a/b", {}));
    EXPECT_FALSE(sendable(200, "a/b\r\n", {}));
    EXPECT_FALSE(sendable(200, "a/b", {{"A B", "x"}}));
    EXPECT_FALSE(sendable(200, "a/b", {{"", "x"}}));
    EXPECT_FALSE(sendable(200, "a/b", {{"A", "x\ny"}}));
    EXPECT_FALSE(sendable(200, "a/b", {{"A", std::string("x\0y", 3)}}));
}

TEST(ByteBudget, GivesBackWhatASharedBodyTook) {
    const auto budget = std::make_shared<ByteBudget>(10);
    auto first = std::make_unique<BudgetShare>(budget);
    BudgetShare second(budget);
    EXPECT_TRUE(first->grow(6));
    EXPECT_FALSE(second.grow(5));
    EXPECT_TRUE(second.grow(4));
    EXPECT_FALSE(first->grow(1));
    EXPECT_EQ(budget->used(), 10U);
    first.reset();
    EXPECT_EQ(budget->used(), 4U);
    EXPECT_TRUE(second.grow(6));
}

} // namespace
} // namespace baton::net
