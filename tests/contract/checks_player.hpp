#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/store.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "contract/checks_fixture.hpp"
#include "contract/checks_text.hpp"
#include "contract/store_fixture.hpp"
#include "contract/store_step.hpp"
#include "support/run_awaitable.hpp"

/// The steps of a random life that are about checks, re-runs and the gate.
namespace baton::test {

/// What a relay remembers of them between two steps.
struct ChecksAtHand {
    std::vector<ports::Look> looks;
    std::vector<ports::TakenPosting> postings;
    std::vector<ports::TakenRerun> reruns;
};

/// Mostly the newest: older ones are over.
template <class T> const T& drawn_from(Step& step, const std::vector<T>& values) {
    const auto back = step.pick(4) == 0 ? static_cast<std::size_t>(step.pick(values.size())) : 0U;
    return values.at(values.size() - 1 - back);
}

inline domain::Subject drawn_subject(Step& step) {
    auto subject = a_subject(head_name(step.pick(3)));
    subject.pr = step.pick(6) == 0 ? std::nullopt : std::optional(PrNumber{7 + step.pick(2)});
    return subject;
}

inline ports::Posting drawn_posting(Step& step, const domain::Subject& subject) {
    auto posting = step.pick(5) == 0 ? a_comment(std::to_string(step.pick(3)))
                                     : a_check(step.pick(3) == 0 ? "crcr/gate" : "crcr/job");
    const auto head = posting.subject.head;
    posting.subject = subject;
    if (posting.kind == ports::PostingKind::comment) {
        posting.subject.head = head;
        return posting;
    }
    posting.check.title = std::to_string(step.pick(3));
    if (step.pick(2) == 0) {
        posting.check.status = domain::CheckStatus::completed;
        posting.check.conclusion = domain::Conclusion::success;
    }
    return posting;
}

inline domain::NewRerun drawn_rerun(Step& step, const domain::Subject& subject) {
    auto order = a_rerun("key " + std::to_string(step.pick(12)));
    order.subject = subject;
    order.downstream = repo(downstream_name(step.pick(4)));
    if (step.pick(3) == 0) {
        order.subject.head = {};
        order.scope = domain::RerunScope::all;
        order.cause = domain::RerunCause::infrastructure;
    }
    return order;
}

inline std::string
play_look(ports::Store& store, Step& step, TimePoint now, ChecksAtHand& at_hand) {
    if (at_hand.looks.empty() || step.pick(3) == 0) {
        const auto looks =
            run_awaitable(store.looks(now, static_cast<std::size_t>(1 + step.pick(4))));
        if (looks) {
            at_hand.looks.insert(at_hand.looks.end(), looks->begin(), looks->end());
        }
        return text_of(looks);
    }
    ports::PostingCommit commit{.look = drawn_from(step, at_hand.looks), .now = now};
    for (int i = step.pick(4); i > 0; --i) {
        commit.wanted.push_back(drawn_posting(step, commit.look.subject));
    }
    if (step.pick(3) == 0) {
        commit.reruns.push_back(drawn_rerun(step, commit.look.subject));
    }
    if (step.pick(2) == 0) {
        commit.look_at = now + std::chrono::seconds{step.pick(30)};
    }
    return answer(store.commit_postings(std::move(commit)));
}

inline std::string
play_posting(ports::Store& store, Step& step, TimePoint now, ChecksAtHand& at_hand) {
    if (at_hand.postings.empty() || step.pick(3) == 0) {
        const auto taken = run_awaitable(store.take_postings(
            {.holder = InstanceId("relay-1"),
             .now = now,
             .until = now + std::chrono::seconds{10},
             .limit = static_cast<std::size_t>(1 + step.pick(4))}
        ));
        if (taken) {
            at_hand.postings.insert(at_hand.postings.end(), taken->begin(), taken->end());
        }
        return text_of(taken);
    }
    const auto& taken = drawn_from(step, at_hand.postings);
    ports::PostingEnd end{
        .id = taken.posting.id, .fence = taken.fence, .version = taken.version, .detail = "so"
    };
    end.done = step.pick(2) == 0;
    end.forget_id = step.pick(8) == 0;
    end.certain = step.pick(3) != 0;
    if (step.pick(3) != 0) {
        end.github_id = 1 + step.pick(99);
    }
    if (step.pick(2) == 0) {
        end.again_at = now + std::chrono::seconds{step.pick(20)};
    }
    end.calls = static_cast<std::size_t>(step.pick(3));
    end.now = now;
    return answer(store.end_posting(std::move(end)));
}

inline std::string
play_rerun(ports::Store& store, Step& step, TimePoint now, ChecksAtHand& at_hand) {
    if (at_hand.reruns.empty() || step.pick(2) == 0) {
        const auto taken = run_awaitable(store.take_reruns(
            {.holder = InstanceId("relay-1"),
             .now = now,
             .until = now + std::chrono::seconds{10},
             .limit = static_cast<std::size_t>(1 + step.pick(3))}
        ));
        if (taken) {
            at_hand.reruns.insert(at_hand.reruns.end(), taken->begin(), taken->end());
        }
        return text_of(taken);
    }
    const auto& taken = drawn_from(step, at_hand.reruns);
    ports::RerunEnd end{.id = taken.order.id, .fence = taken.fence, .detail = "so", .now = now};
    if (step.pick(2) == 0) {
        end.state = static_cast<domain::RerunState>(1 + step.pick(4));
    }
    if (step.pick(2) == 0) {
        end.again_at = now + std::chrono::seconds{step.pick(20)};
    }
    if (end.state == domain::RerunState::dispatched && step.pick(2) == 0) {
        end.afresh = DeliveryId(delivery_name(step.pick(4)));
    }
    return answer(store.end_rerun(std::move(end)));
}

inline std::string play_gate(ports::Store& store, Step& step, TimePoint now) {
    const auto downstream = repo(downstream_name(step.pick(4)));
    switch (step.pick(3)) {
    case 0: {
        auto suspension = a_gate_suspension(now, std::to_string(step.pick(2)));
        suspension.downstream = downstream;
        suspension.by_hand = step.pick(3) == 0;
        return answer(store.suspend_gate(std::move(suspension)));
    }
    case 1:
        return answer(store.resume_gate(
            {.upstream = upstream(),
             .downstream = downstream,
             .by_hand = step.pick(2) == 0,
             .now = now}
        ));
    default: {
        ports::LookAgain again{.upstream = upstream(), .now = now};
        if (step.pick(2) == 0) {
            again.downstream = downstream;
        }
        return answer(store.look_again(std::move(again)));
    }
    }
}

inline std::string play_runs(ports::Store& store, Step& step) {
    ports::RunsQuery query{.upstream = upstream()};
    if (step.pick(2) == 0) {
        query.downstream = repo(downstream_name(step.pick(4)));
    }
    if (step.pick(2) == 0) {
        query.head = HeadSha(head_name(step.pick(3)));
    }
    if (step.pick(3) == 0) {
        query.pr = PrNumber{7 + step.pick(2)};
    }
    if (step.pick(3) == 0) {
        query.event_types = {"pull_request"};
    }
    query.started_only = step.pick(2) == 0;
    query.limit = static_cast<std::size_t>(1 + step.pick(5));
    return answer(store.runs(std::move(query)));
}

inline std::string
play_checks(ports::Store& store, Step& step, TimePoint now, ChecksAtHand& at_hand) {
    switch (step.pick(9)) {
    case 0:
    case 1:
    case 2:
        return play_look(store, step, now, at_hand);
    case 3:
    case 4:
    case 5:
        return play_posting(store, step, now, at_hand);
    case 6:
        return play_rerun(store, step, now, at_hand);
    case 7:
        return play_gate(store, step, now);
    default:
        return play_runs(store, step);
    }
}

/// Everything about checks that can be seen from outside.
inline std::string picture_of_checks(ports::Store& store, TimePoint now) {
    auto text = answer(store.check_counts()) + answer(store.gate_suspensions());
    text += answer(store.looks(now + std::chrono::hours{1000}, 99));
    for (const auto number : {0, 7, 8}) {
        for (const auto* head : {"", "aaaa", "bbbb", "cccc"}) {
            auto subject = a_subject(head);
            subject.pr = number == 0 ? std::nullopt : std::optional(PrNumber{number});
            text += answer(store.postings_of(subject)) + answer(store.reruns_of(subject));
        }
    }
    return text;
}

} // namespace baton::test
