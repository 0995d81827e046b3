#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/store.hpp"

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "contract/store_fixture.hpp"

/// Reports to store, and stores in which something was sent.
namespace baton::test {

inline domain::Report a_start(const std::string& run = "101", const std::string& job = "test") {
    domain::Report report;
    report.key = {.workflow = "ci", .job = job, .run_id = run, .attempt = 1};
    return report;
}

inline domain::Report an_end(
    domain::Conclusion conclusion = domain::Conclusion::success,
    const std::string& run = "101",
    const std::string& job = "test"
) {
    auto report = a_start(run, job);
    report.status = domain::JobStatus::completed;
    report.conclusion = conclusion;
    return report;
}

inline domain::JobSubject subject_of(const domain::Dispatch& dispatch) {
    return {
        .dispatch = dispatch.id,
        .downstream = dispatch.key.downstream,
        .upstream = dispatch.upstream,
        .event_type = dispatch.event_type,
        .pr = dispatch.pr,
        .head = dispatch.head,
    };
}

inline ports::ReportCommit
a_commit(const domain::Dispatch& dispatch, domain::Report report, TimePoint now) {
    return {
        .subject = subject_of(dispatch),
        .report = std::move(report),
        .level = domain::Level::l2,
        .device = "npu",
        .bound = true,
        .run_proven = true,
        .now = now,
    };
}

/// A nightly that tells of itself.
inline ports::ReportCommit a_self_report(domain::Report report, TimePoint now) {
    return {
        .subject =
            {.dispatch = std::nullopt,
             .downstream = repo("a/one"),
             .upstream = upstream(),
             .event_type = "nightly",
             .pr = std::nullopt,
             .head = HeadSha("cccc")},
        .report = std::move(report),
        .now = now,
    };
}

inline ports::SweepQuery a_sweep(TimePoint now) {
    ports::SweepQuery query;
    query.now = now;
    query.waits = {.start = std::chrono::hours{2}, .run = std::chrono::hours{6}};
    query.sinks = {"hud"};
    return query;
}

class ResultsContract : public StoreContract {
protected:
    /// One delivery whose dispatch to a/one was sent ten seconds later.
    domain::Dispatch a_sent_dispatch(const std::string& delivery, TimePoint now = at(0)) {
        plant(delivery, {"a/one"}, now);
        return sent_one("a/one", now + std::chrono::seconds{10});
    }

    domain::Dispatch sent_one(const std::string& downstream, TimePoint now) {
        auto leased = lease_one(downstream, now);
        must(store().settle(ended(leased.lease, domain::DispatchState::sent, now)));
        leased.dispatch.state = domain::DispatchState::sent;
        leased.dispatch.sent_at = now;
        return leased.dispatch;
    }

    ports::ReportReceipt
    report(const domain::Dispatch& dispatch, domain::Report report, TimePoint now) {
        return must(store().record_report(a_commit(dispatch, std::move(report), now)));
    }

    domain::Dispatch now_of(const domain::Dispatch& dispatch) {
        for (const auto& one :
             must(store().dispatches_to(dispatch.key.delivery, dispatch.key.downstream))) {
            if (one.id == dispatch.id) {
                return one;
            }
        }
        throw std::runtime_error("a dispatch that is gone");
    }

    std::vector<domain::Job> jobs_of(const std::string& delivery) {
        return history_of(delivery).dispatches.at(0).jobs;
    }

    std::size_t running_at(const std::string& downstream, TimePoint now) {
        plant("look-" + std::to_string(to_ms(now)), {downstream}, now);
        for (const auto& waiting : due_at(now).waiting) {
            if (waiting.downstream == repo(downstream)) {
                return waiting.running;
            }
        }
        throw std::runtime_error("nothing waits");
    }

    ports::JobTally day_of(TimePoint when) {
        const auto from = std::chrono::floor<std::chrono::days>(when);
        const auto all = must(store().job_tallies(
            {.span = ports::Span::day,
             .downstream = repo("A/One"),
             .from = from,
             .until = from + std::chrono::days{1}}
        ));
        return all.empty() ? ports::JobTally{} : all.at(0);
    }

    /// A newer commit of the pull request, or its end, is known.
    void pull_request_is(const std::string& delivery, const std::string& head, bool open = true) {
        must(store().insert_delivery(a_delivery(delivery, at(100))));
        const auto known =
            must(store().pull_request({.upstream = upstream(), .number = PrNumber{7}}));
        auto commit = a_plan(delivery, {}, at(100));
        commit.plan.pull_request = a_pull_request(head, known ? known->version : 0);
        commit.plan.pull_request->open = open;
        must(store().commit_plan(std::move(commit)));
    }
};

} // namespace baton::test
