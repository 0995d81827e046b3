#include "fill.hpp"

#include "baton/base/time.hpp"
#include "baton/store/sql/body.hpp"
#include "baton/store/sqlite/engine.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace baton::bench {

namespace {

using store::sql::Blob;
using store::sqlite::Connection;
using store::sqlite::Query;

constexpr Query kDelivery{
    "fill_delivery",
    "INSERT INTO delivery (id, event, action, repository, pr_number, head_sha, received_at_ms, "
    "state, plan_at_ms, body_bytes) VALUES (?1, 'pull_request', 'synchronize', ?2, ?3, ?4, ?5, "
    "'planned', ?5, 2) RETURNING sequence"
};
constexpr Query kBody{"fill_body", "INSERT INTO delivery_body (sequence, zstd) VALUES (?1, ?2)"};
constexpr Query kPull{
    "fill_pull",
    "INSERT INTO pull_request (upstream, number, head_sha, updated_at_ms, open, draft, labels, "
    "author, association, approved, newest_forwarded, version) VALUES (?1, ?2, ?3, ?4, ?5, 0, "
    "'[]', ?6, 'member', 0, '', 1) ON CONFLICT DO UPDATE SET head_sha = ?3, updated_at_ms = ?4, "
    "open = ?5, version = version + 1"
};
constexpr Query kDispatch{
    "fill_dispatch",
    "INSERT INTO dispatch (delivery, downstream, generation, upstream, event_type, pr_number, "
    "head_sha, level, device, state, reason, created_at_ms, due_at_ms) VALUES (?1, ?2, 0, ?3, "
    "'pull_request', ?4, ?5, ?6, '', 'pending', 'listed', ?7, ?7) RETURNING id"
};
constexpr Query kSent{
    "fill_sent",
    "UPDATE dispatch SET state = 'finished', sent_at_ms = ?2, silent_at_ms = ?3 WHERE id = ?1"
};
constexpr Query kClaim{
    "fill_claim",
    "INSERT INTO claim (dispatch, workflow, run_id, started_at_ms) VALUES (?1, 'ci', ?2, ?3)"
};
constexpr Query kJob{
    "fill_job",
    "INSERT INTO job (dispatch, downstream, upstream, event_type, pr_number, head_sha, workflow, "
    "job_name, run_id, attempt, status, conclusion, said_by, bound, run_proven, counts, "
    "start_missed, replaced, commit_check, level, device, url, check_run_id, artifact_url, "
    "dispatched_at_ms, started_at_ms, completed_at_ms, queue_ms) VALUES (?1, ?2, ?3, "
    "'pull_request', ?4, ?5, 'ci', ?6, ?7, ?8, 'completed', ?9, 'downstream', 1, 1, 1, 0, 0, "
    "'known', ?10, '', '', '', '', ?11, ?12, ?13, ?14) RETURNING id"
};
constexpr Query kLatest{
    "fill_latest",
    "INSERT INTO job_latest (upstream, pr_number, downstream, workflow, job_name, job) "
    "VALUES (?1, ?2, ?3, 'ci', ?4, ?5) ON CONFLICT DO UPDATE SET job = excluded.job"
};

constexpr std::size_t kJobsPerTransaction = 10'000;
constexpr std::int64_t kHeadsPerPull = 4;

/// One push to a pull request.
struct Push {
    std::int64_t delivery{0};
    std::int64_t pr{0};
    std::string head;
    TimePoint at{};
};

/// What one dispatch is made of.
struct Sent {
    std::int64_t id{0};
    std::string downstream;
    std::int64_t level{0};
    std::string run_id;
    TimePoint at{};
};

class Filler {
public:
    Filler(Connection& db, const Season& season)
        : db_(db)
        , season_(season)
        , chance_(season.seed) {}

    void run() {
        db_.script("BEGIN", "begin");
        for (std::size_t number = 0; done_ < season_.jobs && db_.ok(); ++number) {
            const auto push = push_of(number);
            for (std::size_t i = 0; i < season_.downstreams && done_ < season_.jobs; ++i) {
                send(push, i);
            }
            if (done_ >= next_commit_) {
                db_.script("COMMIT; BEGIN", "commit");
                next_commit_ = done_ + kJobsPerTransaction;
                fmt::print(stderr, "\rfilling: {} of {} jobs", done_, season_.jobs);
            }
        }
        db_.script("COMMIT", "commit");
        fmt::print(stderr, "\n");
    }

private:
    std::int64_t draw(std::int64_t below) {
        return static_cast<std::int64_t>(chance_() % static_cast<std::uint64_t>(below));
    }

