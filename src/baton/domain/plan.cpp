#include "baton/domain/plan.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/plan_looks.hpp"
#include "baton/domain/plan_rerun.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/domain/ruling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace baton::domain {

namespace {

bool matches_any(const std::vector<std::string>& globs, std::string_view text) {
    return std::ranges::any_of(globs, [&](const std::string& glob) {
        return glob_matches(glob, text);
    });
}

std::string_view short_ref(std::string_view ref) {
    for (const std::string_view prefix : {"refs/heads/", "refs/tags/"}) {
        if (ref.starts_with(prefix)) {
            return ref.substr(prefix.size());
        }
    }
    return ref;
}

Ruling push_ruling(const Downstream& downstream, const PushFacts& push) {
    if (downstream.trigger == Trigger::label && downstream.push_refs.empty()) {
        return Ruling::no("trigger: label, and a push carries none: name push_refs to get some");
    }
    if (!downstream.push_refs.empty() && !matches_any(downstream.push_refs, push.ref) &&
        !matches_any(downstream.push_refs, short_ref(push.ref))) {
        return Ruling::no(fmt::format("{} is not among its push_refs", push.ref));
    }
    const auto matters = [&](const std::string& file) {
        return matches_any(downstream.paths, file);
    };
    if (!downstream.paths.empty() && push.files_complete &&
        std::ranges::none_of(push.files, matters)) {
        return Ruling::no("no changed file is among its paths");
    }
    if (!downstream.paths.empty() && push.files_complete) {
        return Ruling::yes("a changed file is among its paths");
    }
    return downstream.push_refs.empty()
               ? Ruling{}
               : Ruling::yes(fmt::format("{} is among its push_refs", push.ref));
}

Ruling label_ruling(
    const Downstream& downstream, const PullRequest& pr, const std::vector<std::string>& prefixes
) {
    if (downstream.trigger == Trigger::always) {
        return {};
    }
    if (downstream.device.empty()) {
        return Ruling::no("trigger: label needs a device, and it names none");
    }
    for (const auto& prefix : prefixes) {
        if (pr.has_label(prefix + downstream.device)) {
            return Ruling::yes(fmt::format("the label {}{} is there", prefix, downstream.device));
        }
    }
    return Ruling::no(fmt::format(
        "waits for the label {}{}", prefixes.empty() ? "" : prefixes.front(), downstream.device
    ));
}

bool is_earlier_contributor(Association association) {
    switch (association) {
    case Association::contributor:
    case Association::collaborator:
    case Association::member:
    case Association::owner:
        return true;
    case Association::none:
    case Association::first_timer:
    case Association::first_time_contributor:
        return false;
    }
    return false;
}

Ruling trust_ruling(const Downstream& downstream, const PullRequest& pr, const Rights& rights) {
    switch (downstream.trust) {
    case Trust::any:
        return {};
    case Trust::approved:
        if (is_earlier_contributor(pr.association)) {
            return Ruling::yes("its author contributed before");
        }
        if (pr.approved) {
            return Ruling::yes("someone with triage rights labelled it");
        }
        return Ruling::no(
            "trust: approved, and nobody with triage rights has labelled this newcomer's "
            "pull request"
        );
    case Trust::write: {
        const auto permission = rights.of(pr.author);
        if (!permission) {
            return Ruling::undecided(
                fmt::format("waits to learn the rights of {}", pr.author.text())
            );
        }
        return *permission >= Permission::write
                   ? Ruling::yes(fmt::format("{} has write access", pr.author.text()))
                   : Ruling::no(
                         fmt::format("trust: write, and {} has no write access", pr.author.text())
                     );
    }
    }
    return {};
}

struct PullRequestCase {
    const PlanInput& input;
    const PullRequest& pr;
    const Rights& rights;
};

Ruling pull_request_ruling(const Downstream& downstream, const PullRequestCase& the) {
    return together(
        {general_ruling(downstream, the.input),
         label_ruling(downstream, the.pr, the.input.label_prefixes),
         trust_ruling(downstream, the.pr, the.rights)}
    );
}

std::string base_of(const PullRequestFacts& facts) {
    return facts.base_ref.empty() ? "" : "refs/heads/" + facts.base_ref;
}

NewDispatch dispatch_to(const Downstream& downstream, const Event& event, DeliveryId delivery) {
    NewDispatch dispatch;
    dispatch.key = {
        .delivery = std::move(delivery), .downstream = downstream.repo, .generation = 0
    };
    dispatch.upstream = event.repository.value_or(RepoName{});
    dispatch.event_type = event.name;
    dispatch.level = downstream.level;
    dispatch.device = downstream.device;
    return dispatch;
}

void record(Plan& plan, const Downstream& downstream, Ruling ruling, NewDispatch dispatch) {
    const bool goes = ruling.admission == Admission::yes;
    if (ruling.admission == Admission::undecided) {
        plan.undecided = true;
    }
    if (goes) {
        if (!dispatch.reason.empty()) { // it is at rest already, and that says more
            ruling.reason = dispatch.reason;
        }
        plan.dispatches.push_back(std::move(dispatch));
    }
    plan.decisions.push_back(
        {.downstream = downstream.repo, .dispatch = goes, .reason = std::move(ruling.reason)}
    );
}

Plan plan_push(const PlanInput& input, const PushFacts& push, const Allowlist& allowlist) {
    Plan plan;
    for (const auto& downstream : allowlist.downstreams()) {
        auto ruling = together({general_ruling(downstream, input), push_ruling(downstream, push)});
        auto dispatch = dispatch_to(downstream, input.event, input.event.delivery);
        dispatch.head = push.after;
        dispatch.ref = push.ref;
        record(plan, downstream, std::move(ruling), std::move(dispatch));
    }
    return plan;
}

/// What was rebuilt from a pull request and the webhook that came after all tell the same.
bool is_told_already(
    const std::optional<PullRequest>& known, const Event& event, const PullRequestFacts& facts
) {
    return known && known->head == facts.head && known->open == facts.open &&
           !known->newest_forwarded.empty() && known->newest_forwarded != event.delivery &&
           (is_rebuilt(event.delivery) || is_rebuilt(known->newest_forwarded));
}

/// A late webhook about a commit or state that is no longer the truth is planned, but never sent.
void mark_overtaken(
    NewDispatch& dispatch,
    const Folded& folded,
    const PlanInput& input,
    const PullRequestFacts& facts
) {
    const auto& event = input.event;
    if (is_told_already(input.known, event, facts)) {
        dispatch.state = DispatchState::superseded;
        dispatch.reason =
            fmt::format("delivery {} told the same", input.known->newest_forwarded.text());
        return;
    }
    if (folded.freshness == Freshness::newer) {
        return;
    }
    const auto& pr = folded.pull_request;
    if (facts.head != pr.head) {
        dispatch.state = DispatchState::superseded;
        dispatch.reason = fmt::format("commit {} came first", pr.head.text());
    } else if (event.action == "closed" && pr.open) {
        dispatch.state = DispatchState::superseded;
        dispatch.reason = "the pull request was reopened since";
    } else if (event.action != "closed" && !pr.open) {
        dispatch.state = DispatchState::cancelled;
        dispatch.reason = "the pull request was closed since";
    }
}

void plan_forwarded(
    Plan& plan,
    const PlanInput& input,
    const Folded& folded,
    const Allowlist& allowlist,
    const Rights& rights
) {
    const auto& facts = std::get<PullRequestFacts>(input.event.facts);
    const PullRequestCase the{.input = input, .pr = folded.pull_request, .rights = rights};
    for (const auto& downstream : allowlist.downstreams()) {
        auto dispatch = dispatch_to(downstream, input.event, input.event.delivery);
        dispatch.pr = facts.number;
        dispatch.head = facts.head;
        dispatch.ref = base_of(facts);
        mark_overtaken(dispatch, folded, input, facts);
        record(plan, downstream, pull_request_ruling(downstream, the), std::move(dispatch));
    }
}

/// A label can open the door for downstreams that had to wait: they get the newest body of the
/// current head. Its delivery id is the key, so a downstream that had it already gets nothing
/// twice.
void plan_labeled(
    Plan& plan,
    const PlanInput& input,
    const Folded& folded,
    const Allowlist& allowlist,
    const Rights& rights
) {
    const auto& pr = folded.pull_request;
    if (!pr.open || pr.newest_forwarded.empty()) {
        return; // closed, or the event that starts work has not come yet and will find the label
    }
    const auto& facts = std::get<PullRequestFacts>(input.event.facts);
    const PullRequestCase the{.input = input, .pr = pr, .rights = rights};
    for (const auto& downstream : allowlist.downstreams()) {
        if (downstream.trigger == Trigger::always && downstream.trust == Trust::any) {
            continue; // never had to wait
        }
        auto dispatch = dispatch_to(downstream, input.event, pr.newest_forwarded);
        dispatch.pr = pr.number;
        dispatch.head = pr.head;
        dispatch.ref = base_of(facts);
        record(plan, downstream, pull_request_ruling(downstream, the), std::move(dispatch));
    }
}

/// Whether it matters who set a label: it may start work, vouch for a newcomer, or show checks.
bool setter_matters(const std::string& label, const Allowlist& allowlist) {
    return std::ranges::any_of(allowlist.downstreams(), [&label](const Downstream& downstream) {
        const bool shown_by_label =
            policy_of(listed_level(downstream)).display_on_pr == DisplayOnPr::label_only &&
            !downstream.device.empty() && label.ends_with(downstream.device);
        return downstream.trigger == Trigger::label || downstream.trust == Trust::approved ||
               shown_by_label;
    });
}

Labeller labeller_of(const Event& event, const Allowlist& allowlist, const Rights& rights) {
    const auto& facts = std::get<PullRequestFacts>(event.facts);
    if (event.action != "labeled" || !setter_matters(facts.label, allowlist)) {
        return Labeller::may;
    }
    const auto permission = rights.of(event.sender);
    if (!permission) {
        return Labeller::unknown;
    }
    return *permission >= Permission::triage ? Labeller::may : Labeller::may_not;
}

Plan plan_pull_request(const PlanInput& input, const Allowlist& allowlist, const Rights& rights) {
    Plan plan;
    const auto labeller = labeller_of(input.event, allowlist, rights);
    plan.undecided = labeller == Labeller::unknown;
    const auto folded = fold(input.known, input.event, labeller);
    const bool news = folded.freshness == Freshness::newer;
    plan.pull_request = folded.pull_request;
    plan.supersede_older = news && input.known && input.known->head != folded.pull_request.head;
    // However late a `closed` arrives: while the pull request is closed, nothing of it is worth
    // starting.
    plan.cancel_pending = input.event.action == "closed" && !folded.pull_request.open;
    plan.supersede_others = news && input.event.action == "reopened";
    plan.looks = looks_at_pull_request(input, folded.pull_request, allowlist);
    if (is_forwarded(input.event)) {
        plan_forwarded(plan, input, folded, allowlist, rights);
    } else if (input.event.action == "labeled") {
        plan_labeled(plan, input, folded, allowlist, rights);
    }
    return plan;
}

} // namespace

