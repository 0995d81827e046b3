#include "made_up_event.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/pull_request.hpp"

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace baton::program {

namespace {

constexpr PrNumber kNumber{1};

Login author() {
    return Login("author");
}

Login labeller() {
    return Login("labeller");
}

HeadSha head() {
    return HeadSha(std::string(40, '1'));
}

domain::PullRequestFacts pull_facts(const MadeUp& made_up, TimePoint now) {
    domain::PullRequestFacts facts;
    facts.number = kNumber;
    facts.head = head();
    facts.base_ref = made_up.ref;
    facts.open = made_up.action != "closed";
    facts.labels = made_up.labels;
    facts.label = made_up.labels.empty() ? "" : made_up.labels.back();
    facts.author = author();
    facts.association = domain::association_named(made_up.association);
    facts.updated_at = now;
    return facts;
}

domain::PushFacts push_facts(const MadeUp& made_up) {
    domain::PushFacts facts;
    facts.ref = made_up.ref;
    facts.after = head();
    facts.files = made_up.files;
    facts.files_complete = !made_up.files.empty(); // none named: they could be any
    return facts;
}

domain::Event event_of(const MadeUp& made_up, TimePoint now) {
    domain::Event event;
    event.delivery = DeliveryId("made-up");
    event.name = made_up.event;
    event.action = made_up.action;
    event.repository = RepoName::parse("upstream/upstream").value();
    event.sender = labeller();
    if (made_up.event == "push") {
        event.facts = push_facts(made_up);
    } else {
        event.facts = pull_facts(made_up, now);
    }
    return event;
}

/// Anything but `opened` happens to a pull request that is known: labels that it carries were put
/// there before, and its opening was forwarded.
std::optional<domain::PullRequest> known_before(const MadeUp& made_up, TimePoint now) {
    if (made_up.event == "push" || made_up.action == "opened") {
        return std::nullopt;
    }
    domain::PullRequest pr;
    pr.number = kNumber;
    pr.head = head();
    pr.updated_at = now - std::chrono::seconds(1);
    pr.open = made_up.action != "reopened";
    pr.labels = made_up.labels;
    if (made_up.action == "labeled" && !pr.labels.empty()) {
        pr.labels.pop_back();
    }
    pr.approved = !pr.labels.empty();
    pr.author = author();
    pr.association = domain::association_named(made_up.association);
    pr.newest_forwarded = DeliveryId("made-up-before");
    pr.version = 1;
    return pr;
}

} // namespace

void add_event_options(CLI::App& command, MadeUp& event) {
    command.add_option("--event", event.event, "Which event happens")
        ->required()
        ->check(CLI::IsMember({"pull_request", "push"}))
        ->option_text("pull_request|push REQUIRED");
    command
        .add_option("--action", event.action, "What happens to the pull request; default opened")
        ->check(CLI::IsMember({
            "opened",
            "reopened",
            "synchronize",
            "closed",
            "labeled",
            "unlabeled",
            "ready_for_review",
            "converted_to_draft",
        }))
        ->option_text("ACTION");
    command.add_option("--label", event.labels, "A label that it carries; may be repeated")
        ->allow_extra_args(false)
        ->option_text("LABEL");
    command.add_option("--ref", event.ref, "What is pushed to; default refs/heads/main")
        ->option_text("REF");
    command.add_option("--file", event.files, "A file that the push changes; may be repeated")
        ->allow_extra_args(false)
        ->option_text("PATH");
    command
        .add_option("--author-association", event.association, "What the author is; default NONE")
        ->check(CLI::IsMember({
            "OWNER",
            "MEMBER",
            "COLLABORATOR",
            "CONTRIBUTOR",
            "FIRST_TIME_CONTRIBUTOR",
            "FIRST_TIMER",
            "NONE",
        }))
        ->option_text("WORD");
    command.add_option("--permission", event.permission, "The author's rights; default read")
        ->check(CLI::IsMember({"none", "read", "triage", "write", "maintain", "admin"}))
        ->option_text("WORD");
    command.add_option("--label-prefix", event.label_prefixes, "As in the configuration")
        ->allow_extra_args(false)
        ->option_text("PREFIX");
}

std::optional<std::string> complete(MadeUp& event) {
    if (event.event == "push") {
        return event.action.empty() ? std::nullopt : std::optional("a push has no --action");
    }
    if (event.action.empty()) {
        event.action = "opened";
    }
    if (event.action == "labeled" && event.labels.empty()) {
        return "--action labeled needs the --label";
    }
    return std::nullopt;
}

std::string title_of(const MadeUp& event) {
    return event.event == "push" ? fmt::format("push of {}", inert(event.ref))
                                 : fmt::format("pull_request {}", inert(event.action));
}

domain::Plan plan_of(const MadeUp& event, const domain::Allowlist& allowlist, TimePoint now) {
    domain::Rights rights;
    rights.known[author()] = domain::permission_named(event.permission);
    rights.known[labeller()] = domain::Permission::triage;
    const domain::PlanInput input{
        .event = event_of(event, now),
        .known = known_before(event, now),
        .now = now,
        .label_prefixes = event.label_prefixes,
    };
    return domain::plan(input, allowlist, rights);
}

} // namespace baton::program
