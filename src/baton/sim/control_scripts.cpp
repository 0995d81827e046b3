#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/report.hpp"
#include "baton/net/url.hpp"
#include "baton/sim/control_args.hpp"
#include "baton/sim/control_calls.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/downstream_script.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/sim_world.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::sim {

namespace json = boost::json;

namespace {

constexpr std::int64_t kLongestMs = 366LL * 24 * 3600 * 1000;

Result<Millis> time_in(const ControlArgs& args, std::string_view name, Millis otherwise) {
    BATON_TRY(const auto ms, args.number(name, otherwise.count()));
    if (ms < 0 || ms > kLongestMs) {
        return fail(Errc::invalid, fmt::format("\"{}\" must be from 0 to a year", name));
    }
    return Millis{ms};
}

Result<Script> script_in(const ControlArgs& args, std::string_view argument) {
    BATON_TRY(const auto name, args.text(argument));
    if (const auto script = script_named(name)) {
        return *script;
    }
    return fail(
        Errc::invalid,
        fmt::format("\"{}\" must be one of {}", argument, fmt::join(script_names(), ", "))
    );
}

Result<Part> part_in(const ControlArgs& args) {
    Part part;
    BATON_TRY(part.script, script_in(args, "script"));
    if (args.has("rerun_script")) {
        BATON_TRY(part.rerun_script, script_in(args, "rerun_script"));
    }
    BATON_TRY(part.fails_as, args.text("fails_as", part.fails_as));
    if (!domain::conclusion_named(part.fails_as)) {
        return fail(Errc::invalid, "\"fails_as\" must be a conclusion");
    }
    BATON_TRY(part.workflow, args.text("workflow", part.workflow));
    BATON_TRY(part.audience, args.text("audience", part.audience));
    BATON_TRY(part.callback_url, args.text("callback_url"));
    BATON_TRY([[maybe_unused]] const auto url, net::parse_url(part.callback_url));
    BATON_TRY(part.pace.queue, time_in(args, "queue_ms", part.pace.queue));
    BATON_TRY(part.pace.work, time_in(args, "work_ms", part.pace.work));
    BATON_TRY(part.pace.later, time_in(args, "later_ms", part.pace.later));
    return part;
}

Result<const Repo*> known_repo(const SimWorld& world, const RepoName& name) {
    const auto* const repo = world.model.repo(name);
    if (repo == nullptr) {
        return fail(Errc::not_found, fmt::format("there is no repository {}", name.text()));
    }
    return repo;
}

/// What a nightly tests: the head of the upstream's default branch.
Result<Nightly> nightly_in(const SimWorld& world, const ControlArgs& args) {
    BATON_TRY(const auto name, args.repo("upstream"));
    BATON_TRY(const auto* const upstream, known_repo(world, name));
    const auto* const branch = GithubModel::branch(*upstream, {});
    if (branch == nullptr) {
        return fail(Errc::not_found, fmt::format("{} has no default branch", name.text()));
    }
    return Nightly{.upstream = upstream->name, .head = branch->head};
}

json::object count_json(const ReportCount& count) {
    json::object refusals;
    for (const auto& [status, times] : count.refusals) {
        refusals[std::to_string(status)] = times;
    }
    return {
        {"sent", count.sent},
        {"accepted", count.accepted},
        {"duplicates", count.duplicates},
        {"stale", count.stale},
        {"ignored", count.ignored},
        {"stopped", count.stopped},
        {"left_unsaid", count.left_unsaid},
        {"refused", count.refused},
        {"refusals", std::move(refusals)},
        {"given_up", count.given_up},
        {"tries", count.tries},
    };
}

json::object report_json(const SentReport& sent) {
    const auto& report = sent.report;
    const auto& answer = sent.answer;
    json::object out{
        {"number", report.number},
        {"at", to_rfc3339(sent.at)},
        {"repo", report.run.repo.text()},
        {"script", name_of(report.script)},
        {"delivery_id", sent.delivery_id},
        {"workflow", report.run.workflow},
        {"run_id", report.run.id},
        {"run_attempt", report.run.attempt},
        {"job_name", report.step.job},
        {"status", report.step.conclusion.empty() ? "in_progress" : "completed"},
        {"conclusion", report.step.conclusion},
        {"forgery", name_of(report.step.forgery)},
        {"tries", report.tries},
        {"answer", {{"status", answer.status}, {"body", answer.body}}},
    };
    return out;
}

} // namespace

ControlResult set_script(SimWorld& world, const ControlArgs& args, TimePoint now) {
    BATON_TRY(const auto name, args.repo());
    BATON_TRY(const auto* const repo, known_repo(world, name));
    BATON_TRY(auto part, part_in(args));
    if (part.script != Script::nightly) {
        world.downstreams.play(name, std::move(part));
        return json::object{};
    }
    BATON_TRY(const auto nightly, nightly_in(world, args));
    world.downstreams.play(name, std::move(part));
    world.downstreams.nightly(*repo, nightly, now);
    return json::object{{"delivery_id", nightly.head.text()}};
}

ControlResult list_scripts(SimWorld& world, const ControlArgs& /*args*/, TimePoint /*now*/) {
    json::object out;
    for (const auto& [repo, part] : world.downstreams.parts()) {
        out[repo.text()] = name_of(part.script);
    }
    return json::object{{"scripts", std::move(out)}, {"open", world.downstreams.open()}};
}

ControlResult clear_scripts(SimWorld& world, const ControlArgs& /*args*/, TimePoint /*now*/) {
    world.downstreams.forget_parts();
    return json::object{};
}

ControlResult show_reports(SimWorld& world, const ControlArgs& args, TimePoint /*now*/) {
    std::optional<RepoName> only;
    if (args.has("repo")) {
        BATON_TRY(only, args.repo());
    }
    BATON_TRY(const auto limit, args.text("limit", "1000"));
    const auto most = whole_number(limit);
    if (!most) {
        return fail(Errc::invalid, "\"limit\" must be a whole number");
    }
    json::object downstreams;
    for (const auto& [repo, count] : world.downstreams.counts()) {
        downstreams[repo.text()] = count_json(count);
    }
    json::array reports; // the newest first
    const auto& sent = world.downstreams.sent();
    for (auto each = sent.rbegin();
         each != sent.rend() && reports.size() < static_cast<std::size_t>(*most);
         ++each) {
        if (!only || each->report.run.repo == *only) {
            reports.push_back(report_json(*each));
        }
    }
    return json::object{
        {"open", world.downstreams.open()},
        {"downstreams", std::move(downstreams)},
        {"reports", std::move(reports)},
    };
}

ControlResult clear_reports(SimWorld& world, const ControlArgs& /*args*/, TimePoint /*now*/) {
    world.downstreams.clear_sent();
    return json::object{};
}

} // namespace baton::sim
