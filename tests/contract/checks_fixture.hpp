#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/check.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/gate_suspension.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/rerun.hpp"
#include "baton/domain/run.hpp"
#include "baton/ports/store.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "contract/results_fixture.hpp"

/// Checks, comments and re-runs to store, and what is asked about them.
namespace baton::test {

inline domain::Subject a_subject(const std::string& head = "aaaa") {
    return {.upstream = upstream(), .pr = PrNumber{7}, .head = HeadSha(head)};
}

inline domain::Subject in_merge_queue(const std::string& head) {
    return {.upstream = upstream(), .pr = std::nullopt, .head = HeadSha(head)};
}

inline ports::Posting a_check(const std::string& name, const std::string& title = "queued") {
    ports::Posting posting;
    posting.subject = a_subject();
    posting.check.name = name;
    posting.check.external_id = "101:7";
    posting.check.details_url = "https://ci.example/101";
    posting.check.title = title;
    posting.check.summary = "what is known of " + name;
    return posting;
}

inline ports::Posting an_ended_check(const std::string& name) {
    auto posting = a_check(name, "passed");
    posting.check.status = domain::CheckStatus::completed;
    posting.check.conclusion = domain::Conclusion::success;
    posting.check.started_at = at(5);
    posting.check.completed_at = at(6);
    return posting;
}

inline ports::Posting a_comment(const std::string& text) {
    ports::Posting posting;
    posting.subject = a_subject("");
    posting.kind = ports::PostingKind::comment;
    posting.check.name = "summary";
    posting.text = text;
    return posting;
}

inline domain::NewRerun a_rerun(const std::string& key) {
    domain::NewRerun order;
    order.key = key;
    order.subject = a_subject();
    order.downstream = repo("a/one");
    order.run_id = "101";
    order.actor = "alice";
    return order;
}

inline domain::GateSuspension a_gate_suspension(TimePoint since, const std::string& reason) {
    domain::GateSuspension suspension;
    suspension.upstream = upstream();
    suspension.downstream = repo("a/one");
    suspension.since = since;
    suspension.reason = reason;
    suspension.evidence = R"({"runs":["101","102"]})";
    return suspension;
}

class ChecksContract : public ResultsContract {
protected:
    /// A dispatch to a/one of this level that waits.
    void plant_at(const std::string& delivery, domain::Level level, TimePoint now = at(0)) {
        must(store().insert_delivery(a_delivery(delivery, now)));
        auto dispatch = a_dispatch(delivery, "a/one");
        dispatch.level = level;
        must(store().commit_plan(a_plan(delivery, {dispatch}, now)));
    }

    domain::Dispatch sent_at_level(const std::string& delivery, domain::Level level) {
        plant_at(delivery, level);
        return sent_one("a/one", at(10));
    }

    /// Planning wants a look.
    void plan_look(const std::string& delivery, const domain::Subject& subject, TimePoint now) {
        must(store().insert_delivery(a_delivery(delivery, now)));
        auto commit = a_plan(delivery, {}, now);
        commit.plan.looks = {subject};
        must(store().commit_plan(std::move(commit)));
    }

    std::vector<ports::Look> looks_at(TimePoint now) { return must(store().looks(now, 99)); }

    std::vector<std::string> heads_to_look_at(TimePoint now) {
        std::vector<std::string> heads;
        for (const auto& look : looks_at(now)) {
            heads.push_back(look.subject.head.text());
        }
        return heads;
    }

    /// The look at the usual subject is over, with these wishes.
    ports::PostingReceipt want(std::vector<ports::Posting> wanted, TimePoint now) {
        ports::PostingCommit commit;
        commit.look = {.subject = a_subject(), .version = 0, .first_at = now};
        for (const auto& look : looks_at(now)) {
            commit.look = look.subject == a_subject() ? look : commit.look;
        }
        commit.wanted = std::move(wanted);
        commit.now = now;
        return must(store().commit_postings(std::move(commit)));
    }

    /// Everything on the list of looks is looked at, and nothing comes of it.
    void look_away(TimePoint now) {
        for (const auto& look : looks_at(now)) {
            must(store().commit_postings({.look = look, .now = now}));
        }
    }

    std::vector<ports::TakenPosting> take(TimePoint now, std::size_t limit = 32) {
        return must(store().take_postings(
            {.holder = InstanceId("relay-1"),
             .now = now,
             .until = now + std::chrono::seconds{30},
             .limit = limit}
        ));
    }

    static std::vector<std::string> names(const std::vector<ports::TakenPosting>& taken) {
        std::vector<std::string> found;
        for (const auto& one : taken) {
            found.push_back(one.posting.check.name);
        }
        return found;
    }

    static ports::PostingEnd end_of(const ports::TakenPosting& taken, TimePoint now) {
        ports::PostingEnd end;
        end.id = taken.posting.id;
        end.fence = taken.fence;
        end.version = taken.version;
        end.calls = 1;
        end.detail = "no answer";
        end.now = now;
        return end;
    }

    void done(const ports::TakenPosting& taken, TimePoint now, std::int64_t github_id = 900) {
        auto end = end_of(taken, now);
        end.done = true;
        end.github_id = github_id;
        must(store().end_posting(std::move(end)));
    }

    void again(const ports::TakenPosting& taken, TimePoint now, TimePoint when) {
        auto end = end_of(taken, now);
        end.again_at = when;
        must(store().end_posting(std::move(end)));
    }

    ports::KeptPosting kept(const std::string& name) {
        for (auto& posting : must(store().postings_of(a_subject()))) {
            if (posting.check.name == name) {
                return posting;
            }
        }
        throw std::runtime_error("no posting " + name);
    }

    std::vector<ports::TakenRerun> take_reruns(TimePoint now) {
        return must(store().take_reruns(
            {.holder = InstanceId("relay-1"), .now = now, .until = now + std::chrono::seconds{30}}
        ));
    }

    ports::CheckCounts counts() { return must(store().check_counts()); }
};

using Texts = std::vector<std::string>;

} // namespace baton::test
