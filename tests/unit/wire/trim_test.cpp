#include "baton/base/limits.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/wire/trim.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace baton::wire {
namespace {

namespace json = boost::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

json::object user(std::string_view login) {
    return {
        {"login", login}, {"id", 1}, {"type", "User"}, {"avatar_url", "https://avatars.example/u/1"}
    };
}

json::object repo(std::string_view name) {
    return {
        {"id", 2},
        {"full_name", name},
        {"default_branch", "main"},
        {"description", "d"},
        {"owner", user("o")}
    };
}

json::object label(std::string_view name) {
    return {{"name", name}, {"color", "fff"}, {"description", "a label"}};
}

/// Every field that a row of the table is about, and some that none is. Sizes of the bulky ones are
/// the caller's.
json::object payload(std::size_t body_size = 10, std::size_t commits = 1) {
    json::object pull_request{
        {"_links", {{"self", {{"href", "https://api.example/pulls/1"}}}}},
        {"number", 7},
        {"title", "A \"title\" – with €"},
        {"state", "open"},
        {"draft", false},
        {"merged", nullptr},
        {"body", std::string(body_size, 'b')},
        {"labels", {label("ciflow/crcr/npu"), label("bug")}},
        {"head",
         {{"sha", "a"},
          {"ref", "fix"},
          {"label", "me:fix"},
          {"user", user("me")},
          {"repo", repo("me/up")}}},
        {"base", {{"sha", "b"}, {"ref", "main"}, {"user", user("o")}, {"repo", repo("o/up")}}},
        {"user", user("me")},
        {"requested_reviewers", {user("r")}},
        {"requested_teams", {"t"}},
        {"assignees", {user("s")}},
        {"assignee", user("s")},
        {"milestone", {{"title", "m"}}},
        {"auto_merge", {{"merge_method", "squash"}}},
        {"merged_by", user("m")},
        {"unheard_of", {1, 2, 3}},
    };
    json::array list;
    for (std::size_t i = 0; i < commits; ++i) {
        list.push_back(
            {{"id", i},
             {"message", "m"},
             {"added", {"a.txt"}},
             {"removed", {"b"}},
             {"modified", {"c"}}}
        );
    }
    return {
        {"action", "opened"},
        {"number", 7},
        {"pull_request", pull_request},
        {"repository", repo("o/up")},
        {"organization", {{"login", "o"}}},
        {"enterprise", {{"slug", "e"}}},
        {"sender", user("me")},
        {"ref", "refs/heads/main"},
        {"before", "0"},
        {"after", "1"},
        {"deleted", false},
        {"base_ref", nullptr},
        {"head_sha", "1"},
        {"commits", list},
        {"head_commit", {{"id", "1"}, {"message", "m"}, {"added", {"x"}}}},
        {"zen", "unheard of too"},
    };
}

/// All values at a path of kept_fields(), as text.
std::vector<std::string> values_at(const json::value& node, std::string_view path) {
    if (path.empty()) {
        return {json::serialize(node)};
    }
    const auto dot = std::min(path.find('.'), path.size());
    auto name = path.substr(0, dot);
    const auto rest = path.substr(std::min(dot + 1, path.size()));
    const bool each = name.ends_with("[]");
    name.remove_suffix(each ? 2 : 0);
    const auto* member = node.is_object() ? node.as_object().if_contains(name) : nullptr;
    if (member == nullptr) {
        return {};
    }
    if (!each) {
        return values_at(*member, rest);
    }
    std::vector<std::string> all;
    const auto* elements = member->if_array();
    if (elements == nullptr) {
        return all;
    }
    for (const auto& element : *elements) {
        std::ranges::copy(values_at(element, rest), std::back_inserter(all));
    }
    return all;
}

std::size_t size_of(const TrimmedPayload& trimmed) {
    return trimmed.json.size() + names_size(trimmed.trimmed);
}

TEST(Trim, ABodyThatFitsIsNotTouchedByteForByte) {
    const std::string odd = "{ \"b\": 1.50,\n \"a\": \"\\u00e9\" }";
    const auto trimmed = trim(odd, odd.size(), 0);
    ASSERT_TRUE(trimmed);
    EXPECT_EQ(trimmed->json, odd);
    EXPECT_THAT(trimmed->trimmed, IsEmpty());
}

TEST(Trim, BlanksGoBeforeAnyField) {
    const std::string odd = "{ \"b\": 1.50,\n \"a\": \"\\u00e9\" }";
    const auto trimmed = trim(odd, odd.size() - 1, 0);
    ASSERT_TRUE(trimmed);
    EXPECT_EQ(trimmed->json, "{\"b\":1.50,\"a\":\"\\u00e9\"}");
    EXPECT_THAT(trimmed->trimmed, IsEmpty());
}

TEST(Trim, TheOrderIsFixed) {
    const auto trimmed =
        trim(json::serialize(payload()), limits::kClientPayloadBytesMax, domain::kTrimStepMax);
    ASSERT_TRUE(trimmed);
    EXPECT_THAT(
        trimmed->trimmed,
        ElementsAre(
            "pull_request._links",
            "pull_request.base.repo.*",
            "pull_request.head.repo.*",
            "organization",
            "enterprise",
            "pull_request.requested_reviewers",
            "pull_request.requested_teams",
            "pull_request.assignees",
            "pull_request.assignee",
            "pull_request.milestone",
            "pull_request.auto_merge",
            "pull_request.merged_by.*",
            "pull_request.base.user.*",
            "pull_request.head.user.*",
            "pull_request.user.*",
            "sender.*",
            "pull_request.labels[].*",
            "pull_request.body",
            "commits[].added",
            "commits[].removed",
            "commits[].modified",
            "commits",
            "head_commit.*",
            "repository.*",
            "pull_request.head.*",
            "pull_request.base.*",
            "pull_request.*",
            "*"
        )
    );
}

TEST(Trim, StopsAsSoonAsItFits) {
    const auto text = json::serialize(payload());
    const auto trimmed = trim(text, text.size() - 1, 0);
    ASSERT_TRUE(trimmed);
    EXPECT_THAT(trimmed->trimmed, ElementsAre("pull_request._links"));
}

TEST(Trim, ALongDescriptionGoesAndTheRestOfThePullRequestStays) {
    const auto text = json::serialize(payload(70'000));
    const auto trimmed = trim(text, 50'000, 0);
    ASSERT_TRUE(trimmed);
    EXPECT_EQ(trimmed->trimmed.back(), "pull_request.body");
    EXPECT_THAT(trimmed->json, HasSubstr("unheard_of"));
    EXPECT_THAT(trimmed->json, HasSubstr("a.txt"));
}

TEST(Trim, APushOfManyCommitsLosesThemAndKeepsItsRefs) {
    const auto text = json::serialize(payload(1, 5'000));
    const auto trimmed = trim(text, 50'000, 0);
    ASSERT_TRUE(trimmed);
    EXPECT_EQ(trimmed->trimmed.back(), "commits");
    EXPECT_THAT(trimmed->json, HasSubstr("refs/heads/main"));
}

TEST(Trim, EachRefusalTakesMore) {
    const auto text = json::serialize(payload());
    const auto fits = trim(text, text.size(), 0);
    const auto harder = trim(text, text.size(), 1);
    const auto hardest = trim(text, text.size(), 2);
    ASSERT_TRUE(fits && harder && hardest);
    EXPECT_THAT(fits->trimmed, IsEmpty());
    EXPECT_EQ(harder->trimmed.back(), "repository.*");
    EXPECT_THAT(harder->json, HasSubstr("unheard of too"));
    EXPECT_LT(hardest->json.size(), harder->json.size());
}

TEST(Trim, TheSkeletonIsExactlyWhatIsKept) {
    const auto trimmed =
        trim(json::serialize(payload()), limits::kClientPayloadBytesMax, domain::kTrimStepMax);
    ASSERT_TRUE(trimmed);
    EXPECT_EQ(json::parse(trimmed->json), json::parse(R"({"action":"opened","number":7,
            "pull_request":{"number":7,"title":"A \"title\" – with €","state":"open","draft":false,"merged":null,
                "labels":[{"name":"ciflow/crcr/npu"},{"name":"bug"}],
                "head":{"sha":"a","ref":"fix","repo":{"full_name":"me/up"}},
                "base":{"sha":"b","ref":"main"},"user":{"login":"me"}},
            "repository":{"full_name":"o/up"},"sender":{"login":"me"},"ref":"refs/heads/main","before":"0",
            "after":"1","deleted":false,"base_ref":null,"head_sha":"1"})"));
}

TEST(Trim, AForkThatIsGoneStaysNull) {
    auto gone = payload();
    gone["pull_request"].at("head").as_object()["repo"] = nullptr;
    const auto trimmed =
        trim(json::serialize(gone), limits::kClientPayloadBytesMax, domain::kTrimStepMax);
    ASSERT_TRUE(trimmed);
    EXPECT_TRUE(json::parse(trimmed->json).at("pull_request").at("head").at("repo").is_null());
}

TEST(Trim, SaysSoWhenNotEvenTheSkeletonFits) {
    auto hostile = payload();
    hostile["pull_request"].as_object()["title"] = std::string(1'000'000, 't');
    const auto trimmed = trim(json::serialize(hostile), 59'000, 0);
    ASSERT_FALSE(trimmed);
    EXPECT_EQ(trimmed.error().code, Errc::invalid);
}

TEST(Trim, WhatIsHugeWithoutBeingKnownGoesWithTheSkeleton) {
    auto hostile = payload();
    hostile["surprise"] = std::string(1'000'000, 's');
    hostile["pull_request"].as_object()["another"] = std::string(1'000'000, 's');
    const auto trimmed = trim(json::serialize(hostile), 59'000, 0);
    ASSERT_TRUE(trimmed);
    EXPECT_THAT(trimmed->trimmed, Contains("*"));
}

TEST(Trim, DeepNestingEndsAtTheLimit) {
    const auto nested = [](int depth) {
        return R"({"a":")" + std::string(1000, 'x') + R"(","b":)" +
               std::string(static_cast<std::size_t>(depth), '[') +
               std::string(static_cast<std::size_t>(depth), ']') + "}";
    };
    EXPECT_TRUE(trim(nested(limits::kJsonDepthMax - 1), 500, 0));
    EXPECT_EQ(trim(nested(100'000), 500, 0).error().code, Errc::invalid);
}

TEST(Trim, WhatIsNoObjectCannotBeTrimmed) {
    for (const std::string_view text : {"[1,2,3]", "\"text\"", "{\"a\":", "", "{\"a\":\"\xff\"}"}) {
        SCOPED_TRACE(text);
        EXPECT_EQ(trim(text, 100, 1).error().code, Errc::invalid);
    }
}

/// A payload in which any field may be missing, null, of another kind, short or long.
json::object drawn_payload() {
    auto drawn =
        payload(*rc::gen::inRange<std::size_t>(0, 3000), *rc::gen::inRange<std::size_t>(0, 30));
    const auto disturb = [](json::object& object) {
        std::vector<std::string> names;
        for (const auto& member : object) {
            names.emplace_back(member.key());
        }
        for (const auto& name : names) {
            switch (*rc::gen::inRange(0, 16)) {
            case 0:
                object.erase(name);
                break;
            case 1:
                object[name] = nullptr;
                break;
            case 2:
                object[name] = *rc::gen::arbitrary<std::int64_t>();
                break;
            case 3:
                object[name] = *rc::gen::container<std::string>(rc::gen::inRange<char>(0, 127));
                break;
            default:
                break;
            }
        }
    };
    if (auto* pull_request = drawn["pull_request"].if_object()) {
        disturb(*pull_request);
    }
    disturb(drawn);
    return drawn;
}

RC_GTEST_PROP(Trim, KeepsItsPromisesForAnyPayloadAndBudget, ()) {
    const json::value original = drawn_payload();
    const auto text = json::serialize(original);
    const auto budget = *rc::gen::inRange<std::size_t>(0, text.size() + 100);
    const auto step = *rc::gen::inRange(0, domain::kTrimStepMax + 1);
    const auto trimmed = trim(text, budget, step);
    const auto skeleton = trim(text, text.size() + 10'000, domain::kTrimStepMax);
    RC_ASSERT(skeleton.has_value());
    if (!trimmed) {
        RC_ASSERT(trimmed.error().code == Errc::invalid);
        RC_ASSERT(size_of(*skeleton) > budget);
        return;
    }
    RC_ASSERT(size_of(*trimmed) <= budget);
    const auto result = json::parse(trimmed->json);
    for (const auto kept : kept_fields()) {
        RC_ASSERT(values_at(result, kept) == values_at(original, kept));
        RC_ASSERT(std::ranges::find(trimmed->trimmed, kept) == trimmed->trimmed.end());
    }
    auto rest = skeleton->trimmed.begin(); // what was taken is taken in the one order
    for (const auto& name : trimmed->trimmed) {
        rest = std::find(rest, skeleton->trimmed.end(), name);
        RC_ASSERT(rest != skeleton->trimmed.end());
        ++rest;
    }
    RC_ASSERT(trim(text, budget, step)->json == trimmed->json);
}

RC_GTEST_PROP(Trim, NoInputMakesItStumble, (std::string noise)) {
    static_cast<void>(trim(noise, 0, 0));
    static_cast<void>(trim("{\"pull_request\":" + noise + "}", 5, 2));
}

} // namespace
} // namespace baton::wire
