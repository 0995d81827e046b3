#include "baton/store/ledger_text.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/store.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace baton::store {

namespace json = boost::json;

namespace {

std::string place_of(const domain::Suspension& suspension) {
    return suspension.upstream.empty()
               ? fmt::format("{} from every upstream", suspension.downstream.text())
               : fmt::format(
                     "{} from {}", suspension.downstream.text(), suspension.upstream.text()
                 );
}

} // namespace

bool is_told(domain::DispatchState state) {
    using enum domain::DispatchState;
    return state == superseded || state == cancelled || state == failed || state == dead;
}

bool leaves_line(
    const ports::PlanCommit& commit, const ports::PlanReceipt& receipt, bool was_to_plan
) {
    const bool settles = was_to_plan && !commit.again_at;
    return settles || receipt.created > 0;
}

std::string planned_detail(const ports::PlanCommit& commit, const ports::PlanReceipt& receipt) {
    json::array decisions;
    decisions.reserve(commit.plan.decisions.size());
    for (const auto& decision : commit.plan.decisions) {
        decisions.emplace_back(json::object{
            {"downstream", decision.downstream.text()},
            {"dispatch", decision.dispatch},
            {"reason", decision.reason},
        });
    }
    json::object detail{
        {"upstream", commit.upstream.text()},
        {"created", receipt.created},
        {"superseded", receipt.superseded},
        {"cancelled", receipt.cancelled},
        {"decisions", std::move(decisions)},
    };
    if (commit.again_at) {
        detail["again_at_ms"] = to_ms(*commit.again_at);
    }
    return json::serialize(detail);
}

std::string superseded_by(const HeadSha& head) {
    return fmt::format("a newer commit came first: {}", head.text());
}

std::string redelivered_by(const std::string& actor) {
    return fmt::format("redelivered by {}", actor);
}

std::string redelivered_detail(const domain::Dispatch& before, const std::string& actor) {
    return fmt::format(
        "by {}: generation {}, after {} was {}",
        actor,
        before.key.generation + 1,
        static_cast<std::int64_t>(before.id),
        name_of(before.state)
    );
}

std::string allowlist_detail(const ports::AllowlistVersion& version) {
    return fmt::format("{} from {} at {}", version.upstream.text(), version.source, version.mark);
}

std::string asked_again_detail(int asked) {
    return fmt::format("GitHub is asked to send it again ({} of {})", asked, domain::kAskedMax);
}

std::string day_completed_detail(const domain::Completeness& day) {
    constexpr std::size_t kDateLength = 10; // of 2026-11-15T00:00:00.000Z
    return fmt::format("{}: {}", to_rfc3339(day.from).substr(0, kDateLength), to_text(day));
}

std::string leases_voided_detail(std::size_t count, const InstanceId& instance) {
    return fmt::format(
        "{} when {} started: sent again, perhaps for the second time", count, instance.text()
    );
}

std::string suspended_detail(const domain::Suspension& suspension) {
    return fmt::format("by {}: {} {}", suspension.actor, place_of(suspension), to_text(suspension));
}

std::string resumed_detail(const domain::Suspension& suspension, const std::string& actor) {
    return fmt::format(
        "by {}: {}, after {} by {}",
        actor,
        place_of(suspension),
        to_text(suspension),
        suspension.actor
    );
}

std::string acted_detail(const ports::ActedBy& by, const Act& act) {
    return json::serialize(json::object{
        {"action", act.action},
        {"actor", by.actor},
        {"subject", act.subject},
        {"reason", by.reason},
        {"text", act.text},
    });
}

std::string tested_by(const std::string& actor) {
    return fmt::format("a test that {} asked for", actor);
}

std::string pin_detail(const std::optional<ports::Pin>& before, const ports::Pin& pin) {
    const auto words = [](const ports::Pin& one) {
        return fmt::format("repository {} of owner {}", one.repository_id, one.owner_id);
    };
    return fmt::format(
        "by {}: {} is {}, before: {}",
        pin.actor,
        pin.repo.text(),
        words(pin),
        before ? words(*before) : "no pin"
    );
}

std::string shadow_ended_detail(const ports::ModeChange& change) {
    return fmt::format(
        "{} dispatches and {} deliveries came to rest unsent", change.rested, change.unplanned
    );
}

bool is_any(const LiveWork& left) {
    return left.pending + left.to_plan + left.checks.waiting + left.checks.reruns > 0;
}

std::string shadow_refusal(const LiveWork& left) {
    return fmt::format(
        "this store holds work of a live relay ({} dispatches pending, {} deliveries to plan, {} "
        "checks or comments to post, {} re-runs to order) that a shadow would withhold: give the "
        "shadow a store of its own",
        left.pending,
        left.to_plan,
        left.checks.waiting,
        left.checks.reruns
    );
}

std::string words_for(const domain::Job& job) {
    const auto& key = job.key;
    return fmt::format(
        "{}{}{}, run {} attempt {}: {}",
        key.workflow,
        key.job.empty() ? "" : " / ",
        key.job,
        key.run_id,
        key.attempt,
        job.conclusion ? name_of(*job.conclusion) : name_of(job.status)
    );
}

std::string
letters_revived_detail(std::size_t count, const std::string& sink, const std::string& actor) {
    return fmt::format(
        "by {}: {} dead letters to {} are tried again",
        actor,
        count,
        sink.empty() ? "every sink" : sink
    );
}

std::string scheduled_for(TimePoint due) {
    return fmt::format("scheduled for {}", to_rfc3339(due));
}

std::string schedule_missed_detail(const ports::MissedRun& run) {
    return fmt::format(
        "{} from {}, due {}: {}",
        run.downstream.text(),
        run.upstream.text(),
        to_rfc3339(run.due),
        run.reason
    );
}

namespace {

/// One dispatch of a delivery that the relay made up itself.
ports::PlanCommit
plan_of_one(const domain::NewDispatch& dispatch, std::string reason, TimePoint now) {
    ports::PlanCommit commit{
        .delivery = dispatch.key.delivery, .upstream = dispatch.upstream, .now = now
    };
    commit.plan.dispatches.push_back(dispatch);
    commit.plan.decisions.push_back({
        .downstream = dispatch.key.downstream,
        .dispatch = true,
        .reason = std::move(reason),
    });
    return commit;
}

} // namespace

ports::PlanCommit plan_of(const ports::TestDispatch& test) {
    return plan_of_one(test.dispatch, tested_by(test.actor), test.now);
}

ports::PlanCommit plan_of(const ports::ScheduledRun& run) {
    return plan_of_one(run.dispatch, scheduled_for(run.due), run.now);
}

} // namespace baton::store
