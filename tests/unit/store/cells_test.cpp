#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/report.hpp"
#include "baton/store/sql/body.hpp"
#include "baton/store/sql/job_rows.hpp"
#include "baton/store/sql/verbs.hpp"
#include "baton/store/sql/verify_checks.hpp"
#include "baton/store/sqlite/engine.hpp"
#include "baton/store/sqlite/migrate.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "contract/results_fixture.hpp"
#include "contract/store_fixture.hpp"
#include "support/temp_folder.hpp"

namespace baton::store::sqlite {

using namespace sql;
using namespace baton::test;

namespace {

using domain::CellOutcome;
using domain::Job;

constexpr Query kJobs{"all_jobs", "SELECT * FROM job WHERE counts = 1 ORDER BY id"};
constexpr Query kKept{
    "kept_cells",
    "SELECT g.downstream || ' ' || g.event_type || ' ' || g.head_sha || ' ' || c.workflow || ' ' "
    "|| c.job_name, c.outcome, c.success, c.executed, c.running, c.first_conclusion, c.newest_job, "
    "c.ended_at_ms FROM cell AS c JOIN grid_row AS g ON g.id = c.grid_row"
};
constexpr Query kKeptDays{
    "kept_days",
    "SELECT upstream || ' ' || downstream || ' ' || day_ms, success, flaky, failure, timed_out, "
    "no_signal, first_passed, first_conclusive, executed_passed, executed FROM cell_day "
    "WHERE executed > 0"
};
constexpr Query kKeptJobDays{
    "kept_job_days",
    "SELECT upstream || ' ' || downstream || ' ' || day_ms || ' ' || workflow || ' ' || job_name, "
    "success, flaky, failure, timed_out, no_signal, first_passed, first_conclusive, "
    "executed_passed, executed FROM job_day WHERE executed > 0"
};

using Told = std::map<std::string, std::string>;

std::size_t one_if(bool is_so) {
    return is_so ? 1U : 0U;
}

bool tells(const std::optional<domain::Conclusion>& end) {
    return end == domain::Conclusion::success || end == domain::Conclusion::failure ||
           end == domain::Conclusion::timed_out;
}

std::string text_of(const domain::Ended& ended) {
    const auto& cells = ended.cells;
    return fmt::format(
        "{} {} {} {} {} first {}/{} all {}/{}",
        cells.success,
        cells.flaky,
        cells.failure,
        cells.timed_out,
        cells.no_signal,
        ended.first_passed,
        ended.first_conclusive,
        ended.executed_passed,
        ended.executed
    );
}

/// Jobs of one cell, in the order in which attempts stand.
struct Cell {
    std::vector<Job> jobs;
    std::vector<domain::AttemptEnd> attempts;
    CellOutcome outcome{};
    std::optional<TimePoint> ended_at;

    explicit Cell(std::vector<Job> all)
        : jobs(std::move(all))
        , attempts(domain::attempts_of(jobs))
        , outcome(domain::merge(attempts)) {
        for (const auto& job : jobs) {
            if (job.completed_at) {
                ended_at = std::max(ended_at.value_or(*job.completed_at), *job.completed_at);
            }
        }
    }

    JobId newest() const {
        return std::ranges::max(
                   jobs,
                   {},
                   [](const Job& job) {
                       return std::tuple(
                           job.subject.dispatch.value_or(DispatchId{}), job.key.attempt, job.id
                       );
                   }
        ).id;
    }

