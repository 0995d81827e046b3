#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/pull_request.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// What the tests of planning share: events told one after the other about one pull request.
namespace baton::domain::story {

using namespace std::chrono_literals;

inline constexpr TimePoint kNow = from_ms(1'800'000'000'000);
inline const RepoName kUpstream = *RepoName::parse("up/stream");

inline Downstream
listed(const std::string& repo, const std::function<void(Downstream&)>& with = [](Downstream&) {}) {
    Downstream one;
    one.repo = *RepoName::parse("down/" + repo);
    one.device = "npu";
    with(one);
    return one;
}

inline Allowlist allowlist(const std::vector<Downstream>& all) {
    Allowlist list;
    for (const auto& one : all) {
        EXPECT_TRUE(list.add(one));
    }
    return list;
}

struct At {
    std::string head = "a";
    Millis time{0};
    std::vector<std::string> labels = {};
    std::string label = {};
    std::string sender = "someone";
    Association association = Association::member;
};

inline Event pull_request(std::string delivery, std::string action, const At& at = {}) {
    Event one;
    one.delivery = DeliveryId(std::move(delivery));
    one.name = "pull_request";
    one.action = std::move(action);
    one.repository = kUpstream;
    one.sender = Login(at.sender);
    PullRequestFacts facts;
    facts.number = PrNumber{7};
    facts.head = HeadSha(at.head);
    facts.open = one.action != "closed";
    facts.labels = at.labels;
    facts.label = at.label;
    facts.author = Login("author");
    facts.association = at.association;
    facts.updated_at = kNow + at.time;
    one.facts = facts;
    return one;
}

inline Event
push(const std::string& ref, std::vector<std::string> files = {}, bool complete = true) {
    Event one;
    one.delivery = DeliveryId("p");
    one.name = "push";
    one.repository = kUpstream;
    one.facts = PushFacts{
        .ref = ref,
        .before = HeadSha("b"),
        .after = HeadSha("c"),
        .deleted = false,
        .files = std::move(files),
        .files_complete = complete
    };
    return one;
}

/// A pull request told event by event, as the planner does it.
class Story {
public:
    explicit Story(Allowlist list)
        : list_(std::move(list)) {}

    Plan tell(const Event& event, const Rights& rights = {}) {
        const PlanInput input{
            .event = event,
            .known = known_,
            .now = kNow,
            .label_prefixes = {"ciflow/crcr/", "ciflow/oot/"}
        };
        auto result = plan(input, list_, rights);
        if (result.pull_request) {
            known_ = result.pull_request;
        }
        return result;
    }

private:
    Allowlist list_;
    std::optional<PullRequest> known_;
};

/// downstream -> "state delivery", for what is sent; "" for what is not.
using Outcomes = std::map<std::string, std::string>;

inline Outcomes outcomes(const Plan& plan) {
    Outcomes result;
    for (const auto& decision : plan.decisions) {
        result[std::string(decision.downstream.repo())] = "";
    }
    for (const auto& dispatch : plan.dispatches) {
        result[std::string(dispatch.key.downstream.repo())] =
            std::string(name_of(dispatch.state)) + " " + dispatch.key.delivery.text();
    }
    return result;
}

inline Rights rights(const std::string& login, Permission permission) {
    return Rights{.known = {{Login(login), permission}}};
}

} // namespace baton::domain::story
