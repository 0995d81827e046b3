#include "baton/relay/rerunner.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/gate.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace baton::relay {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::minutes kLease{5}; // several runs, one after the other
constexpr std::size_t kRunsMax = 20;      // that one order reaches

bool is_about(const domain::Run& run, const std::string& run_id) {
    return run_id.empty() || std::ranges::any_of(run.jobs, [&](const domain::Job& job) {
               return job.key.run_id == run_id;
           });
}

/// The runs of GitHub Actions, or of another CI, that have this dispatch.
std::set<std::string> run_ids_of(const domain::Run& run, const std::string& wanted) {
    std::set<std::string> ids;
    for (const auto& job : run.jobs) {
        if (job.counts && (wanted.empty() || job.key.run_id == wanted)) {
            ids.insert(job.key.run_id);
        }
    }
    return ids;
}

/// The newest generation of a delivery, when there is one after that of `run`.
const domain::Run* newer_than(const domain::Run& run, const std::vector<domain::Run>& runs) {
    const domain::Run* newest = nullptr;
    for (const auto& other : runs) {
        const auto& known = newest == nullptr ? run : *newest;
        if (other.dispatch.key.delivery == run.dispatch.key.delivery &&
            other.dispatch.key.generation > known.dispatch.key.generation) {
            newest = &other;
        }
    }
    return newest;
}

/// Somebody may still be heard of.
bool is_awaited(const domain::Run& run) {
    using domain::DispatchState;
    const auto state = run.dispatch.state;
    return state == DispatchState::pending || state == DispatchState::started ||
           (state == DispatchState::sent && !run.silent_at);
}

bool is_green(const domain::Run& run) {
    return !run.jobs.empty() && std::ranges::all_of(run.jobs, [](const domain::Job& job) {
        return job.conclusion && !domain::is_red(*job.conclusion);
    });
}

} // namespace

Rerunner::Rerunner(Settings settings, Surroundings around)
    : settings_(std::move(settings))
    , around_(std::move(around))
    , bell_(around_.clock.make_bell()) {}

void Rerunner::wake() {
    bell_->ring();
}

void Rerunner::trouble(std::string detail) {
    around_.journal.note(
        ports::Trouble{.healed = true, .where = "rerunner", .detail = std::move(detail)}
    );
}

asio::awaitable<void> Rerunner::run() {
    for (;;) {
        const bool more = co_await carry_out_due();
        if (!more) {
            co_await bell_->wait_until(around_.clock.now() + limits::kPollTime);
        }
    }
}

asio::awaitable<bool> Rerunner::carry_out_due() {
    const auto now = around_.clock.now();
    ports::RerunQuery query{.holder = settings_.instance, .now = now, .until = now + kLease};
    auto taken = co_await around_.store.take_reruns(std::move(query));
    if (!taken) {
        trouble(taken.error().detail);
        co_return false;
    }
    const bool any = !taken->empty();
    for (auto& each : *taken) {
        co_await carry_out(std::move(each));
    }
    co_return any;
}

asio::awaitable<void> Rerunner::carry_out(ports::TakenRerun taken) {
    ports::RerunEnd end{.id = taken.order.id, .fence = taken.fence};
    const auto age = around_.clock.now() - taken.order.created_at;
    ports::RerunEnded entry{
        .downstream = taken.order.downstream,
        .cause = taken.order.cause,
        .actor = taken.order.actor,
    };
    auto outcome = co_await order(std::move(taken.order));
    end.now = around_.clock.now();
    if (outcome) {
        end.state = outcome->state;
        end.detail = std::move(outcome->detail);
        end.afresh = std::move(outcome->afresh);
    } else {
        end.detail = outcome.error().detail;
        const auto wait = settings_.retry.delay_after(taken.attempts, age, around_.chance.draw());
        if (wait) {
            end.again_at = end.now + *wait;
        } else {
            end.state = domain::RerunState::refused;
        }
    }
    auto ended = co_await around_.store.end_rerun(end);
    if (!ended && ended.error().code == Errc::not_found) {
        end.state = domain::RerunState::refused;
        end.detail = "what was dispatched for this commit is no longer current, or its payload is "
                     "past retention";
        end.afresh = {};
        ended = co_await around_.store.end_rerun(end);
    }
    if (!ended) {
        trouble(ended.error().detail); // the lease runs out; what GitHub runs, it runs once
        co_return;
    }
    if (end.state) {
        entry.state = *end.state;
        entry.detail = end.detail;
        around_.journal.note(std::move(entry));
    }
    if (!end.afresh.empty()) {
        around_.on_dispatched();
    }
}

