// What people and the merge queue do about checks, and what comes of the checks.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/check_book.hpp"
#include "baton/sim/check_json.hpp"
#include "baton/sim/comment_book.hpp"
#include "baton/sim/github_json.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"

#include <boost/json/object.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::sim {

namespace json = boost::json;

namespace {

bool passes(const CheckRun& run) {
    constexpr std::array<std::string_view, 3> kGood{"success", "neutral", "skipped"};
    return run.status == "completed" && std::ranges::find(kGood, run.conclusion) != kGood.end();
}

} // namespace

std::string GithubModel::slug_of(std::int64_t app_id) const {
    return app_id == options_.app_id ? options_.app_slug : fmt::format("app-{}", app_id);
}

json::object GithubModel::suite_json(const Repo& in, std::span<const CheckRun* const> runs) const {
    const auto app_id = runs.front()->app_id;
    auto suite =
        check_suite_json({.site = options_.site, .repo = in, .app_slug = slug_of(app_id)}, runs);
    suite["repository"] = repo_json(options_.site, in);
    return suite;
}

void GithubModel::add_place(json::object& body, const Repo& in) const {
    body["repository"] = repo_json(options_.site, in);
    if (in.owner.organization) {
        body["organization"] = organization_json(options_.site, in.owner);
    }
}

Result<Webhook> GithubModel::rerequest(const Rerequest& what) {
    BATON_TRY(auto* const in, acted_on(what.repo));
    const auto of_app = [&](const CheckRun* run) {
        return run->app_id == what.app_id.value_or(options_.app_id);
    };
    auto runs = checks_.newest_of(in->id, what.head);
    std::erase_if(runs, [&](const CheckRun* run) { return !of_app(run); });
    const auto named = std::ranges::find(runs, what.check, &CheckRun::name);
    const bool suite = what.check.empty();
    if (runs.empty() || (!suite && named == runs.end())) {
        return fail(
            Errc::not_found,
            fmt::format("no such check on {} of {}", what.head.text(), what.repo.text())
        );
    }
    json::object body{{"action", "rerequested"}};
    if (suite) {
        body["check_suite"] = suite_json(*in, runs);
        body["check_suite"].as_object().erase("repository");
    } else {
        const CheckScene scene{
            .site = options_.site, .repo = *in, .app_slug = slug_of((*named)->app_id)
        };
        body["check_run"] = check_run_json(scene, **named);
        auto whole = suite_json(*in, runs);
        whole.erase("head_commit");
        body["check_run"].as_object()["check_suite"] = std::move(whole);
    }
    add_place(body, *in);
    return send(
        *in,
        WebhookDraft{
            .event = suite ? "check_suite" : "check_run",
            .action = "rerequested",
            .body = std::move(body),
            .sender = what.by,
            .pr = std::nullopt,
            .head = what.head,
            .now = what.now,
        }
    );
}

Result<Webhook> GithubModel::comment(const NewComment& what) {
    BATON_TRY(auto* const in, acted_on(what.repo));
    const auto found = in->pulls.find(what.number);
    if (found == in->pulls.end()) {
        const auto number = static_cast<std::int64_t>(what.number);
        return fail(
            Errc::not_found, fmt::format("{} has no pull request {}", what.repo.text(), number)
        );
    }
    account(what.by);
    const auto& made = comments_.add({
        .repo = in->id,
        .pr = what.number,
        .author = what.by,
        .text = what.text,
        .created_at = what.now,
        .updated_at = what.now,
    });
    const CommentScene scene{
        .site = options_.site,
        .repo = *in,
        .author = account(what.by),
        .association = association_of(*in, what.by),
        .app_slug = options_.app_slug,
    };
    const CommentScene about{
        .site = options_.site,
        .repo = *in,
        .author = account(found->second.author),
        .association = found->second.association,
        .app_slug = options_.app_slug,
    };
    json::object body{
        {"action", "created"},
        {"issue", issue_json(about, found->second)},
        {"comment", comment_json(scene, made)},
    };
    add_place(body, *in);
    return send(
        *in,
        WebhookDraft{
            .event = "issue_comment",
            .action = "created",
            .body = std::move(body),
            .sender = what.by,
            .pr = what.number,
            .head = found->second.head,
            .now = what.now,
        }
    );
}

Result<Webhook> GithubModel::request_merge_group(const NewMergeGroup& what) {
    BATON_TRY(auto* const in, acted_on(what.repo));
    const auto found = in->pulls.find(what.number);
    if (found == in->pulls.end() || !found->second.open) {
        return fail(Errc::not_found, "only an open pull request can be queued");
    }
    const auto head = new_commit(*in);
    const auto& base = found->second.base_ref;
    const auto base_head = branch(*in, base)->head;
    json::object body{
        {"action", "checks_requested"},
        {"merge_group",
         {{"head_sha", head.text()},
          {"head_ref",
           fmt::format(
               "refs/heads/gh-readonly-queue/{}/pr-{}-{}",
               base,
               static_cast<std::int64_t>(what.number),
               base_head.text()
           )},
          {"base_sha", base_head.text()},
          {"base_ref", "refs/heads/" + base},
          {"head_commit", simple_commit_json(*in, head, what.now)}}},
    };
    add_place(body, *in);
    return send(
        *in,
        WebhookDraft{
            .event = "merge_group",
            .action = "checks_requested",
            .body = std::move(body),
            .sender = what.by,
            .pr = what.number,
            .head = head,
            .now = what.now,
        }
    );
}

Result<void> GithubModel::require_checks(const RepoName& name, std::vector<std::string> checks) {
    auto* const found = find(name);
    if (found == nullptr) {
        return fail(Errc::not_found, fmt::format("no repository {}", name.text()));
    }
    found->required_checks = std::move(checks);
    return {};
}

Mergeability GithubModel::mergeable(const Repo& in, const Pull& pull) const {
    Mergeability out;
    const auto runs = checks_.of(in.id, pull.head);
    for (const auto& name : in.required_checks) {
        const CheckRun* newest = nullptr;
        for (const auto* const run : runs) {
            newest = run->name == name ? run : newest;
        }
        if (newest == nullptr || newest->status != "completed") {
            out.waiting_for.push_back(name);
        } else if (!passes(*newest)) {
            out.failing.push_back(name);
        }
    }
    out.mergeable = pull.open && !pull.draft && out.waiting_for.empty() && out.failing.empty();
    return out;
}

} // namespace baton::sim