    domain::Ended ended() const {
        domain::Ended sum;
        sum.cells = {
            .success = one_if(outcome == CellOutcome::success),
            .flaky = one_if(outcome == CellOutcome::flaky),
            .failure = one_if(outcome == CellOutcome::failure),
            .timed_out = one_if(outcome == CellOutcome::timed_out),
            .no_signal = one_if(!domain::is_conclusive(outcome)),
        };
        const auto& first = attempts.front().conclusion;
        sum.first_passed = one_if(first == domain::Conclusion::success);
        sum.first_conclusive = one_if(tells(first));
        for (const auto& attempt : attempts) {
            sum.executed += one_if(attempt.conclusion.has_value());
            sum.executed_passed += one_if(attempt.conclusion == domain::Conclusion::success);
        }
        return sum;
    }
};

/// A store that lives many short lives, none of which is kept.
class Cells {
public:
    Cells() {
        EXPECT_TRUE(migrate({.path = path_, .now = at(0)}));
        db_.script("BEGIN", "begin");
        for (const auto* id : {"d1", "d2", "d3"}) {
            const auto delivery = a_delivery(id);
            verbs::insert_delivery(db_, delivery, delivery.body.size(), compress(delivery.body));
            std::vector<domain::NewDispatch> dispatches{
                a_dispatch(id, "a/one"), a_dispatch(id, "b/two")
            };
            for (auto& dispatch : dispatches) {
                dispatch.head = HeadSha(id == std::string("d3") ? "bbbb" : "aaaa");
            }
            EXPECT_TRUE(verbs::commit_plan(db_, a_plan(id, std::move(dispatches), at(1))));
        }
        for (const auto* downstream : {"a/one", "b/two"}) {
            for (const auto& leased : verbs::lease(db_, a_lease(downstream, 9, at(2)))) {
                const auto sent = ended(leased.lease, domain::DispatchState::sent, at(3));
                EXPECT_TRUE(verbs::settle(db_, sent).has_value());
                sent_.push_back(leased.dispatch);
            }
        }
        db_.script("SAVEPOINT life", "life");
        EXPECT_TRUE(db_.ok()) << db_.failure().text;
    }

    void start_over() {
        db_.script("ROLLBACK TO life", "life");
        now_ = at(10);
    }

    /// Anything that changes jobs, at some later time.
    void live() {
        now_ += std::chrono::hours{*rc::gen::inRange(0, 15)};
        switch (*rc::gen::inRange(0, 12)) {
        case 0:
            verbs::sweep(db_, a_sweep(now_));
            return;
        case 1:
            for (const auto& job : verbs::unverified_jobs(db_, 1)) {
                const auto check =
                    *rc::gen::element(domain::CommitCheck::known, domain::CommitCheck::unknown);
                RC_ASSERT(verbs::settle_commit(db_, job.id, check, now_).has_value());
            }
            return;
        default:
            report();
        }
    }

    Connection& db() { return db_; }

    std::vector<Cell> told_by_jobs() {
        std::map<std::string, std::vector<Job>> by_cell;
        for (auto& job : job_rows(db_.rows(kJobs))) {
            by_cell[name_of(job)].push_back(std::move(job));
        }
        std::vector<Cell> cells;
        for (auto& [name, jobs] : by_cell) {
            cells.emplace_back(std::move(jobs));
        }
        return cells;
    }

    static std::string name_of(const Job& job) {
        const auto& subject = job.subject;
        return fmt::format(
            "{} {} {} {} {}",
            subject.downstream.text(),
            subject.event_type,
            subject.head.text(),
            job.key.workflow,
            job.key.job
        );
    }

    Told kept_days(const Query& query) {
        Told told;
        auto rows = db_.rows(query);
        while (rows.next()) {
            const auto number = [&rows](int column) {
                return static_cast<std::size_t>(rows.integer(column));
            };
            told[rows.text(0)] = text_of(
                {.cells =
                     {.success = number(1),
                      .flaky = number(2),
                      .failure = number(3),
                      .timed_out = number(4),
                      .no_signal = number(5)},
                 .first_passed = number(6),
                 .first_conclusive = number(7),
                 .executed_passed = number(8),
                 .executed = number(9)}
            );
        }
        return told;
    }

private:
    void report() {
        domain::Report said;
        said.key = {
            .workflow = *rc::gen::element<std::string>("ci", "docs"),
            .job = *rc::gen::element<std::string>("", "test"),
            .run_id = *rc::gen::element<std::string>("101", "102"),
            .attempt = *rc::gen::inRange(1, 4),
        };
        if (*rc::gen::inRange(0, 3) > 0) {
            said.status = domain::JobStatus::completed;
            said.conclusion = *rc::gen::elementOf(
                std::vector(domain::kConclusions.begin(), domain::kConclusions.end())
            );
        }
        auto commit = a_self_report(said, now_);
        commit.commit = domain::CommitCheck::unverified;
        if (*rc::gen::inRange(0, 5) > 0) {
            commit = a_commit(*rc::gen::elementOf(sent_), said, now_);
            commit.bound = *rc::gen::inRange(0, 3) > 0;
        }
        PackedReport packed;
        if (*rc::gen::arbitrary<bool>()) {
            const auto test = *rc::gen::element<std::string>("a", "a1", "a2", "b");
            packed.detail = compress("{}");
            packed.detail_bytes = 2;
            packed.failed_tests = packed_tests(upstream(), {{.name = test, .message = "boom"}});
        }
        RC_ASSERT(verbs::record_report(db_, commit, packed).has_value());
        if (*rc::gen::inRange(0, 5) == 0) {
            verbs::attribute_due(db_, now_);
        }
    }