asio::awaitable<Result<Rerunner::Outcome>> Rerunner::order(domain::Rerun rerun) {
    auto& subject = rerun.subject;
    if (subject.head.empty() && subject.pr) {
        ports::PullRequestQuery which{.upstream = subject.upstream, .number = *subject.pr};
        BATON_CO_TRY(
            const auto pull_request, co_await around_.store.pull_request(std::move(which))
        );
        if (!pull_request) {
            co_return Outcome{.detail = "nothing is known of this pull request"};
        }
        subject.head = pull_request->head;
    }
    ports::RunsQuery query{
        .upstream = subject.upstream,
        .downstream = rerun.downstream,
        .pr = subject.pr,
        .head = subject.head,
        .event_types = {},
        .ref = {},
        .limit = kRunsMax,
    };
    BATON_CO_TRY(auto runs, co_await around_.store.runs(std::move(query)));
    // The newest one is what its checks show; older generations are history.
    const auto about = std::ranges::find_if(runs, [&](const domain::Run& run) {
        return is_about(run, rerun.run_id);
    });
    if (about == runs.end()) {
        co_return Outcome{.detail = "it was never dispatched for this commit"};
    }
    auto run = *about;
    co_return co_await order_run(std::move(rerun), std::move(run), std::move(runs));
}

asio::awaitable<Result<Rerunner::Outcome>>
Rerunner::order_run(domain::Rerun rerun, domain::Run run, std::vector<domain::Run> runs) {
    const auto ids = run_ids_of(run, rerun.run_id);
    Outcome outcome;
    if (rerun.scope == domain::RerunScope::failed && is_green(run)) {
        outcome.detail = "nothing failed there";
        co_return outcome;
    }
    for (const auto& id : ids) {
        ports::RerunCall call{
            .downstream = rerun.downstream,
            .run_id = id,
            .failed_only = rerun.scope == domain::RerunScope::failed,
        };
        BATON_CO_TRY(const auto answer, co_await around_.github.rerun(std::move(call)));
        if (answer == ports::RerunAnswer::refused) {
            co_return afresh(rerun, run, runs);
        }
        outcome.state = domain::RerunState::asked;
        outcome.detail = answer == ports::RerunAnswer::asked ? fmt::format("run {} runs again", id)
                                                             : fmt::format("run {} runs", id);
    }
    co_return ids.empty() ? afresh(rerun, run, runs) : outcome;
}

/// By a new generation, once: what was lost in two runs is dispatched afresh for both of them, and
/// nobody is dispatched to again while the last time may still be answered.
Rerunner::Outcome Rerunner::afresh(
    const domain::Rerun& rerun, const domain::Run& run, const std::vector<domain::Run>& runs
) {
    using domain::RerunState;
    if (run.dispatch.state == domain::DispatchState::pending) {
        return {.state = RerunState::asked, .detail = "it waits to be dispatched already"};
    }
    const auto* newer = newer_than(run, runs);
    const bool by_itself = rerun.cause == domain::RerunCause::infrastructure;
    if (newer != nullptr && (by_itself || is_awaited(*newer))) {
        return {.state = RerunState::asked, .detail = "it was dispatched afresh already"};
    }
    return {
        .state = RerunState::dispatched,
        .detail = "GitHub cannot run it again",
        .afresh = run.dispatch.key.delivery,
    };
}

} // namespace baton::relay
