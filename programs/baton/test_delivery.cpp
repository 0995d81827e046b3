#include "test_delivery.hpp"

#include "baton/base/ids.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/ports/store.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <string>
#include <string_view>
#include <utility>

#include "print.hpp"

namespace baton::program {

namespace json = boost::json;

namespace {

constexpr std::string_view kHeads = "refs/heads/";

std::string short_ref(const std::string& ref) {
    return ref.starts_with(kHeads) ? ref.substr(kHeads.size()) : ref;
}

std::string full_ref(const std::string& ref) {
    return ref.starts_with("refs/") ? ref : std::string(kHeads) + ref;
}

json::object repository_json(const RepoName& repo) {
    return {
        {"name", std::string(repo.repo())},
        {"full_name", repo.text()},
        {"owner", json::object{{"login", std::string(repo.owner())}}},
    };
}

json::object push_json(const TestSubject& subject) {
    return {
        {"ref", json_text(full_ref(subject.ref))},
        {"before", std::string(40, '0')},
        {"after", subject.head.text()},
        {"created", false},
        {"deleted", false},
        {"forced", false},
        {"commits", json::array{}},
    };
}

json::object pull_json(const TestSubject& subject) {
    const json::object end{
        {"ref", json_text(short_ref(subject.ref))},
        {"sha", subject.head.text()},
        {"repo", repository_json(subject.upstream)},
    };
    return {
        {"action", "opened"},
        {"number", 0},
        {"pull_request",
         json::object{
             {"number", 0},
             {"state", "open"},
             {"draft", false},
             {"title", "A test dispatch by Baton"},
             {"user", json::object{{"login", "baton"}}},
             {"labels", json::array{}},
             {"head", end},
             {"base", end},
         }},
    };
}

} // namespace

ports::TestDispatch test_of(const TestSubject& subject) {
    auto body = subject.event == "push" ? push_json(subject) : pull_json(subject);
    body["repository"] = repository_json(subject.upstream);
    body["sender"] = json::object{{"login", "baton"}};
    body["baton"] = json::object{{"test", true}, {"by", json_text(subject.actor)}};

    ports::TestDispatch test{.now = subject.now, .actor = subject.actor};
    test.delivery.id = subject.id;
    test.delivery.event = subject.event;
    test.delivery.action = subject.event == "push" ? "" : "opened";
    test.delivery.repository = subject.upstream.text();
    test.delivery.head = subject.head;
    test.delivery.received_at = subject.now;
    test.delivery.body = json::serialize(body);

    test.dispatch.key = {
        .delivery = subject.id, .downstream = subject.downstream.repo, .generation = 0
    };
    test.dispatch.upstream = subject.upstream;
    test.dispatch.event_type = subject.event;
    test.dispatch.head = subject.head;
    test.dispatch.level = subject.downstream.level;
    test.dispatch.device = subject.downstream.device;
    return test;
}

} // namespace baton::program
