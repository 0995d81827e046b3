#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/report.hpp"
#include "baton/domain/retry.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/store.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

/// Every answer of a store as text, field by field: two stores agree when their texts do, and a
/// difference can be read.
namespace baton::test {

inline std::string text_of(bool value) {
    return value ? "true" : "false";
}

inline std::string text_of(std::size_t value) {
    return std::to_string(value);
}

inline std::string text_of(const std::string& value) {
    return '"' + value + '"';
}

inline std::string text_of(TimePoint when) {
    return std::to_string(to_ms(when));
}

inline std::string text_of(domain::DispatchState state) {
    return std::string(name_of(state));
}

inline std::string text_of(domain::Outcome outcome) {
    return std::string(name_of(outcome));
}

template <class Id>
    requires(std::is_enum_v<Id> && sizeof(Id) == sizeof(std::int64_t))
std::string text_of(Id id) {
    return std::to_string(static_cast<std::int64_t>(id));
}

// Declared first, so that lists of them can be written.
std::string text_of(const domain::Dispatch& d);
std::string text_of(const domain::PullRequest& pr);
std::string text_of(const domain::Waiting& w);
std::string text_of(const ports::AllowlistVersion& v);
std::string text_of(const ports::Attempt& a);
std::string text_of(const ports::Delivery& d);
std::string text_of(const ports::DeliveryToPlan& d);
std::string text_of(const ports::DispatchHistory& history);
std::string text_of(const ports::LeasedDispatch& leased);
std::string text_of(const ports::LedgerLine& line);
std::string text_of(const ports::SigningKey& key);
std::string text_of(const domain::Suspension& s);
std::string text_of(const ports::DownstreamFigures& f);
std::string text_of(const ports::Pin& pin);

// In results_text.hpp.
std::string text_of(domain::Conclusion conclusion);
std::string text_of(Millis duration);
std::string text_of(const domain::TestCounts& tests);
std::string text_of(const domain::Job& job);
std::string text_of(const domain::ReportDetail& detail);
std::string text_of(const ports::ReportReceipt& receipt);
std::string text_of(const ports::Silence& silence);
std::string text_of(const ports::Swept& swept);
std::string text_of(const ports::JobTally& tally);
std::string text_of(const ports::ResultCounts& counts);
std::string text_of(const ports::TakenLetter& letter);
std::string text_of(const ports::DeadLetter& letter);
std::string text_of(const ports::ScheduleMark& mark);

// In checks_text.hpp.
std::string text_of(const domain::GateSuspension& suspension);
std::string text_of(const domain::Rerun& order);
std::string text_of(const domain::Run& run);
std::string text_of(const ports::CheckCounts& counts);
std::string text_of(const ports::KeptPosting& posting);
std::string text_of(const ports::Look& look);
std::string text_of(const ports::PostingReceipt& receipt);
std::string text_of(const ports::TakenPosting& taken);
std::string text_of(const ports::TakenRerun& taken);

template <class T> std::string text_of(const std::optional<T>& value) {
    return value ? text_of(*value) : "none";
}

template <class T> std::string text_of(const std::vector<T>& values) {
    std::string text = "[";
    for (const auto& value : values) {
        text += text_of(value) + "\n ";
    }
    return text + "]";
}

inline std::string text_of(const domain::Dispatch& d) {
    return fmt::format(
        "{} {}>{}>{} gen {} {} pr {} head {} L{} {} {} '{}' created {} due {} sent {} attempts {} "
        "trim {}",
        text_of(d.id),
        d.upstream.text(),
        d.key.delivery.text(),
        d.key.downstream.text(),
        d.key.generation,
        d.event_type,
        text_of(d.pr),
        d.head.text(),
        static_cast<int>(d.level),
        d.device,
        name_of(d.state),
        d.reason,
        text_of(d.created_at),
        text_of(d.due_at),
        text_of(d.sent_at),
        d.attempts,
        d.trim
    );
}

inline std::string text_of(const ports::Delivery& d) {
    return fmt::format(
        "#{} {} {}/{} {} pr {} head {} at {} state {} bytes {}",
        d.sequence,
        d.id.text(),
        d.event,
        d.action,
        d.repository,
        text_of(d.pr),
        d.head.text(),
        text_of(d.received_at),
        static_cast<int>(d.state),
        d.body_bytes
    );
}

inline std::string text_of(const ports::DeliveryToPlan& d) {
    return text_of(d.delivery) + " body " + d.body;
}

inline std::string text_of(const domain::PullRequest& pr) {
    return fmt::format(
        "{}#{} head {} at {} open {} draft {} labels {} author {} {} approved {} newest {} version "
        "{}",
        pr.upstream.text(),
        text_of(pr.number),
        pr.head.text(),
        text_of(pr.updated_at),
        pr.open,
        pr.draft,
        text_of(pr.labels),
        pr.author.text(),
        static_cast<int>(pr.association),
        pr.approved,
        pr.newest_forwarded.text(),
        pr.version
    );
}

inline std::string text_of(const ports::PlanReceipt& r) {
    return fmt::format(
        "created {} superseded {} cancelled {}", r.created, r.superseded, r.cancelled
    );
}

inline std::string text_of(const domain::Waiting& w) {
    return fmt::format(
        "{} L{} due {} oldest {} running {} today {}",
        w.downstream.key(),
        static_cast<int>(w.level),
        w.due,
        text_of(w.oldest_due),
        w.running,
        w.sent_today
    );
}

inline std::string text_of(const ports::DueView& view) {
    return text_of(view.waiting) + " next " + text_of(view.next_due);
}

inline std::string text_of(const ports::LeasedDispatch& leased) {
    return fmt::format(
        "{} fence {} until {}",
        text_of(leased.dispatch),
        text_of(leased.lease.fence),
        text_of(leased.lease.until)
    );
}

inline std::string text_of(const ports::Adoption& adoption) {
    return fmt::format("voided {}", adoption.voided_leases);
}

inline std::string text_of(const ports::AllowlistVersion& v) {
    return fmt::format(
        "{} {} {} {} {}", v.upstream.text(), v.source, v.mark, v.text, text_of(v.in_force_at)
    );
}

inline std::string text_of(const ports::SigningKey& key) {
    return fmt::format("{} {} {}", key.id, key.secret, text_of(key.created_at));
}

inline std::string text_of(const domain::Suspension& s) {
    return fmt::format(
        "{} from {} since {} until {} '{}' by {}",
        s.downstream.text(),
        s.upstream.text(),
        text_of(s.since),
        text_of(s.until),
        s.reason,
        s.actor
    );
}

inline std::string text_of(const ports::Pin& pin) {
    return fmt::format(
        "{} {} {} {}", pin.repo.text(), pin.repository_id, pin.owner_id, text_of(pin.pinned_at)
    );
}

inline std::string text_of(const ports::DownstreamFigures& f) {
    return fmt::format(
        "{} pending {} today {} failed {} last {} error '{}' {}",
        f.downstream.key(),
        f.pending,
        f.sent_today,
        f.failed,
        text_of(f.last_sent),
        f.last_error,
        text_of(f.last_error_at)
    );
}

inline std::string text_of(const ports::ModeChange& change) {
    return fmt::format(
        "shadow since {} rested {} unplanned {}",
        text_of(change.shadow_since),
        change.rested,
        change.unplanned
    );
}

inline std::string text_of(const ports::Attempt& a) {
    return fmt::format(
        "attempt {} {} to {} {} {} '{}'",
        a.number,
        text_of(a.started_at),
        text_of(a.ended_at),
        text_of(a.outcome),
        a.status,
        a.detail
    );
}

inline std::string text_of(const ports::LedgerLine& line) {
    return fmt::format(
        "line {} {} {} {} {} '{}'",
        line.sequence,
        text_of(line.at),
        line.kind,
        line.delivery,
        text_of(line.dispatch),
        line.detail
    );
}

inline std::string text_of(const ports::DispatchHistory& history) {
    return text_of(history.dispatch) + text_of(history.attempts) + text_of(history.jobs);
}

inline std::string text_of(const ports::DeliveryHistory& history) {
    return text_of(history.delivery) + text_of(history.body_kept) + text_of(history.dispatches) +
           text_of(history.ledger);
}

inline std::string text_of(const ports::PruneStep& step) {
    return fmt::format("{} removed, next {}", step.removed, step.next.value_or(0));
}

inline std::string text_of(const ports::Counts& counts) {
    std::string text = fmt::format("{} deliveries, {} to plan", counts.deliveries, counts.to_plan);
    for (const auto& [state, number] : counts.dispatches) {
        text += fmt::format(", {} {}", number, name_of(state));
    }
    return text +
           fmt::format(
               ", {} unknown, oldest {}", counts.unknown_outcomes, text_of(counts.oldest_pending)
           );
}

/// Of a failure only the code: the sentence is each store's own.
template <class T> std::string text_of(const Result<T>& result) {
    if (!result) {
        return std::string(name_of(result.error().code));
    }
    if constexpr (std::is_void_v<T>) {
        return "done";
    } else {
        return text_of(*result);
    }
}

} // namespace baton::test
