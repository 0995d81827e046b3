#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/store.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::sim {

namespace asio = boost::asio;

template <class T> asio::awaitable<Result<T>> ready(Result<T> value) {
    co_return value;
}

/// Counts what reaches it and has an effect at the moment of the call, not when the answer is
/// awaited.
class CountingStore final : public ports::Store {
public:
    std::map<std::string, int> calls;
    std::vector<std::string> arguments;

    Awaitable<bool> insert_delivery(ports::NewDelivery delivery) override {
        arguments.push_back(delivery.id.text());
        return seen<bool>("insert_delivery", true);
    }

    Awaitable<std::vector<ports::DeliveryToPlan>>
    deliveries_to_plan(TimePoint, std::size_t limit) override {
        arguments.push_back(std::to_string(limit));
        return seen<std::vector<ports::DeliveryToPlan>>("deliveries_to_plan");
    }

    Awaitable<std::optional<domain::PullRequest>> pull_request(ports::PullRequestQuery) override {
        return seen<std::optional<domain::PullRequest>>("pull_request");
    }

    Awaitable<ports::PlanReceipt> commit_plan(ports::PlanCommit) override {
        return seen<ports::PlanReceipt>("commit_plan");
    }

    Awaitable<ports::DueView> due(ports::DueQuery) override { return seen<ports::DueView>("due"); }

    Awaitable<std::vector<ports::LeasedDispatch>> lease(ports::LeaseQuery) override {
        return seen<std::vector<ports::LeasedDispatch>>("lease");
    }

    Awaitable<domain::DispatchState> settle(ports::Settlement) override {
        return seen<domain::DispatchState>("settle", domain::DispatchState::sent);
    }

    Awaitable<std::string> body_of(DeliveryId) override { return seen<std::string>("body_of"); }

    Awaitable<std::size_t>
    cancel_pending(RepoName up, RepoName down, std::string reason, TimePoint) override {
        arguments.insert(arguments.end(), {up.text(), down.text(), reason});
        return seen<std::size_t>("cancel_pending", 3);
    }

    Awaitable<ports::Adoption> adopt(InstanceId, TimePoint) override {
        return seen<ports::Adoption>("adopt");
    }

    Awaitable<std::vector<domain::Dispatch>> dispatches_to(DeliveryId, RepoName) override {
        return seen<std::vector<domain::Dispatch>>("dispatches_to");
    }

    Awaitable<ports::ReportReceipt> record_report(ports::ReportCommit) override {
        return seen<ports::ReportReceipt>("record_report");
    }

    Awaitable<ports::Pin> pin_first(ports::Pin) override { return seen<ports::Pin>("pin_first"); }

    Awaitable<ports::Swept> sweep(ports::SweepQuery) override {
        return seen<ports::Swept>("sweep");
    }

    Awaitable<std::vector<domain::Job>> unverified_jobs(std::size_t) override {
        return seen<std::vector<domain::Job>>("unverified_jobs");
    }

    Awaitable<void> settle_commit(JobId, domain::CommitCheck, TimePoint) override {
        ++calls["settle_commit"];
        return ready(Result<void>{});
    }

    Awaitable<domain::ReportDetail> report_detail(JobId) override {
        return seen<domain::ReportDetail>("report_detail");
    }

    Awaitable<std::vector<domain::Job>> latest_jobs(ports::PullRequestQuery) override {
        return seen<std::vector<domain::Job>>("latest_jobs");
    }

    Awaitable<std::vector<ports::JobTally>> job_tallies(ports::TallyQuery) override {
        return seen<std::vector<ports::JobTally>>("job_tallies");
    }

    Awaitable<ports::ResultCounts> result_counts() override {
        return seen<ports::ResultCounts>("result_counts");
    }

    Awaitable<std::vector<ports::TakenLetter>> take_letters(ports::LetterQuery) override {
        return seen<std::vector<ports::TakenLetter>>("take_letters");
    }

