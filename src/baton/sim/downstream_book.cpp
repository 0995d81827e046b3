#include "baton/sim/downstream_book.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/sim/actions_runs.hpp"
#include "baton/sim/dispatch_log.hpp"
#include "baton/sim/downstream_script.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/report.hpp"
#include "baton/sim/seeded_chance.hpp"

#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::sim {

namespace json = boost::json;

namespace {

constexpr std::size_t kTokensKept = 64;
constexpr std::size_t kAnswerBytesKept = 1024;
constexpr Millis kFirstRetry{1000};
constexpr Millis kLongestRetry{30'000};

std::string text_in(const json::object& object, std::string_view name) {
    const auto* const value = object.if_contains(name);
    return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string{};
}

/// nullptr when there is none.
const json::object* object_in(const json::object& object, std::string_view name) {
    const auto* const value = object.if_contains(name);
    return value != nullptr ? value->if_object() : nullptr;
}

/// Doubling, and never sooner than the relay asked for.
Millis delay_after(int tries, const ReportAnswer& answer) {
    const auto doubled = kFirstRetry * (1 << std::min(tries - 1, 10));
    const auto asked = answer.retry_after.value_or(std::chrono::seconds{0});
    return std::max<Millis>(std::min(doubled, kLongestRetry), asked);
}

/// A forger takes 429 for a no.
bool is_shown_out(const Report& report, const ReportAnswer& answer) {
    return answer.status == 429 && report.step.forgery != Forgery::none;
}

void count(ReportCount& counts, const SentReport& sent) {
    const auto& answer = sent.answer;
    ++counts.sent;
    counts.tries += static_cast<std::size_t>(sent.report.tries);
    counts.duplicates += answer.duplicate ? 1 : 0;
    counts.stale += answer.stale && !answer.duplicate ? 1 : 0;
    counts.ignored += answer.ignored ? 1 : 0;
    counts.stopped += answer.proceed == false ? 1 : 0;
    if (answer.worth_another_try() && !is_shown_out(sent.report, answer)) {
        ++counts.given_up;
    } else if (answer.status < 300) {
        ++counts.accepted;
    } else {
        ++counts.refused;
        ++counts.refusals[answer.status];
    }
}

} // namespace

void DownstreamBook::play(const RepoName& repo, Part part) {
    parts_[repo] = std::move(part);
}

void DownstreamBook::arrived(const ReceivedDispatch& dispatch, const Repo& repo) {
    const auto part = parts_.find(repo.name);
    boost::system::error_code broken;
    const auto body = json::parse(dispatch.body, broken);
    if (part == parts_.end() || broken || !body.is_object()) {
        return;
    }
    const auto* const echoed = object_in(body.as_object(), "client_payload");
    if (echoed == nullptr) {
        return;
    }
    const auto* const payload = object_in(*echoed, "payload");
    const auto echo = std::make_shared<const Echo>(
        Echo{.payload = json::serialize(*echoed), .delivery_id = dispatch.delivery_id}
    );
    remember_token(repo, *echo, text_in(*echoed, "callback_token"));
    const Told told{
        .cue =
            {.event_type = dispatch.event_type,
             .action = payload != nullptr ? text_in(*payload, "action") : std::string{}},
        .echo = echo,
        .at = dispatch.at,
    };
    schedule(repo, part->second, told);
}

void DownstreamBook::nightly(const Repo& repo, const Nightly& what, TimePoint now) {
    const auto part = parts_.find(repo.name);
    if (part == parts_.end()) {
        return;
    }
    const json::object echoed{
        {"event_type", "nightly"},
        {"delivery_id", what.head.text()},
        {"payload",
         {{"repository", {{"full_name", what.upstream.text()}}}, {"head_sha", what.head.text()}}},
    };
    const Told told{
        .cue = {.event_type = "nightly", .action = {}},
        .echo = std::make_shared<const Echo>(
            Echo{.payload = json::serialize(echoed), .delivery_id = what.head.text()}
        ),
        .at = now,
    };
    schedule(repo, part->second, told);
}

void DownstreamBook::schedule(const Repo& repo, const Part& part, const Told& told) {
    const auto seed = seed_for(seed_, fmt::format("{} {}", repo.name.key(), next_));
    std::map<std::size_t, ActionsRun> cast;
    for (auto& step : steps_of(part.script, told.cue, part.pace, seed)) {
        auto known = cast.find(step.run);
        if (known == cast.end()) {
            known = cast.emplace(step.run, runs_.begin(repo, {.workflow = part.workflow})).first;
        }
        put(part, told, std::move(step), known->second);
    }
    if (!cast.empty()) {
        last_runs_[repo.name] = cast.begin()->second;
    }
}

void DownstreamBook::put(const Part& part, const Told& told, ScriptStep step, ActionsRun run) {
    if (step.conclusion == "failure") {
        step.conclusion = part.fails_as;
    }
    Report report{
        .number = next_++,
        .due = told.at + step.after,
        .script = part.script,
        .step = std::move(step),
        .run = std::move(run),
        .identity = {},
        .audience = part.audience,
        .callback_url = part.callback_url,
        .echo = told.echo,
        .other_callback_token = {},
    };
    report.run.attempt = report.step.attempt;
    report.identity = identity_for(report);
    if (report.step.forgery == Forgery::wrong_audience) {
        report.audience = "https://github.com/" + std::string(report.run.repo.owner());
    }
    if (report.step.forgery == Forgery::other_dispatch) {
        report.other_callback_token = other_token(report);
    }
    note_played(part, told, report);
    waiting_.emplace(report.due, std::move(report));
}

ActionsRun DownstreamBook::identity_for(const Report& report) const {
    auto identity = report.run;
    if (report.step.forgery == Forgery::other_run) {
        --identity.id; // an earlier one; a token of it may have been kept
    }
    if (report.step.forgery == Forgery::other_repo) {
        const auto other = std::ranges::find_if(last_runs_, [&](const auto& last) {
            return last.first != report.run.repo;
        });
        if (other != last_runs_.end()) {
            return other->second;
        }
        identity.repo = *RepoName::parse("mallory/" + std::string(report.run.repo.repo()));
        identity.repo_id = RepoId{666};
        identity.owner_id = 666;
    }
    return identity;
}

void DownstreamBook::remember_token(const Repo& repo, const Echo& echo, std::string token) {
    if (!token.empty()) {
        tokens_.push_back(
            {.repo = repo.name, .delivery_id = echo.delivery_id, .text = std::move(token)}
        );
    }
    if (tokens_.size() > kTokensKept) {
        tokens_.pop_front();
    }
}

std::string DownstreamBook::other_token(const Report& report) const {
    const auto other = std::ranges::find_if(tokens_, [&](const SeenToken& seen) {
        return seen.repo != report.run.repo || seen.delivery_id != report.echo->delivery_id;
    });
    return other != tokens_.end() ? other->text : "bt1.1.4102444800000.made-up";
}

DownstreamBook::Job DownstreamBook::job_of(const Report& report) {
    return {report.run.id, report.step.job};
}

bool DownstreamBook::is_free(const Report& report) const {
    const auto busy = busy_.find(job_of(report));
    return busy == busy_.end() || busy->second == report.number;
}

std::optional<TimePoint> DownstreamBook::next_due() const {
    const auto free =
        std::ranges::find_if(waiting_, [&](const auto& entry) { return is_free(entry.second); });
    return free == waiting_.end() ? std::nullopt : std::optional(free->first);
}

std::optional<Report> DownstreamBook::take(TimePoint now) {
    for (auto entry = waiting_.begin(); entry != waiting_.end() && entry->first <= now;) {
        auto& report = entry->second;
        if (is_free(report) && report.step.obeys && stopped_.contains(report.run.id)) {
            ++counts_[report.run.repo].left_unsaid;
            busy_.erase(job_of(report)); // it may have been on its way to another try
            entry = waiting_.erase(entry);
        } else if (!is_free(report)) {
            ++entry;
        } else {
            auto taken = std::move(report);
            waiting_.erase(entry);
            busy_[job_of(taken)] = taken.number;
            ++under_way_;
            taken.said_at = ++taken.tries == 1 ? now : taken.said_at;
            return taken;
        }
    }
    return std::nullopt;
}

void DownstreamBook::answered(Report report, ReportAnswer answer, TimePoint now) {
    --under_way_;
    const bool again = answer.worth_another_try() && !is_shown_out(report, answer);
    if (again && report.tries < kTriesMax) {
        report.due = now + delay_after(report.tries, answer);
        waiting_.emplace(report.due, std::move(report));
        return;
    }
    busy_.erase(job_of(report));
    if (answer.proceed == false) {
        stopped_.insert(report.run.id);
    }
    keep(std::move(report), std::move(answer), now);
}

void DownstreamBook::keep(Report report, ReportAnswer answer, TimePoint now) {
    answer.body.resize(std::min(answer.body.size(), kAnswerBytesKept));
    SentReport sent{
        .report = std::move(report), .delivery_id = {}, .at = now, .answer = std::move(answer)
    };
    sent.delivery_id = sent.report.echo->delivery_id;
    sent.report.echo.reset(); // it is bulky
    count(counts_[sent.report.run.repo], sent);
    sent_.push_back(std::move(sent));
    if (sent_.size() > kKept) {
        sent_.pop_front();
    }
}

void DownstreamBook::clear_sent() {
    sent_.clear();
    counts_.clear();
}

} // namespace baton::sim
