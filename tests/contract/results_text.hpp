#pragma once

#include "baton/base/time.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/store.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "contract/store_text.hpp"

/// Answers about results, the outbox and schedules as text.
namespace baton::test {

inline std::string text_of(domain::Conclusion conclusion) {
    return std::string(name_of(conclusion));
}

inline std::string text_of(Millis duration) {
    return std::to_string(duration.count());
}

inline std::string text_of(const domain::TestCounts& tests) {
    return fmt::format("{}/{}/{} of {}", tests.passed, tests.failed, tests.skipped, tests.total);
}

inline std::string text_of(const domain::Job& job) {
    const auto& subject = job.subject;
    const auto what = fmt::format(
        "job {} of {} at {} from {} {} pr {} head {}: {}/{} {}:{} {} {} by {}",
        text_of(job.id),
        text_of(subject.dispatch),
        subject.downstream.key(),
        subject.upstream.key(),
        subject.event_type,
        text_of(subject.pr),
        subject.head.text(),
        job.key.workflow,
        job.key.job,
        job.key.run_id,
        job.key.attempt,
        name_of(job.status),
        text_of(job.conclusion),
        static_cast<int>(job.said_by)
    );
    const auto how = fmt::format(
        "bound {} proven {} counts {} missed {} replaced {} {} L{} {} {} {} {}",
        job.bound,
        job.run_proven,
        job.counts,
        job.start_missed,
        job.replaced,
        name_of(job.commit),
        static_cast<int>(job.level),
        job.device,
        job.url,
        job.check_run_id,
        job.artifact_url
    );
    return fmt::format(
        "{} {} tests {} dispatched {} started {} completed {} theirs {} {} queue {}",
        what,
        how,
        text_of(job.tests),
        text_of(job.dispatched_at),
        text_of(job.started_at),
        text_of(job.completed_at),
        text_of(job.their_start),
        text_of(job.their_end),
        text_of(job.queue)
    );
}

inline std::string text_of(const ports::ReportReceipt& receipt) {
    const auto& weighed = receipt.weighed;
    return fmt::format(
        "effect {} counts {} proceed {} '{}' missed {} replaces {}; {}",
        static_cast<int>(weighed.effect),
        weighed.counts,
        weighed.proceed,
        weighed.reason,
        weighed.start_missed,
        weighed.replaces,
        text_of(receipt.job)
    );
}

inline std::string text_of(const domain::ReportDetail& detail) {
    std::string text = detail.environment + detail.artifacts;
    for (const auto& test : detail.failed_tests) {
        text += fmt::format("[{} {} {} {}]", test.name, test.message, test.stack, test.cut);
    }
    return text;
}

inline std::string text_of(const ports::Silence& silence) {
    return fmt::format(
        "{} at {} superseded {}",
        text_of(silence.dispatch),
        silence.downstream.key(),
        silence.superseded
    );
}

inline std::string text_of(const ports::Swept& swept) {
    return text_of(swept.silent) + text_of(swept.unheard);
}

inline std::string text_of(const ports::JobTally& tally) {
    auto text =
        fmt::format("{} {}>{}:", text_of(tally.from), tally.upstream.key(), tally.downstream.key());
    for (const auto& [conclusion, number] : tally.ended) {
        text += fmt::format(" {} {}", number, name_of(conclusion));
    }
    return text + fmt::format(
                      " silent {} execution {} in {} queue {} in {}",
                      tally.silent,
                      text_of(tally.execution),
                      tally.executed,
                      text_of(tally.queue),
                      tally.queued
                  );
}

inline std::string text_of(const ports::ResultCounts& counts) {
    auto text = fmt::format("{} run", counts.in_progress);
    for (const auto& [conclusion, number] : counts.completed) {
        text += fmt::format(", {} {}", number, name_of(conclusion));
    }
    return text + fmt::format(
                      ", {} by relay, {} silent, {} letters since {}, {} dead",
                      counts.by_relay,
                      counts.silent,
                      counts.outbox_waiting,
                      text_of(counts.outbox_oldest),
                      counts.dead_letters
                  );
}

inline std::string text_of(const ports::TakenLetter& letter) {
    return fmt::format(
        "letter {} {} {} {} for {} '{}' {} attempts {} fence {}",
        letter.id,
        letter.sink,
        letter.lane,
        text_of(letter.job),
        letter.delivery.text(),
        letter.body,
        text_of(letter.created_at),
        letter.attempts,
        text_of(letter.fence)
    );
}

inline std::string text_of(const ports::DeadLetter& letter) {
    return fmt::format(
        "dead {} {} {} {} {} attempts {} '{}'",
        letter.id,
        letter.sink,
        letter.lane,
        text_of(letter.created_at),
        text_of(letter.died_at),
        letter.attempts,
        letter.detail
    );
}

inline std::string text_of(const ports::ScheduleMark& mark) {
    return fmt::format(
        "{}>{} {} '{}' {}",
        mark.upstream.key(),
        mark.downstream.key(),
        text_of(mark.last_due),
        mark.last_missed,
        mark.missed
    );
}

} // namespace baton::test