    Awaitable<void> end_letter(ports::LetterEnd) override {
        ++calls["end_letter"];
        return ready(Result<void>{});
    }

    Awaitable<std::vector<ports::DeadLetter>> dead_letters(std::size_t) override {
        return seen<std::vector<ports::DeadLetter>>("dead_letters");
    }

    Awaitable<std::size_t> revive_letters(std::string, std::string, TimePoint) override {
        return seen<std::size_t>("revive_letters");
    }

    Awaitable<std::vector<ports::Look>> looks(TimePoint, std::size_t) override {
        return seen<std::vector<ports::Look>>("looks");
    }

    Awaitable<std::vector<domain::Run>> runs(ports::RunsQuery) override {
        return seen<std::vector<domain::Run>>("runs");
    }

    Awaitable<std::vector<ports::KeptPosting>> postings_of(domain::Subject) override {
        return seen<std::vector<ports::KeptPosting>>("postings_of");
    }

    Awaitable<std::vector<domain::Rerun>> reruns_of(domain::Subject) override {
        return seen<std::vector<domain::Rerun>>("reruns_of");
    }

    Awaitable<ports::PostingReceipt> commit_postings(ports::PostingCommit) override {
        return seen<ports::PostingReceipt>("commit_postings");
    }

    Awaitable<std::vector<ports::TakenPosting>> take_postings(ports::PostingQuery) override {
        return seen<std::vector<ports::TakenPosting>>("take_postings");
    }

    Awaitable<void> end_posting(ports::PostingEnd) override {
        ++calls["end_posting"];
        return ready(Result<void>{});
    }

    Awaitable<std::size_t> look_again(ports::LookAgain) override {
        return seen<std::size_t>("look_again");
    }

    Awaitable<std::vector<ports::TakenRerun>> take_reruns(ports::RerunQuery) override {
        return seen<std::vector<ports::TakenRerun>>("take_reruns");
    }

    Awaitable<void> end_rerun(ports::RerunEnd) override {
        ++calls["end_rerun"];
        return ready(Result<void>{});
    }

    Awaitable<std::vector<domain::GateSuspension>> gate_suspensions() override {
        return seen<std::vector<domain::GateSuspension>>("gate_suspensions");
    }

    Awaitable<bool> suspend_gate(domain::GateSuspension) override {
        return seen<bool>("suspend_gate");
    }

    Awaitable<bool> resume_gate(ports::GateResumption) override {
        return seen<bool>("resume_gate");
    }

    Awaitable<ports::CheckCounts> check_counts() override {
        return seen<ports::CheckCounts>("check_counts");
    }

    Awaitable<std::vector<ports::ScheduleMark>> schedule_marks() override {
        return seen<std::vector<ports::ScheduleMark>>("schedule_marks");
    }

    Awaitable<bool> fire_schedule(ports::ScheduledRun) override {
        return seen<bool>("fire_schedule");
    }

    Awaitable<bool> miss_schedule(ports::MissedRun) override { return seen<bool>("miss_schedule"); }

    Awaitable<void> record_allowlist(ports::AllowlistVersion) override {
        ++calls["record_allowlist"];
        return ready(Result<void>{});
    }

    Awaitable<std::optional<ports::AllowlistVersion>> last_allowlist(RepoName) override {
        return seen<std::optional<ports::AllowlistVersion>>("last_allowlist");
    }

    Awaitable<std::vector<ports::SigningKey>> signing_keys() override {
        return seen<std::vector<ports::SigningKey>>("signing_keys");
    }

    Awaitable<ports::SigningKey> add_signing_key(std::string, TimePoint) override {
        return seen<ports::SigningKey>("add_signing_key");
    }

    Awaitable<std::optional<domain::Walk>> last_walk() override {
        return seen<std::optional<domain::Walk>>("last_walk");
    }

    Awaitable<void> note_hooks(std::vector<domain::HookTry>) override {
        ++calls["note_hooks"];
        return ready(Result<void>{});
    }

