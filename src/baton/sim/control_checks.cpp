#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/check_book.hpp"
#include "baton/sim/comment_book.hpp"
#include "baton/sim/control_args.hpp"
#include "baton/sim/control_calls.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/sim_world.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::sim {

namespace json = boost::json;

namespace {

Result<const Repo*> repo_in(const SimWorld& world, const ControlArgs& args) {
    BATON_TRY(const auto name, args.repo());
    const auto* const repo = world.model.repo(name);
    if (repo == nullptr) {
        return fail(Errc::not_found, fmt::format("there is no repository {}", name.text()));
    }
    return repo;
}

Result<const Pull*> pull_in(const SimWorld& world, const Repo& repo, const ControlArgs& args) {
    BATON_TRY(const auto number, count_in(args, "number", 0));
    const auto* const pull = world.model.pull(repo.name, PrNumber{number});
    if (pull == nullptr) {
        return fail(
            Errc::not_found, fmt::format("{} has no pull request {}", repo.name.text(), number)
        );
    }
    return pull;
}

/// The commit that is meant: `head`, or the head of pull request `number`.
Result<HeadSha> head_in(const SimWorld& world, const Repo& repo, const ControlArgs& args) {
    BATON_TRY(const auto head, args.text("head"));
    if (!head.empty()) {
        return HeadSha(head);
    }
    BATON_TRY(const auto* const pull, pull_in(world, repo, args));
    return pull->head;
}

json::value text_or_null(const std::string& text) {
    return text.empty() ? json::value(nullptr) : json::value(text);
}

json::object check_json(const CheckRun& run) {
    return {
        {"id", run.id},
        {"suite", run.suite},
        {"app", run.app_id},
        {"name", run.name},
        {"external_id", run.external_id},
        {"details_url", run.details_url},
        {"status", run.status},
        {"conclusion", text_or_null(run.conclusion)},
        {"title", run.title},
        {"summary", run.summary},
        {"created", 1},
        {"updated", run.changes},
    };
}

} // namespace

Result<std::int64_t>
count_in(const ControlArgs& args, std::string_view name, std::int64_t otherwise) {
    const auto* const found = args.find(name);
    if (found == nullptr || !found->is_string()) {
        return args.number(name, otherwise);
    }
    const auto number = whole_number(found->as_string());
    if (!number) {
        return fail(Errc::invalid, fmt::format("\"{}\" must be a whole number", name));
    }
    return *number;
}

ControlResult add_check(SimWorld& world, const ControlArgs& args, TimePoint now) {
    BATON_TRY(const auto* const repo, repo_in(world, args));
    CheckRun run{
        .app_id = 15368, .repo = repo->id, .started_at = now, .completed_at = std::nullopt
    };
    BATON_TRY(run.head, head_in(world, *repo, args));
    if (!repo->commits.contains(run.head)) {
        return fail(Errc::not_found, fmt::format("no commit {}", inert(run.head.text())));
    }
    BATON_TRY(run.name, args.text("name"));
    BATON_TRY(run.app_id, args.number("app", run.app_id));
    BATON_TRY(run.conclusion, args.text("conclusion"));
    if (!run.conclusion.empty()) {
        run.status = "completed";
        run.completed_at = now;
    }
    return json::object{{"id", world.model.checks().add(std::move(run)).id}};
}

ControlResult list_checks(SimWorld& world, const ControlArgs& args, TimePoint /*now*/) {
    BATON_TRY(const auto* const repo, repo_in(world, args));
    BATON_TRY(const auto head, head_in(world, *repo, args));
    json::array lines;
    for (const auto* const run : world.model.checks().of(repo->id, head)) {
        lines.push_back(check_json(*run));
    }
    return json::object{{"head_sha", head.text()}, {"checks", std::move(lines)}};
}

ControlResult rerequest(SimWorld& world, const ControlArgs& args, TimePoint now) {
    BATON_TRY(const auto* const repo, repo_in(world, args));
    Rerequest what{.repo = repo->name, .app_id = std::nullopt, .now = now};
    BATON_TRY(what.head, head_in(world, *repo, args));
    BATON_TRY(what.check, args.text("name"));
    BATON_TRY(const auto by, args.text("by", "octocat"));
    what.by = Login(by);
    if (args.has("app")) {
        BATON_TRY(what.app_id, args.number("app"));
    }
    BATON_TRY(const auto webhook, world.model.rerequest(what));
    return sent(world, webhook);
}