std::set<Login> rights_wanted(
    const Event& event, const std::optional<PullRequest>& known, const Allowlist& allowlist
) {
    if (const auto* comment = std::get_if<CommentFacts>(&event.facts); comment != nullptr) {
        return command_rights_wanted(event, *comment, allowlist);
    }
    const auto* facts = std::get_if<PullRequestFacts>(&event.facts);
    if (facts == nullptr) {
        return {};
    }
    std::set<Login> wanted;
    const bool labeled = event.action == "labeled";
    if (labeled && setter_matters(facts->label, allowlist)) {
        wanted.insert(event.sender);
    }
    const auto asks_for_write = [](const Downstream& downstream) {
        return downstream.trust == Trust::write;
    };
    if ((labeled || is_forwarded(event)) &&
        std::ranges::any_of(allowlist.downstreams(), asks_for_write)) {
        wanted.insert(known && !known->author.empty() ? known->author : facts->author);
    }
    wanted.erase(Login{});
    return wanted;
}

Plan plan(const PlanInput& input, const Allowlist& allowlist, const Rights& rights) {
    const auto& facts = input.event.facts;
    if (const auto* push = std::get_if<PushFacts>(&facts); push != nullptr) {
        return is_forwarded(input.event) ? plan_push(input, *push, allowlist) : Plan{};
    }
    if (const auto* rerequest = std::get_if<RerequestFacts>(&facts); rerequest != nullptr) {
        return plan_rerequest(input, *rerequest, allowlist);
    }
    if (const auto* comment = std::get_if<CommentFacts>(&facts); comment != nullptr) {
        return plan_comment(input, *comment, allowlist, rights);
    }
    if (const auto* group = std::get_if<MergeGroupFacts>(&facts); group != nullptr) {
        Plan plan; // nothing is dispatched for it
        plan.looks = {look_at_merge_group(input, *group)};
        return plan;
    }
    if (std::holds_alternative<PullRequestFacts>(facts)) {
        return plan_pull_request(input, allowlist, rights);
    }
    return {};
}

} // namespace baton::domain
