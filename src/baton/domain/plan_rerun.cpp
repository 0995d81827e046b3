#include "baton/domain/plan_rerun.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/command.hpp"
#include "baton/domain/event.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/plan_looks.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/ruling.hpp"
#include "baton/domain/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

/// What every order of one delivery has in common.
struct Wish {
    Subject subject;
    std::string run_id; // empty: every run on that head
    RerunScope scope{RerunScope::failed};
};

NewRerun order_for(const Downstream& downstream, const PlanInput& input, const Wish& wish) {
    return {
        .key = fmt::format("{}/{}", input.event.delivery.text(), downstream.repo.key()),
        .subject = wish.subject,
        .downstream = downstream.repo,
        .run_id = wish.run_id,
        .scope = wish.scope,
        .cause = RerunCause::person,
        .actor = input.event.sender.text(),
    };
}

void refuse(Plan& plan, RepoName downstream, std::string reason) {
    plan.decisions.push_back(
        {.downstream = std::move(downstream), .dispatch = false, .reason = std::move(reason)}
    );
}

/// GitHub has asked for the rights already; the operator's word and maintenance still hold.
void order_or_refuse(
    Plan& plan, const Downstream& downstream, const PlanInput& input, const Wish& wish
) {
    auto ruling = general_ruling(downstream, input);
    if (ruling.admission == Admission::yes) {
        plan.reruns.push_back(order_for(downstream, input, wish));
    } else {
        refuse(plan, downstream.repo, std::move(ruling.reason));
    }
}

/// "<run_id>:<pr>", as we gave it. With 0, or without a number, it is the merge queue's.
struct ExternalId {
    std::string run_id;
    std::optional<PrNumber> pr;
};

std::optional<ExternalId> external_id_of(std::string_view text) {
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    ExternalId id{.run_id = std::string(text.substr(0, colon)), .pr = std::nullopt};
    if (const auto digits = text.substr(colon + 1); !digits.empty()) {
        const auto number = whole_number(digits);
        if (!number) {
            return std::nullopt;
        }
        id.pr = *number == 0 ? std::nullopt : std::optional(PrNumber{*number});
    }
    return id;
}

/// "owner/repo" of "owner/repo/workflow/job".
std::optional<RepoName> repo_at_the_head_of(std::string_view path) {
    const auto owner = path.find('/');
    const auto repo = owner == std::string_view::npos ? owner : path.find('/', owner + 1);
    if (repo == std::string_view::npos) {
        return std::nullopt;
    }
    auto name = RepoName::parse(path.substr(0, repo));
    return name ? std::optional(*std::move(name)) : std::nullopt;
}

RepoName upstream_of(const PlanInput& input) {
    return input.event.repository.value_or(RepoName{});
}

/// A suite names no pull request; the one we know of may have that head.
Plan plan_suite(const PlanInput& input, const RerequestFacts& facts, const Allowlist& allowlist) {
    Plan plan;
    Wish wish{
        .subject = {.upstream = upstream_of(input), .pr = std::nullopt, .head = facts.head},
        .run_id = "",
        .scope = RerunScope::all,
    };
    if (input.known && input.known->head == facts.head) {
        wish.subject.pr = input.known->number;
        plan.looks.push_back(wish.subject);
    }
    for (const auto& downstream : allowlist.downstreams()) {
        if (shows_checks(downstream)) {
            order_or_refuse(plan, downstream, input, wish);
        }
    }
    return plan;
}

Plan plan_gate(const PlanInput& input, const Wish& wish, const Allowlist& allowlist) {
    Plan plan;
    plan.looks.push_back(wish.subject);
    for (const auto& downstream : allowlist.downstreams()) {
        if (policy_of(downstream.level).block_pr) {
            order_or_refuse(plan, downstream, input, wish);
        }
    }
    return plan;
}

Plan plan_check(
    const PlanInput& input, const Wish& wish, std::string_view path, const Allowlist& allowlist
) {
    const auto repo = repo_at_the_head_of(path);
    if (!repo) {
        return {}; // no check of ours has such a name
    }
    Plan plan;
    const auto* downstream = allowlist.find(*repo);
    if (downstream == nullptr) {
        refuse(plan, *repo, "it is not listed any more");
        return plan;
    }
    plan.looks.push_back(wish.subject);
    order_or_refuse(plan, *downstream, input, wish);
    return plan;
}

bool is_oncall(const Downstream& downstream, const Login& login) {
    return std::ranges::any_of(downstream.oncalls, [&login](const Login& oncall) {
        return lower(oncall.text()) == lower(login.text());
    });
}