    Awaitable<void> end_walk(TimePoint, TimePoint) override {
        ++calls["end_walk"];
        return ready(Result<void>{});
    }

    Awaitable<std::vector<domain::SentHook>> hooks_astray(std::size_t) override {
        return seen<std::vector<domain::SentHook>>("hooks_astray");
    }

    Awaitable<bool> note_asked(DeliveryId id, int, TimePoint) override {
        arguments.push_back(id.text());
        return seen<bool>("note_asked", true);
    }

    Awaitable<void> note_not_asked(DeliveryId, int, TimePoint) override {
        ++calls["note_not_asked"];
        return ready(Result<void>{});
    }

    Awaitable<domain::Completeness> completeness(TimePoint, TimePoint) override {
        return seen<domain::Completeness>("completeness");
    }

    Awaitable<bool> record_completeness(domain::Completeness, TimePoint) override {
        return seen<bool>("record_completeness", true);
    }

    Awaitable<std::vector<PrNumber>> open_pull_requests(RepoName) override {
        return seen<std::vector<PrNumber>>("open_pull_requests");
    }

    Awaitable<std::vector<ports::Delivery>> list_deliveries(ports::DeliveryPageQuery) override {
        return seen<std::vector<ports::Delivery>>("list_deliveries");
    }

    Awaitable<ports::DeliveryHistory> delivery_history(DeliveryId) override {
        return seen<ports::DeliveryHistory>("delivery_history");
    }

    Awaitable<std::size_t> redeliver(ports::RedeliverQuery) override {
        return seen<std::size_t>("redeliver");
    }

    Awaitable<ports::Counts> counts() override { return seen<ports::Counts>("counts"); }

    Awaitable<std::vector<domain::Suspension>> suspensions(TimePoint) override {
        return seen<std::vector<domain::Suspension>>("suspensions");
    }

    Awaitable<void> suspend(domain::Suspension) override {
        ++calls["suspend"];
        return ready(Result<void>{});
    }

    Awaitable<std::size_t> resume(ports::Resumption) override {
        return seen<std::size_t>("resume");
    }

    Awaitable<void> insert_test(ports::TestDispatch) override {
        ++calls["insert_test"];
        return ready(Result<void>{});
    }

    Awaitable<std::optional<ports::Pin>> pin_of(RepoName) override {
        return seen<std::optional<ports::Pin>>("pin_of");
    }

    Awaitable<std::optional<ports::Pin>> repin(ports::Pin) override {
        return seen<std::optional<ports::Pin>>("repin");
    }

    Awaitable<std::vector<ports::DownstreamFigures>> downstream_figures(TimePoint) override {
        return seen<std::vector<ports::DownstreamFigures>>("downstream_figures");
    }

    Awaitable<std::vector<ports::AllowlistVersion>> allowlists_at(TimePoint) override {
        return seen<std::vector<ports::AllowlistVersion>>("allowlists_at");
    }

    Awaitable<ports::ModeChange> enter_mode(ports::Mode, TimePoint) override {
        return seen<ports::ModeChange>("enter_mode");
    }

    Awaitable<ports::PruneStep> prune_bodies(ports::PruneQuery) override {
        return seen<ports::PruneStep>("prune_bodies");
    }

    Awaitable<ports::PruneStep> prune_results(ports::PruneQuery) override {
        return seen<ports::PruneStep>("prune_results");
    }

    Awaitable<ports::PruneStep> prune_dispatches(ports::PruneQuery) override {
        return seen<ports::PruneStep>("prune_dispatches");
    }

    Awaitable<std::size_t> bytes_of(ports::StoredKind) override {
        return seen<std::size_t>("bytes_of");
    }

    Awaitable<void> keep_sizes(ports::StoreSizes) override {
        ++calls["keep_sizes"];
        return ready(Result<void>{});
    }

private:
    template <class T> Awaitable<T> seen(const char* verb, T value = {}) {
        ++calls[verb];
        return ready(Result<T>(std::move(value)));
    }
};

} // namespace baton::sim