    TimePoint time_of(std::size_t number) const {
        const auto pushes = season_.jobs / (season_.downstreams * season_.jobs_each) + 1;
        const auto span = Millis(std::chrono::days(season_.days));
        const auto left = static_cast<std::int64_t>(pushes - number);
        return season_.until - std::chrono::hours{1} -
               Millis(span.count() / static_cast<std::int64_t>(pushes) * left);
    }

    Push push_of(std::size_t number) {
        const auto sequence = static_cast<std::int64_t>(number);
        Push push{.pr = 1 + (sequence / kHeadsPerPull), .at = time_of(number)};
        push.head = fmt::format("{:08x}{:032x}", season_.seed & 0xffffffffU, number + 1);
        const auto id = fmt::format("fill-{}-{}", season_.seed, number);
        push.delivery =
            db_.insert(kDelivery, id, std::string_view(kUpstream), push.pr, push.head, push.at);
        db_.run(kBody, push.delivery, Blob{body_});
        const bool open = push.at > season_.until - std::chrono::days{14};
        const auto author = fmt::format("author-{}", push.pr % 200);
        db_.run(kPull, std::string_view(kUpstream), push.pr, push.head, push.at, open, author);
        return push;
    }

    void send(const Push& push, std::size_t downstream) {
        Sent sent{.downstream = downstream_named(downstream)};
        sent.level = 1 + static_cast<std::int64_t>(downstream % 4);
        sent.at = push.at + Millis{200 + draw(3'000)};
        sent.run_id = std::to_string(1'000'000 + push.delivery * 1'000 + sent.level);
        sent.id = db_.insert(
            kDispatch,
            push.delivery,
            sent.downstream,
            std::string_view(kUpstream),
            push.pr,
            push.head,
            sent.level,
            push.at
        );
        const bool silent = draw(100) < 2;
        const auto silent_at =
            silent ? std::optional<TimePoint>(sent.at + std::chrono::hours{2}) : std::nullopt;
        db_.run(kSent, sent.id, sent.at, silent_at);
        if (silent) {
            return;
        }
        const auto start = sent.at + Millis{5'000 + draw(600'000)};
        db_.run(kClaim, sent.id, sent.run_id, start);
        for (std::size_t i = 0; i < season_.jobs_each; ++i) {
            run_job(push, sent, i, start);
        }
    }

    /// Some fail; of those, half are run again and then pass as a rule.
    void run_job(const Push& push, const Sent& sent, std::size_t number, TimePoint start) {
        const auto name = fmt::format("test ({}, default)", number + 1);
        const auto fate = draw(1'000);
        const auto* end = fate < 40    ? "failure"
                          : fate < 50  ? "timed_out"
                          : fate < 80  ? "cancelled"
                          : fate < 100 ? "skipped"
                                       : "success";
        const auto queue = number == 0 ? std::optional((start - sent.at).count()) : std::nullopt;
        auto ended = put_job(push, sent, name, {.attempt = 1, .end = end, .queue = queue}, start);
        if (fate < 50 && fate % 2 == 0) {
            const auto* then = fate % 10 == 0 ? "failure" : "success";
            const auto again = ended + Millis{60'000};
            ended = put_job(push, sent, name, {.attempt = 2, .end = then, .queue = {}}, again);
        }
    }

    struct Attempt {
        int attempt{1};
        const char* end{""};
        std::optional<std::int64_t> queue;
    };

    TimePoint put_job(
        const Push& push,
        const Sent& sent,
        const std::string& name,
        const Attempt& attempt,
        TimePoint start
    ) {
        const auto ended = start + Millis{30'000 + draw(3'000'000)};
        const std::string_view upstream = kUpstream;
        const auto job = db_.insert(
            kJob,
            sent.id,
            sent.downstream,
            upstream,
            push.pr,
            push.head,
            name,
            sent.run_id,
            attempt.attempt,
            std::string_view(attempt.end),
            sent.level,
            sent.at,
            start,
            ended,
            attempt.queue
        );
        db_.run(kLatest, upstream, push.pr, sent.downstream, name, job);
        ++done_;
        return ended;
    }

    Connection& db_;
    Season season_;
    std::mt19937_64 chance_;
    std::string body_{store::sql::compress("{}")};
    std::size_t done_{0};
    std::size_t next_commit_{kJobsPerTransaction};
};

} // namespace

std::string downstream_named(std::size_t number) {
    return fmt::format("backend-{:02}/project", number + 1);
}

void fill(Connection& db, const Season& season) {
    Filler(db, season).run();
}

} // namespace baton::bench