/// By device, as owner/repo, or by the repository's name alone; nothing named means all that show
/// checks.
bool is_meant(const Downstream& downstream, const std::string& target) {
    if (target.empty()) {
        return shows_checks(downstream);
    }
    const auto small = lower(target);
    return lower(downstream.device) == small || downstream.repo.key() == small ||
           lower(downstream.repo.repo()) == small;
}

std::vector<Downstream> meant_by(const Command& command, const Allowlist& allowlist) {
    std::vector<Downstream> meant;
    for (const auto& downstream : allowlist.downstreams()) {
        if (is_meant(downstream, command.target)) {
            meant.push_back(downstream);
        }
    }
    return meant;
}

Ruling asker_ruling(const Downstream& downstream, const Login& asker, const Rights& rights) {
    if (is_oncall(downstream, asker)) {
        return Ruling::yes("who asks is on-call for it");
    }
    const auto permission = rights.of(asker);
    if (!permission) {
        return Ruling::undecided(fmt::format("waits to learn the rights of {}", asker.text()));
    }
    return *permission >= Permission::write
               ? Ruling::yes(fmt::format("{} has write access", asker.text()))
               : Ruling::no(fmt::format(
                     "{} has no write access to the upstream and is not on-call for it",
                     asker.text()
                 ));
}

Ruling result_ruling(const Downstream& downstream) {
    return policy_of(downstream.level).display_on_hud
               ? Ruling{}
               : Ruling::no(fmt::format(
                     "at {} it reports nothing that could be run again", name_of(downstream.level)
                 ));
}

/// To see how things stand only the asker is judged; to run something again, everything is.
Ruling command_ruling(
    const Downstream& downstream, Command::Verb verb, const PlanInput& input, const Rights& rights
) {
    auto asker = asker_ruling(downstream, input.event.sender, rights);
    return verb == Command::Verb::status
               ? asker
               : together({result_ruling(downstream), general_ruling(downstream, input), asker});
}

} // namespace

Plan plan_rerequest(
    const PlanInput& input, const RerequestFacts& facts, const Allowlist& allowlist
) {
    if (input.app_id != 0 && facts.app_id != input.app_id) {
        return {};
    }
    if (facts.check.empty()) {
        return plan_suite(input, facts, allowlist);
    }
    const auto prefix = input.check_prefix + "/";
    const auto id = external_id_of(facts.external_id);
    if (!facts.check.starts_with(prefix) || !id) {
        return {};
    }
    Wish wish{
        .subject = {.upstream = upstream_of(input), .pr = id->pr, .head = facts.head},
        .run_id = id->run_id,
        .scope = RerunScope::failed,
    };
    const auto path = std::string_view(facts.check).substr(prefix.size());
    if (path == "gate") {
        wish.run_id.clear();
        return plan_gate(input, wish, allowlist);
    }
    return plan_check(input, wish, path, allowlist);
}

Plan plan_comment(
    const PlanInput& input,
    const CommentFacts& comment,
    const Allowlist& allowlist,
    const Rights& rights
) {
    const auto command = command_in(comment.text);
    if (!comment.on_pull_request || !command) {
        return {};
    }
    Plan plan;
    const auto meant = meant_by(*command, allowlist);
    if (meant.empty()) {
        refuse(
            plan,
            {},
            command->target.empty()
                ? "nobody listed shows checks on pull requests"
                : fmt::format("no device or downstream listed is called {}", command->target)
        );
    }
    const Wish wish{
        .subject =
            {.upstream = upstream_of(input),
             .pr = comment.number,
             .head = input.known ? input.known->head : HeadSha{}},
        .run_id = "",
        .scope = command->all ? RerunScope::all : RerunScope::failed,
    };
    bool admitted = false;
    for (const auto& downstream : meant) {
        auto ruling = command_ruling(downstream, command->verb, input, rights);
        plan.undecided = plan.undecided || ruling.admission == Admission::undecided;
        if (ruling.admission != Admission::yes) {
            refuse(plan, downstream.repo, std::move(ruling.reason));
            continue;
        }
        admitted = true;
        if (command->verb == Command::Verb::rerun) {
            plan.reruns.push_back(order_for(downstream, input, wish));
        }
    }
    if (admitted && !wish.subject.head.empty()) {
        plan.looks.push_back(wish.subject);
    }
    return plan;
}

std::set<Login>
command_rights_wanted(const Event& event, const CommentFacts& comment, const Allowlist& allowlist) {
    const auto command = command_in(comment.text);
    if (!comment.on_pull_request || !command || event.sender.empty()) {
        return {};
    }
    const auto meant = meant_by(*command, allowlist);
    const auto answers = [&event](const Downstream& one) { return is_oncall(one, event.sender); };
    return std::ranges::all_of(meant, answers) ? std::set<Login>{} : std::set{event.sender};
}

} // namespace baton::domain
