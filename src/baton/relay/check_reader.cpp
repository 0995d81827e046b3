#include "baton/relay/check_reader.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/checks.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/gate.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/plan_looks.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/checks.hpp"

#include <boost/asio/awaitable.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::relay {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kRunsOfSubject = 1000; // every downstream, every generation
constexpr std::size_t kRunsBefore = 25;      // 20 that count, and this head's own
constexpr std::size_t kRunsOfBase = 5;
constexpr std::size_t kDeliveriesLookedAt = 20;
constexpr std::size_t kDetailsRead = 20; // failed jobs whose tests are shown

/// A run that was put away before anybody heard of it says nothing while another one does.
bool is_put_away(const domain::Run& run) {
    const auto state = run.dispatch.state;
    return run.jobs.empty() && (state == domain::DispatchState::superseded ||
                                state == domain::DispatchState::cancelled);
}

domain::DownstreamFacts
facts_of(const domain::Downstream& downstream, std::vector<domain::Run> runs) {
    domain::DownstreamFacts facts;
    facts.part.downstream = downstream;
    facts.dispatched = !runs.empty();
    if (runs.empty()) {
        return facts;
    }
    const auto chosen = std::ranges::find_if_not(runs, is_put_away);
    const auto newest = chosen == runs.end() ? runs.begin() : chosen;
    facts.part.run = std::move(*newest);
    facts.earlier.assign(std::make_move_iterator(newest + 1), std::make_move_iterator(runs.end()));
    const auto spoken = std::ranges::find_if(facts.earlier, [](const domain::Run& run) {
        return !domain::standing_jobs(run).empty();
    });
    if (spoken != facts.earlier.end()) {
        facts.part.spoken = *spoken;
    }
    return facts;
}

std::vector<JobId> failed_jobs(const domain::CheckFacts& facts) {
    std::vector<JobId> failed;
    for (const auto& one : facts.downstreams) {
        for (const auto& job : one.part.run.jobs) {
            if (domain::is_red(job)) {
                failed.push_back(job.id);
            }
        }
    }
    return failed;
}

} // namespace

asio::awaitable<Result<domain::CheckFacts>>
CheckReader::read(ports::Look look, std::shared_ptr<const domain::Allowlist> allowlist) {
    domain::CheckFacts facts;
    facts.subject = look.subject;
    facts.first_at = look.first_at;
    std::vector<domain::Run> runs;
    if (look.subject.pr) {
        ports::PullRequestQuery which{
            .upstream = look.subject.upstream, .number = *look.subject.pr
        };
        BATON_CO_TRY(facts.pull_request, co_await store_.pull_request(std::move(which)));
        ports::RunsQuery query{
            .upstream = look.subject.upstream,
            .downstream = std::nullopt,
            .pr = look.subject.pr,
            .head = look.subject.head,
            .event_types = {"pull_request"},
            .ref = {},
            .limit = kRunsOfSubject,
        };
        BATON_CO_TRY(runs, co_await store_.runs(std::move(query)));
    }
    BATON_CO_TRY(const auto reruns, co_await read_reruns(look.subject));
    BATON_CO_TRY(const auto suspensions, co_await store_.gate_suspensions());
    BATON_CO_TRY(const auto postings, co_await store_.postings_of(look.subject));
    for (const auto& posting : postings) {
        facts.standing.push_back(posting.check);
    }
    if (look.subject.pr) {
        const domain::Subject any_head{
            .upstream = look.subject.upstream, .pr = look.subject.pr, .head = {}
        };
        BATON_CO_TRY(const auto comments, co_await store_.postings_of(any_head));
        facts.comment = comments.empty() ? "" : comments.front().text;
    }
    for (const auto& listed : allowlist->downstreams()) {
        // By the list: a required gate must not go away because somebody is lowered for a while.
        facts.gated = facts.gated || domain::policy_of(domain::listed_level(listed)).block_pr;
        if (!domain::shows_checks(listed)) {
            continue;
        }
        std::vector<domain::Run> own;
        std::ranges::copy_if(runs, std::back_inserter(own), [&](const domain::Run& run) {
            return run.dispatch.key.downstream == listed.repo;
        });
        auto one = facts_of(listed, std::move(own));
        std::ranges::copy_if(
            reruns,
            std::back_inserter(one.part.reruns),
            [&](const domain::Rerun& rerun) { return rerun.downstream == listed.repo; }
        );
        one.part.suspension = domain::suspension_of(
            suspensions, {.upstream = look.subject.upstream, .downstream = listed.repo}
        );
        facts.downstreams.push_back(std::move(one));
    }
    for (auto& one : facts.downstreams) {
        BATON_CO_TRY(one, co_await with_history(std::move(one), look.subject));
    }
    auto failed = failed_jobs(facts);
    BATON_CO_TRY(facts.details, co_await read_details(std::move(failed)));
    BATON_CO_TRY(facts.awaits_plan, co_await awaits_plan(look.subject, facts.pull_request));
    co_return facts;
}