ControlResult open_issue(SimWorld& world, const ControlArgs& args, TimePoint /*now*/) {
    BATON_TRY(const auto repo, args.repo());
    BATON_TRY(const auto number, world.model.open_issue(repo));
    return json::object{{"number", static_cast<std::int64_t>(number)}};
}

ControlResult add_comment(SimWorld& world, const ControlArgs& args, TimePoint now) {
    NewComment what{.now = now};
    BATON_TRY(what.repo, args.repo());
    BATON_TRY(const auto number, args.number("number"));
    what.number = PrNumber{number};
    BATON_TRY(const auto by, args.text("by", "octocat"));
    what.by = Login(by);
    BATON_TRY(what.text, args.text("text"));
    BATON_TRY(const auto webhook, world.model.comment(what));
    return sent(world, webhook);
}

ControlResult list_comments(SimWorld& world, const ControlArgs& args, TimePoint /*now*/) {
    BATON_TRY(const auto* const repo, repo_in(world, args));
    BATON_TRY(const auto number, count_in(args, "number", 0));
    if (!repo->issues.contains(PrNumber{number})) {
        BATON_TRY([[maybe_unused]] const auto* const pull, pull_in(world, *repo, args));
    }
    json::array lines;
    for (const auto* const comment : world.model.comments().of(repo->id, PrNumber{number})) {
        lines.push_back(json::object{
            {"id", comment->id},
            {"by", comment->author.text()},
            {"app", comment->app_id},
            {"text", comment->text},
            {"created", 1},
            {"updated", comment->changes},
        });
    }
    return json::object{{"comments", std::move(lines)}};
}

ControlResult queue_pull(SimWorld& world, const ControlArgs& args, TimePoint now) {
    NewMergeGroup what{.now = now};
    BATON_TRY(what.repo, args.repo());
    BATON_TRY(const auto number, args.number("number"));
    what.number = PrNumber{number};
    BATON_TRY(const auto by, args.text("by", "octocat"));
    what.by = Login(by);
    BATON_TRY(const auto webhook, world.model.request_merge_group(what));
    return sent(world, webhook);
}

ControlResult protect(SimWorld& world, const ControlArgs& args, TimePoint /*now*/) {
    BATON_TRY(const auto repo, args.repo());
    BATON_TRY(auto checks, args.texts("checks"));
    const auto done = world.model.require_checks(repo, std::move(checks));
    return done ? ControlResult(json::object{}) : fail(done.error());
}

ControlResult show_mergeable(SimWorld& world, const ControlArgs& args, TimePoint /*now*/) {
    BATON_TRY(const auto* const repo, repo_in(world, args));
    BATON_TRY(const auto* const pull, pull_in(world, *repo, args));
    const auto verdict = world.model.mergeable(*repo, *pull);
    return json::object{
        {"mergeable", verdict.mergeable},
        {"waiting_for", json::array(verdict.waiting_for.begin(), verdict.waiting_for.end())},
        {"failing", json::array(verdict.failing.begin(), verdict.failing.end())},
        {"open", pull->open},
        {"draft", pull->draft},
        {"head_sha", pull->head.text()},
    };
}

ControlResult list_runs(SimWorld& world, const ControlArgs& args, TimePoint now) {
    BATON_TRY(const auto* const repo, repo_in(world, args));
    json::array lines;
    for (const auto& [id, played] : world.downstreams.played()) {
        if (played.run.repo_id != repo->id) {
            continue;
        }
        const auto failed = played.failed_jobs();
        lines.push_back(json::object{
            {"run_id", id},
            {"run_attempt", played.run.attempt},
            {"status", world.downstreams.goes_on(played, now) ? "in_progress" : "completed"},
            {"failed_jobs", json::array(failed.begin(), failed.end())},
        });
    }
    return json::object{{"runs", std::move(lines)}};
}

ControlResult delete_run(SimWorld& world, const ControlArgs& args, TimePoint /*now*/) {
    BATON_TRY(const auto run, args.number("run_id"));
    if (!world.downstreams.delete_run(run)) {
        return fail(Errc::not_found, fmt::format("no run {}", run));
    }
    return json::object{};
}

} // namespace baton::sim
