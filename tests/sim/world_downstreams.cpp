#include "baton/api/callback.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/job.hpp"
#include "baton/relay/callbacks.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/downstream_script.hpp"
#include "baton/sim/post.hpp"
#include "baton/sim/report.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "sim/life.hpp"
#include "sim/world.hpp"

namespace baton::test {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

/// What a downstream reads in the answer that the relay's endpoint would give.
sim::ReportAnswer answer_to(const relay::CallbackOutcome& outcome) {
    auto response = api::answer_to(outcome);
    auto answer = sim::answer_in(response.status, std::move(response.body));
    if (const auto wait = whole_number(response.headers.find("Retry-After").value_or(""))) {
        answer.retry_after = std::chrono::seconds{*wait};
    }
    return answer;
}

} // namespace

void World::cast_downstreams() {
    const auto names = sim::script_names();
    for (const auto& downstream : allowlist_.downstreams()) {
        const auto drawn = callback_chance_.draw().below(names.size());
        cast(downstream.repo.text(), swarm_.script.value_or(*sim::script_named(names[drawn])));
    }
    github_model_.dispatches().on_arrival([this](const sim::ReceivedDispatch& dispatch) {
        downstreams_.arrived(dispatch, *github_model_.repo(dispatch.repo));
        downstream_bell_->ring();
    });
    github_model_.on_rerun([this](const sim::Rerun& what) {
        auto reply = downstreams_.rerun(what);
        downstream_bell_->ring();
        return reply;
    });
    post_office_.spawn(play_downstreams());
}

void World::cast(const std::string& downstream, sim::Script script) {
    downstreams_.play(
        *RepoName::parse(downstream),
        {.script = script, .pace = {.queue = 1min, .work = 10min, .later = swarm_.rerun_after}}
    );
}

void World::report_nightlies() {
    const auto* const upstream = github_model_.repo(kUpstream);
    const auto head = sim::GithubModel::branch(*upstream, {})->head;
    for (const auto& [repo, part] : downstreams_.parts()) {
        if (part.script == sim::Script::nightly && callback_chance_.draw().unit() < 0.1) {
            const sim::Nightly night{.upstream = kUpstream, .head = head};
            downstreams_.nightly(*github_model_.repo(repo), night, clock_.now());
        }
    }
    downstream_bell_->ring();
}

asio::awaitable<void> World::play_downstreams() {
    for (;;) {
        while (auto report = downstreams_.take(clock_.now())) {
            call_back(*std::move(report));
        }
        const auto due = downstreams_.next_due();
        co_await downstream_bell_->wait_until(due.value_or(clock_.now() + 24h));
    }
}

void World::call_back(sim::Report report) {
    const auto drawn = callback_chance_.draw().unit();
    const bool lost = !healed_ && drawn < swarm_.lost_callback;
    if (lost || !life_ || life_->incarnation->dead()) {
        downstreams_.answered(std::move(report), {}, clock_.now());
        return;
    }
    if (report.step.forgery == sim::Forgery::wrong_audience) { // no verifier lets it through
        downstreams_.answered(std::move(report), {.status = 401}, clock_.now());
        return;
    }
    calling_back_.emplace(report.number, report);
    life_->deliveries.spawn(hear_out(std::move(report)));
}

asio::awaitable<void> World::hear_out(sim::Report report) {
    auto caller = sim::caller_of(report.identity);
    auto body = sim::body_of(report);
    const auto outcome =
        co_await life_->relay.callbacks().accept(std::move(caller), std::move(body));
    auto answer = answer_to(outcome);
    calling_back_.erase(report.number);
    look_for_steps_back(report);
    told_.push_back({.report = report, .delivery = report.echo->delivery_id, .answer = answer});
    told_.back().report.echo.reset();
    const auto drawn = callback_chance_.draw().unit();
    if (!healed_ && drawn < swarm_.lost_answer) {
        answer = {}; // it took effect, and nobody was told
    }
    downstreams_.answered(std::move(report), std::move(answer), clock_.now());
    downstream_bell_->ring();
}

/// The relay died with these in its hands: some of them took effect, and nobody was told which.
void World::hang_up() {
    for (auto& [number, report] : std::exchange(calling_back_, {})) {
        downstreams_.answered(std::move(report), {}, clock_.now());
    }
    downstream_bell_->ring();
}

/// Compares every job of the dispatch with what was seen of it before.
void World::look_for_steps_back(const sim::Report& report) {
    for (const auto& job : jobs_of(DeliveryId(report.echo->delivery_id), report.run.repo)) {
        const auto before = jobs_seen_.find(job.id);
        if (before != jobs_seen_.end()) {
            const auto& old = before->second;
            // What was said without the token gives way to what is said with it.
            const bool back = job.status < old.status || (old.bound && old.counts && !job.counts);
            const bool gives_way = !old.bound && job.bound;
            const bool changed = old.conclusion && old.conclusion != job.conclusion &&
                                 old.said_by == domain::SaidBy::downstream && !gives_way;
            if (back || changed) {
                steps_back_.push_back(fmt::format(
                    "{} {} of run {} moved back",
                    report.run.repo.text(),
                    job.key.job,
                    job.key.run_id
                ));
            }
        }
        jobs_seen_.insert_or_assign(job.id, job);
    }
}

std::vector<domain::Job> World::jobs_of(const DeliveryId& delivery, const RepoName& downstream) {
    std::vector<domain::Job> out;
    if (!accepted_.contains(delivery)) {
        return out;
    }
    for (const auto& one : history(delivery).dispatches) {
        if (one.dispatch.key.downstream == downstream) {
            out.insert(out.end(), one.jobs.begin(), one.jobs.end());
        }
    }
    return out;
}

} // namespace baton::test