    TempFolder folder_{TempFolder::fast_parent()};
    std::string path_{folder_.file("baton.db")};
    Connection db_{*sqlite::open(path_, Access::create)};
    std::vector<domain::Dispatch> sent_;
    TimePoint now_{at(10)};
};

Told cells_by_jobs(const std::vector<Cell>& cells) {
    Told told;
    for (const auto& cell : cells) {
        const auto sum = cell.ended();
        const auto first = cell.attempts.front().conclusion;
        told[Cells::name_of(cell.jobs.front())] = fmt::format(
            "{} passed {} of {} runs {} first {} newest {} ended {}",
            name_of(cell.outcome),
            sum.executed_passed,
            sum.executed,
            cell.jobs.size() - sum.executed,
            first ? domain::name_of(*first) : "",
            static_cast<std::int64_t>(cell.newest()),
            cell.ended_at ? to_ms(*cell.ended_at) : 0
        );
    }
    return told;
}

Told cells_kept(Connection& db) {
    Told told;
    auto rows = db.rows(kKept);
    while (rows.next()) {
        told[rows.text(0)] = fmt::format(
            "{} passed {} of {} runs {} first {} newest {} ended {}",
            rows.view(1),
            rows.integer(2),
            rows.integer(3),
            rows.integer(4),
            rows.view(5),
            rows.integer(6),
            rows.integer(7)
        );
    }
    return told;
}

Told days_by_jobs(const std::vector<Cell>& cells, bool by_job) {
    std::map<std::string, domain::Ended> days;
    for (const auto& cell : cells) {
        if (cell.outcome == CellOutcome::running) {
            continue;
        }
        const auto& job = cell.jobs.front();
        const auto day = std::chrono::floor<std::chrono::days>(*cell.ended_at);
        auto name = fmt::format(
            "{} {} {}",
            job.subject.upstream.text(),
            job.subject.downstream.text(),
            to_ms(TimePoint(day))
        );
        if (by_job) {
            name += fmt::format(" {} {}", job.key.workflow, job.key.job);
        }
        days[name] = days[name] + cell.ended();
    }
    Told told;
    for (const auto& [name, ended] : days) {
        told[name] = text_of(ended);
    }
    return told;
}

RC_GTEST_PROP(CellsInTheStore, AreWhatTheDomainMakesOfTheirJobsWhateverHappened, ()) {
    static Cells store;
    store.start_over();
    const auto steps = *rc::gen::inRange(1, 60);
    for (int i = 0; i < steps; ++i) {
        store.live();
    }
    RC_ASSERT(store.db().ok());
    const auto cells = store.told_by_jobs();
    RC_ASSERT(cells_kept(store.db()) == cells_by_jobs(cells));
    RC_ASSERT(store.kept_days(kKeptDays) == days_by_jobs(cells, false));
    RC_ASSERT(store.kept_days(kKeptJobDays) == days_by_jobs(cells, true));
    using Findings = std::vector<std::string>;
    RC_ASSERT(check_cells(store.db()).findings == Findings{});
    RC_ASSERT(check_days(store.db()).findings == Findings{});
    RC_ASSERT(check_downstreams(store.db()).findings == Findings{});
    RC_ASSERT(check_failed_tests(store.db()).findings == Findings{});
    RC_ASSERT(check_attributions(store.db()).findings == Findings{});
}

} // namespace

} // namespace baton::store::sqlite
