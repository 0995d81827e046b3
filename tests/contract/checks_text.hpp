#pragma once

#include "baton/domain/check.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/store.hpp"

#include <fmt/format.h>

#include <string>

#include "contract/results_text.hpp"
#include "contract/store_text.hpp"

/// Answers about checks, re-runs and the gate as text.
namespace baton::test {

inline std::string text_of(const domain::Subject& subject) {
    return fmt::format(
        "{} {} {}", subject.upstream.key(), text_of(subject.pr), subject.head.text()
    );
}

inline std::string text_of(const ports::Look& look) {
    return fmt::format(
        "look at {} version {} first {}",
        text_of(look.subject),
        look.version,
        text_of(look.first_at)
    );
}

inline std::string text_of(const domain::Run& run) {
    return fmt::format(
        "run of {} silent {} {}", text_of(run.dispatch), text_of(run.silent_at), text_of(run.jobs)
    );
}

inline std::string text_of(const ports::KeptPosting& posting) {
    return fmt::format(
        "posting {} on {} kind {} '{}' {} '{}' text '{}' id {} in step {} calls {} trouble '{}'",
        posting.id,
        text_of(posting.subject),
        static_cast<int>(posting.kind),
        posting.check.name,
        name_of(posting.check.status),
        posting.check.title,
        posting.text,
        posting.github_id.value_or(0),
        posting.in_step,
        posting.calls,
        posting.trouble
    );
}

inline std::string text_of(const ports::TakenPosting& taken) {
    return fmt::format(
        "{} version {} perhaps {} attempts {} since {} fence {}",
        text_of(taken.posting),
        taken.version,
        taken.perhaps_there,
        taken.attempts,
        text_of(taken.wanted_since),
        text_of(taken.fence)
    );
}

inline std::string text_of(const ports::PostingReceipt& receipt) {
    return fmt::format("changed {} ordered {}", receipt.changed, receipt.ordered);
}

inline std::string text_of(const domain::Rerun& order) {
    return fmt::format(
        "re-run {} '{}' for {} of {} {} {} {} by {}: {} {} {} '{}'",
        order.id,
        order.key,
        text_of(order.subject),
        order.downstream.key(),
        order.run_id,
        name_of(order.scope),
        name_of(order.cause),
        order.actor,
        name_of(order.state),
        text_of(order.created_at),
        text_of(order.ended_at),
        order.detail
    );
}

inline std::string text_of(const ports::TakenRerun& taken) {
    return fmt::format(
        "{} attempts {} fence {}", text_of(taken.order), taken.attempts, text_of(taken.fence)
    );
}

inline std::string text_of(const domain::GateSuspension& suspension) {
    return fmt::format(
        "gate of {} {} since {} '{}' '{}' by hand {} {}",
        suspension.upstream.key(),
        suspension.downstream.key(),
        text_of(suspension.since),
        suspension.reason,
        suspension.evidence,
        suspension.by_hand,
        suspension.actor
    );
}

inline std::string text_of(const ports::CheckCounts& counts) {
    return fmt::format(
        "looks {} waiting {} given up {} re-runs {} oldest {}",
        counts.looks,
        counts.waiting,
        counts.given_up,
        counts.reruns,
        text_of(counts.oldest)
    );
}

} // namespace baton::test
