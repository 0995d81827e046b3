#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/plan.hpp"
#include "baton/sim/github_json.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/seeded_chance.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::sim {

namespace json = boost::json;

namespace {

struct VerbName {
    std::string_view name;
    PullVerb verb;
};

constexpr std::array kVerbNames{
    VerbName{.name = "synchronize", .verb = PullVerb::synchronize},
    VerbName{.name = "labeled", .verb = PullVerb::labeled},
    VerbName{.name = "unlabeled", .verb = PullVerb::unlabeled},
    VerbName{.name = "closed", .verb = PullVerb::closed},
    VerbName{.name = "merged", .verb = PullVerb::merged},
    VerbName{.name = "reopened", .verb = PullVerb::reopened},
    VerbName{.name = "ready_for_review", .verb = PullVerb::ready_for_review},
    VerbName{.name = "converted_to_draft", .verb = PullVerb::converted_to_draft},
};

std::string_view action_of(PullVerb verb) {
    if (verb == PullVerb::merged) {
        return "closed";
    }
    const auto* const found = std::ranges::find(kVerbNames, verb, &VerbName::verb);
    return found->name;
}

/// Why GitHub would refuse this now; empty when it would not.
std::string_view objection(const Pull& pull, const PullAction& what) {
    const bool carries = std::ranges::find(pull.labels, what.label) != pull.labels.end();
    switch (what.verb) {
    case PullVerb::labeled:
        return what.label.empty() ? "a label needs a name"
               : carries          ? "it carries that label already"
                                  : "";
    case PullVerb::unlabeled:
        return carries ? "" : "it does not carry that label";
    case PullVerb::closed:
    case PullVerb::merged:
    case PullVerb::synchronize:
        return pull.open ? "" : "it is closed";
    case PullVerb::reopened:
        return pull.open ? "it is open" : pull.merged ? "it is merged" : "";
    case PullVerb::ready_for_review:
        return pull.draft ? "" : "it is no draft";
    case PullVerb::converted_to_draft:
        return pull.draft ? "it is a draft already" : "";
    }
    return "";
}

/// Everything but a new commit, which needs a new SHA.
void change(Pull& pull, const PullAction& what) {
    switch (what.verb) {
    case PullVerb::synchronize:
        ++pull.commits;
        break;
    case PullVerb::labeled:
        pull.labels.push_back(what.label);
        break;
    case PullVerb::unlabeled:
        std::erase(pull.labels, what.label);
        break;
    case PullVerb::closed:
    case PullVerb::merged:
        pull.open = false;
        pull.merged = what.verb == PullVerb::merged;
        pull.closed_at = what.now;
        break;
    case PullVerb::reopened:
        pull.open = true;
        pull.closed_at.reset();
        break;
    case PullVerb::ready_for_review:
        pull.draft = false;
        break;
    case PullVerb::converted_to_draft:
        pull.draft = true;
        break;
    }
    pull.updated_at = what.now;
}

/// Words, not one long run of a letter: bodies should compress about as real ones do.
std::string prose(std::size_t bytes, SeededChance& chance) {
    constexpr std::array<std::string_view, 16> kWords{
        "kernel",
        "tensor",
        "the",
        "of",
        "stride",
        "fixes",
        "when",
        "device",
        "a",
        "dispatch",
        "because",
        "layout",
        "and",
        "memory",
        "is",
        "slower",
    };
    std::string out;
    while (out.size() < bytes) {
        out += kWords.at(chance.draw().below(kWords.size()));
        out += out.size() % 80 < 8 ? '\n' : ' ';
    }
    return out;
}

} // namespace

std::optional<PullVerb> pull_verb_named(std::string_view name) {
    const auto* const found = std::ranges::find(kVerbNames, name, &VerbName::name);
    return found == kVerbNames.end() ? std::nullopt : std::optional(found->verb);
}

