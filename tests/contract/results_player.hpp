#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/ports/store.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "contract/results_fixture.hpp"
#include "contract/store_fixture.hpp"
#include "contract/store_step.hpp"
#include "support/run_awaitable.hpp"

/// The steps of a random life that are about results.
namespace baton::test {

inline domain::Report drawn_report(Step& step) {
    domain::Report report;
    report.key.workflow = step.pick(3) == 0 ? "docs" : "ci";
    report.key.job = step.pick(2) == 0 ? "" : "test";
    report.key.run_id = std::to_string(1 + step.pick(2));
    report.key.attempt = 1 + (step.pick(4) == 0 ? 1 : 0);
    if (step.pick(2) == 0) {
        report.status = domain::JobStatus::completed;
        report.conclusion = static_cast<domain::Conclusion>(1 + step.pick(7));
    }
    if (step.pick(3) == 0) {
        report.url = "https://ci.example/" + std::to_string(step.pick(9));
        report.tests = {.passed = step.pick(9), .failed = 1, .skipped = 0, .total = 10};
    }
    if (step.pick(3) == 0) {
        report.detail.environment = std::to_string(step.pick(1000));
        report.detail.failed_tests = {{.name = "t", .message = "m", .stack = "s", .cut = true}};
    }
    return report;
}

/// Mostly about a dispatch that is there; otherwise a self-report.
inline std::string play_report(ports::Store& store, Step& step, TimePoint now) {
    const auto dispatches = run_awaitable(store.dispatches_to(
        DeliveryId(delivery_name(step.pick(6))), repo(downstream_name(step.pick(4)))
    ));
    if (!dispatches) {
        return text_of(dispatches);
    }
    auto commit = a_self_report(drawn_report(step), now);
    commit.commit = static_cast<domain::CommitCheck>(1 + step.pick(2));
    if (!dispatches->empty()) {
        const auto which = static_cast<std::size_t>(step.pick(dispatches->size()));
        commit.subject = subject_of(dispatches->at(which));
        commit.commit = domain::CommitCheck::known;
    }
    commit.bound = step.pick(4) != 0;
    commit.level = static_cast<domain::Level>(2 + step.pick(3));
    for (int i = step.pick(3); i > 0; --i) {
        commit.letters.push_back(
            {.sink = step.pick(3) == 0 ? "mail" : "hud", .body = std::to_string(step.pick(1000))}
        );
    }
    return answer(store.record_report(std::move(commit)));
}

inline std::string play_sweep(ports::Store& store, Step& step, TimePoint now) {
    const auto some_time = [&step] { return std::chrono::seconds{step.pick(60)}; };
    auto query = a_sweep(now);
    query.waits = {.start = some_time(), .run = some_time()};
    query.own[{upstream(), repo(downstream_name(step.pick(4)))}] = {
        .start = some_time(), .run = some_time()
    };
    query.limit = static_cast<std::size_t>(1 + step.pick(4));
    return answer(store.sweep(std::move(query)));
}

inline std::string play_letters(
    ports::Store& store, Step& step, TimePoint now, std::vector<ports::TakenLetter>& letters
) {
    if (step.pick(8) == 0) {
        return answer(store.revive_letters(step.pick(2) == 0 ? "hud" : "", "alice", now));
    }
    if (letters.empty() || step.pick(3) == 0) {
        const auto taken = run_awaitable(store.take_letters(
            {.sink = step.pick(3) == 0 ? "mail" : "hud",
             .holder = InstanceId("relay-1"),
             .now = now,
             .until = now + std::chrono::seconds{10},
             .limit = static_cast<std::size_t>(1 + step.pick(4))}
        ));
        if (taken) {
            letters.insert(letters.end(), taken->begin(), taken->end());
        }
        return text_of(taken);
    }
    const auto& letter = letters.at(static_cast<std::size_t>(step.pick(letters.size())));
    ports::LetterEnd end{.id = letter.id, .fence = letter.fence, .detail = "so", .now = now};
    end.done = step.pick(2) == 0;
    if (step.pick(2) == 0) {
        end.again_at = now + std::chrono::seconds{step.pick(20)};
    }
    return answer(store.end_letter(std::move(end)));
}

inline std::string play_schedule(ports::Store& store, Step& step, TimePoint now) {
    const auto due = now - std::chrono::seconds{step.pick(30)};
    const auto downstream = downstream_name(step.pick(4));
    switch (step.pick(4)) {
    case 0: {
        const auto id = delivery_name(step.pick(6));
        return answer(store.fire_schedule(
            {.delivery = a_delivery(id, now),
             .dispatch = a_dispatch(id, downstream),
             .due = due,
             .now = now}
        ));
    }
    case 1:
        return answer(store.miss_schedule(
            {.upstream = upstream(),
             .downstream = repo(downstream),
             .due = due,
             .reason = "away",
             .now = now,
             .excused = step.pick(2) == 0}
        ));
    case 2:
        return answer(store.settle_commit(
            JobId{1 + step.pick(9)}, static_cast<domain::CommitCheck>(1 + step.pick(3)), now
        ));
    default:
        return answer(store.pin_first(
            {.repo = repo(downstream),
             .repository_id = 1 + step.pick(9),
             .owner_id = 1,
             .pinned_at = now}
        ));
    }
}

/// Everything about results that can be seen from outside.
inline std::string picture_of_results(ports::Store& store) {
    auto text = answer(store.result_counts()) + answer(store.unverified_jobs(20));
    text += answer(store.dead_letters(20)) + answer(store.schedule_marks());
    for (const auto number : {7, 8}) {
        text += answer(store.latest_jobs({.upstream = upstream(), .number = PrNumber{number}}));
    }
    for (const auto name : {0, 2, 3}) {
        for (const auto span : {ports::Span::hour, ports::Span::day}) {
            text += answer(store.job_tallies(
                {.span = span,
                 .downstream = repo(downstream_name(name)),
                 .from = at(-1'000'000),
                 .until = at(1'000'000'000)}
            ));
        }
    }
    for (std::int64_t id = 1; id <= 8; ++id) {
        text += answer(store.report_detail(JobId{id}));
    }
    return text;
}

} // namespace baton::test
