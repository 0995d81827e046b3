#include "baton/app/demo_results.hpp"

#include "baton/app/demo_view.hpp"
#include "baton/base/ids.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/results.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/downstream_book.hpp"
#include "baton/sim/downstream_script.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace baton::app::demo {

using sim::Forgery;

namespace {

/// Whether the relay must not take it. The others are honest, or true in all that counts.
bool is_forged(const sim::SentReport& sent) {
    switch (sent.report.step.forgery) {
    case Forgery::wrong_audience:
    case Forgery::other_repo:
    case Forgery::other_delivery:
    case Forgery::other_dispatch:
        return true;
    case Forgery::none:
    case Forgery::other_run: // refused where there are checks, else marked as not proven
    case Forgery::other_pull:
    case Forgery::no_callback_token:
        return false;
    }
    return false;
}

std::string_view words_for(Forgery forgery) {
    switch (forgery) {
    case Forgery::none:
        return "an honest report";
    case Forgery::wrong_audience:
        return "a token that was made for somebody else";
    case Forgery::other_repo:
        return "another repository's token";
    case Forgery::other_run:
        return "the token of another run";
    case Forgery::other_delivery:
        return "a delivery that never was";
    case Forgery::other_pull:
        return "a second verdict, about another pull request";
    case Forgery::other_dispatch:
        return "the callback token of another dispatch";
    case Forgery::no_callback_token:
        return "a second verdict, without a callback token";
    }
    return "";
}

domain::JobKey key_of(const sim::Report& report) {
    return {
        .workflow = report.run.workflow,
        .job = report.step.job,
        .run_id = std::to_string(report.run.id),
        .attempt = report.run.attempt,
    };
}

} // namespace

void ResultAuditor::look_at(const ports::DeliveryHistory& history) {
    for (const auto& one : history.dispatches) {
        for (const auto& job : one.jobs) {
            ++account_.jobs;
            account_.unbound += job.bound ? 0 : 1;
            account_.replaced += job.replaced ? 1 : 0;
            jobs_.insert_or_assign(
                {history.delivery.id.text(), one.dispatch.key.downstream, job.key}, job
            );
        }
    }
}

ResultAccount ResultAuditor::finish() {
    for (const auto& sent : evidence_.sent) {
        look_at_answer(sent);
    }
    account_.reports = evidence_.sent.size();
    account_.refusals.assign(refusals_.begin(), refusals_.end());
    account_.results.running = evidence_.counts.in_progress;
    account_.results.silent = evidence_.counts.silent;
    account_.results.timed_out = evidence_.counts.by_relay;
    return account_;
}

void ResultAuditor::look_at_answer(const sim::SentReport& sent) {
    const auto& answer = sent.answer;
    auto& results = account_.results;
    if (answer.worth_another_try()) {
        ++account_.unanswered;
    } else if (answer.ignored) {
        ++results.ignored;
    } else if (answer.status != 200) {
        ++results.refused;
        note_refusal(sent);
    } else {
        ++(answer.duplicate || answer.stale ? results.duplicate : results.recorded);
        look_for(sent);
    }
}

void ResultAuditor::look_for(const sim::SentReport& sent) {
    const auto& report = sent.report;
    if (is_forged(sent)) {
        wrong(sent, fmt::format("was taken with {}", words_for(report.step.forgery)));
        return;
    }
    if (report.script == sim::Script::nightly) {
        return; // belongs to no delivery
    }
    const auto found = jobs_.find({sent.delivery_id, report.run.repo, key_of(report)});
    if (found == jobs_.end()) {
        wrong(sent, "was answered 200 and is not in the store");
        return;
    }
    const auto said = domain::conclusion_named(report.step.conclusion);
    if (said && found->second.conclusion != said) {
        wrong(sent, "is not in the store as it was said");
    }
}

void ResultAuditor::note_refusal(const sim::SentReport& sent) {
    const auto forgery = sent.report.step.forgery;
    ++refusals_[fmt::format("{} ({})", words_for(forgery), sent.answer.status)];
    if (forgery == Forgery::none) {
        wrong(sent, fmt::format("was honest and refused: {}", sent.answer.body));
    }
}

void ResultAuditor::wrong(const sim::SentReport& sent, const std::string& what) {
    const auto& report = sent.report;
    account_.wrong.push_back(fmt::format(
        "the report of {} about {} of run {}, delivery {}, {}",
        report.run.repo.text(),
        report.step.job,
        report.run.id,
        sent.delivery_id,
        what
    ));
}

Results results_so_far(
    const std::map<RepoName, sim::ReportCount>& reports, const ports::ResultCounts& counts
) {
    Results out{
        .running = counts.in_progress,
        .silent = counts.silent,
        .timed_out = counts.by_relay,
    };
    for (const auto& [repo, count] : reports) {
        const auto without_effect = count.duplicates + count.stale;
        out.recorded += count.accepted - without_effect - count.ignored;
        out.duplicate += without_effect;
        out.ignored += count.ignored;
        out.refused += count.refused;
    }
    return out;
}

} // namespace baton::app::demo