Result<Webhook> GithubModel::open_pull(const OpenPull& what) {
    BATON_TRY(auto* const in, acted_on(what.repo));
    account(what.author);
    const auto head_repo = what.from_fork ? ensure_fork(*in, what.author, what.now) : in->id;
    const auto number = next_number(*in);
    Pull pull{
        .number = number,
        .id = next_pull_++,
        .title = what.title,
        .text = what.text,
        .author = what.author,
        .head_repo = head_repo,
        .head_ref = what.head_ref,
        .head = new_commit(*in),
        .base_ref = in->default_branch,
        .base = branch(*in, "")->head,
        .draft = what.draft,
        .labels = what.labels,
        .association = association_of(*in, what.author),
        .created_at = what.now,
        .updated_at = what.now,
        .closed_at = std::nullopt,
    };
    if (what.body_bytes_min > 0) {
        const PullScene scene{
            .pull = pull,
            .base = *in,
            .head = repos_.at(head_repo),
            .author = account(what.author),
        };
        const auto bulk = json::serialize(pull_json(options_.site, scene)).size();
        pull.text += prose(what.body_bytes_min > bulk ? what.body_bytes_min - bulk : 0, chance_);
    }
    const auto& kept = in->pulls.emplace(number, std::move(pull)).first->second;
    PullAction opened{
        .repo = what.repo, .number = number, .by = what.author, .label = {}, .now = what.now
    };
    return pull_webhook(*in, kept, opened, {{"action", "opened"}});
}

Result<Webhook> GithubModel::act(const PullAction& what) {
    BATON_TRY(auto* const in, acted_on(what.repo));
    const auto found = in->pulls.find(what.number);
    if (found == in->pulls.end()) {
        const auto number = static_cast<std::int64_t>(what.number);
        return fail(
            Errc::not_found, fmt::format("{} has no pull request {}", what.repo.text(), number)
        );
    }
    auto& pull = found->second;
    const auto why_not = objection(pull, what);
    if (!why_not.empty()) {
        return fail(Errc::invalid, fmt::format("cannot be {}: {}", action_of(what.verb), why_not));
    }
    change(pull, what);
    json::object extra{{"action", action_of(what.verb)}};
    if (what.verb == PullVerb::synchronize) {
        extra["before"] = pull.head.text();
        pull.head = new_commit(*in);
        extra["after"] = pull.head.text();
    }
    if (what.verb == PullVerb::labeled || what.verb == PullVerb::unlabeled) {
        extra["label"] = label_json(options_.site, *in, what.label);
    }
    return pull_webhook(*in, pull, what, std::move(extra));
}

Webhook GithubModel::pull_webhook(
    const Repo& in, const Pull& pull, const PullAction& what, json::object extra
) {
    const PullScene scene{
        .pull = pull,
        .base = in,
        .head = repos_.at(pull.head_repo),
        .author = account(pull.author),
    };
    const std::string action(extra.at("action").as_string());
    json::object body{
        {"action", action},
        {"number", static_cast<std::int64_t>(pull.number)},
        {"pull_request", pull_json(options_.site, scene)},
    };
    for (auto& [key, value] : extra) {
        body[key] = value;
    }
    body["repository"] = repo_json(options_.site, in);
    if (in.owner.organization) {
        body["organization"] = organization_json(options_.site, in.owner);
    }
    return send(
        in,
        WebhookDraft{
            .event = "pull_request",
            .action = action,
            .body = std::move(body),
            .sender = what.by.empty() ? pull.author : what.by,
            .pr = pull.number,
            .head = pull.head,
            .now = what.now,
        }
    );
}

RepoId GithubModel::ensure_fork(const Repo& of, const Login& by, TimePoint now) {
    const auto name = RepoName::parse(fmt::format("{}/{}", by.text(), of.name.repo()));
    if (!name) {
        return of
            .id; // a login that GitHub would not allow: the branch lives in the repository itself
    }
    if (const auto* const there = repo(*name)) {
        return there->id;
    }
    const auto made = create_repo(NewRepo{
        .name = *name,
        .default_branch = of.default_branch,
        .is_private = of.is_private,
        .installed = false,
        .now = now,
    });
    repos_.at(*made).fork = true;
    return *made;
}

std::string GithubModel::association_of(const Repo& in, const Login& login) const {
    if (find_account(login) != nullptr && in.owner.login == login) {
        return "OWNER";
    }
    const auto may = permission(in, login);
    if (may >= domain::Permission::write) {
        return "MEMBER";
    }
    if (may == domain::Permission::triage) {
        return "COLLABORATOR";
    }
    const auto merged_one = [&](const auto& entry) {
        return entry.second.author == login && entry.second.merged;
    };
    return std::ranges::any_of(in.pulls, merged_one) ? "CONTRIBUTOR" : "FIRST_TIME_CONTRIBUTOR";
}

} // namespace baton::sim