/// Who is to be told of this head is not decided yet: its event is on its way, or somebody's rights
/// are.
asio::awaitable<Result<bool>>
CheckReader::awaits_plan(domain::Subject subject, std::optional<domain::PullRequest> pull_request) {
    if (!pull_request || !pull_request->open || pull_request->head != subject.head) {
        co_return false;
    }
    if (pull_request->newest_forwarded.empty()) {
        co_return true;
    }
    ports::DeliveryPageQuery query;
    query.pr = subject.pr;
    query.event = "pull_request";
    query.limit = kDeliveriesLookedAt;
    BATON_CO_TRY(const auto deliveries, co_await store_.list_deliveries(std::move(query)));
    co_return std::ranges::any_of(deliveries, [&](const ports::Delivery& delivery) {
        return delivery.state == ports::DeliveryState::to_plan && delivery.head == subject.head;
    });
}

/// A button of a whole suite names no pull request, and a command no commit.
asio::awaitable<Result<std::vector<domain::Rerun>>> CheckReader::read_reruns(domain::Subject subject
) {
    BATON_CO_TRY(auto reruns, co_await store_.reruns_of(subject));
    if (!subject.pr) {
        co_return reruns;
    }
    const domain::Subject of_commit{
        .upstream = subject.upstream, .pr = std::nullopt, .head = subject.head
    };
    const domain::Subject of_pull_request{
        .upstream = subject.upstream, .pr = subject.pr, .head = {}
    };
    BATON_CO_TRY(auto of_suite, co_await store_.reruns_of(of_commit));
    BATON_CO_TRY(auto of_command, co_await store_.reruns_of(of_pull_request));
    std::ranges::move(of_suite, std::back_inserter(reruns));
    std::ranges::move(of_command, std::back_inserter(reruns));
    co_return reruns;
}

/// Only for those that block, and only as far as the gate will ask.
asio::awaitable<Result<domain::DownstreamFacts>>
CheckReader::with_history(domain::DownstreamFacts facts, domain::Subject subject) {
    auto& part = facts.part;
    if (!facts.dispatched || !domain::policy_of(part.downstream.level).block_pr) {
        co_return facts;
    }
    ports::RunsQuery query{
        .upstream = subject.upstream,
        .downstream = part.downstream.repo,
        .pr = std::nullopt,
        .head = {},
        .event_types = {"pull_request"},
        .ref = {},
        .started_only = true,
        .limit = kRunsBefore,
    };
    if (part.downstream.required_jobs.empty()) {
        BATON_CO_TRY(part.before, co_await store_.runs(query));
        std::erase_if(part.before, [&](const domain::Run& run) {
            return run.dispatch.head == subject.head && run.dispatch.pr == subject.pr;
        });
    }
    if (domain::is_red(part.run) && !part.run.dispatch.ref.empty()) {
        query.event_types = {"push"};
        query.ref = part.run.dispatch.ref;
        query.limit = kRunsOfBase;
        BATON_CO_TRY(part.base, co_await store_.runs(std::move(query)));
    }
    co_return facts;
}

asio::awaitable<Result<std::map<JobId, domain::ReportDetail>>>
CheckReader::read_details(std::vector<JobId> failed) {
    std::map<JobId, domain::ReportDetail> details;
    for (const auto id : failed) {
        if (details.size() == kDetailsRead) {
            break;
        }
        auto detail = co_await store_.report_detail(id);
        if (detail) {
            details.emplace(id, *std::move(detail));
        } else if (detail.error().code != Errc::not_found) {
            co_return fail(std::move(detail).error());
        }
    }
    co_return details;
}

} // namespace baton::relay
