#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/crypto/callback_token.hpp"
#include "baton/wire/dispatch_body.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <string>
#include <string_view>

namespace baton::wire {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

DeliveryFacts delivery() {
    return {
        .event_type = "pull_request",
        .delivery = DeliveryId("72d3162e-cc78"),
        .upstream = RepoName::parse("pytorch/pytorch").value(),
    };
}

std::string client_payload_text(const std::string& body) {
    constexpr std::string_view kMark = R"("client_payload":)";
    const auto start = body.find(kMark) + kMark.size();
    return body.substr(start, body.size() - start - 1);
}

std::string payload_of(std::size_t description) {
    return R"({"action":"opened","number":1,"pull_request":{"number":1,"body":")" +
           std::string(description, 'd') + R"(","head":{"sha":"a"}}})";
}

TEST(DispatchBody, HasTheShapeThatDownstreamsKnow) {
    const auto body = DispatchBody::make(delivery(), R"({"action": "opened"})").value();
    EXPECT_EQ(
        body.for_downstream(
            {.generation = 0, .level = domain::Level::l2, .callback_token = "bt1.1.2.x"}
        ),
        R"({"event_type":"pull_request","client_payload":{"event_type":"pull_request","delivery_id":"72d3162e-cc78",)"
        R"("payload":{"action": "opened"},"callback_token":"bt1.1.2.x",)"
        R"("baton":{"generation":0,"level":"L2","upstream":"pytorch/pytorch"}}})"
    );
}

TEST(DispatchBody, WithoutATokenThereIsNoSuchKey) {
    const auto body =
        DispatchBody::make(delivery(), "{}").value().for_downstream({.level = domain::Level::l1});
    EXPECT_FALSE(json::parse(body).at("client_payload").as_object().contains("callback_token"));
}

TEST(DispatchBody, ServesEveryDownstreamFromOnePart) {
    const auto part = DispatchBody::make(delivery(), payload_of(10)).value();
    const auto one =
        json::parse(part.for_downstream({.generation = 3, .level = domain::Level::l4}));
    const auto two = json::parse(part.for_downstream({.level = domain::Level::l1}));
    EXPECT_EQ(one.at("client_payload").at("payload"), two.at("client_payload").at("payload"));
    EXPECT_EQ(
        json::serialize(one.at("client_payload").at("baton")),
        R"({"generation":3,"level":"L4","upstream":"pytorch/pytorch"})"
    );
    EXPECT_EQ(two.at("client_payload").at("baton").at("level"), "L1");
}

TEST(DispatchBody, NamesWhatWasTrimmed) {
    const auto part = DispatchBody::make(delivery(), payload_of(70'000)).value();
    const auto body = json::parse(part.for_downstream({}));
    EXPECT_EQ(
        json::serialize(body.at("client_payload").at("baton").at("trimmed")),
        R"(["pull_request.body"])"
    );
    EXPECT_THAT(part.trimmed(), testing::ElementsAre("pull_request.body"));
}

TEST(DispatchBody, TheLongestDescriptionThatFitsIsKeptAndOneByteMoreIsNot) {
    std::size_t fits = 0;
    std::size_t over = limits::kClientPayloadBytesMax;
    while (over - fits > 1) {
        const auto middle = (fits + over) / 2;
        (DispatchBody::make(delivery(), payload_of(middle))->trimmed().empty() ? fits : over) =
            middle;
    }
    EXPECT_GT(fits, limits::kClientPayloadBytesMax - 1000) << "room is being wasted";
    const DownstreamFacts longest{
        .generation = std::numeric_limits<int>::min(),
        .level = domain::Level::l4,
        .callback_token = std::string(crypto::kCallbackTokenBytesMax, 't'),
    };
    const auto body = DispatchBody::make(delivery(), payload_of(fits))->for_downstream(longest);
    EXPECT_LT(client_payload_text(body).size(), limits::kClientPayloadBytesMax);
}

TEST(DispatchBody, RefusesWhatGithubWouldNotTake) {
    auto facts = delivery();
    facts.event_type = "";
    EXPECT_EQ(DispatchBody::make(facts, "{}").error().code, Errc::invalid);
    facts.event_type = std::string(101, 'e');
    EXPECT_EQ(DispatchBody::make(facts, "{}").error().code, Errc::invalid);
    facts.event_type = std::string(100, 'e');
    EXPECT_TRUE(DispatchBody::make(facts, "{}"));
    facts.delivery = DeliveryId(std::string(limits::kClientPayloadBytesMax, 'd'));
    EXPECT_EQ(DispatchBody::make(facts, "{}").error().code, Errc::invalid);
    EXPECT_EQ(
        DispatchBody::make(delivery(), "[" + std::string(70'000, '1') + "]").error().code,
        Errc::invalid
    );
}

RC_GTEST_PROP(
    DispatchBody,
    StaysBelowTheLimitWhateverItIsGiven,
    (std::string id, std::string token, int generation)
) {
    RC_PRE(id.size() <= limits::kDeliveryIdBytesMax && token.size() <= 20);
    auto facts = delivery();
    facts.delivery = DeliveryId(id);
    facts.trim = *rc::gen::inRange(0, domain::kTrimStepMax + 1);
    const auto description = *rc::gen::inRange<std::size_t>(0, 130'000);
    const auto part = DispatchBody::make(facts, payload_of(description));
    RC_ASSERT(part.has_value());
    const auto body = part->for_downstream({.generation = generation, .callback_token = token});
    const auto parsed = json::parse(body);
    const auto& client_payload = parsed.at("client_payload").as_object();
    RC_ASSERT(client_payload_text(body).size() < limits::kClientPayloadBytesMax);
    RC_ASSERT(client_payload.size() <= limits::kClientPayloadKeysMax);
    RC_ASSERT(client_payload.at("payload").at("pull_request").at("head").at("sha") == "a");
    RC_ASSERT(
        client_payload.at("baton").as_object().contains("trimmed") != part->trimmed().empty()
    );
}

} // namespace
} // namespace baton::wire
