#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/ports/levels.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/levels.hpp"
#include "baton/store/sql/views.hpp"

namespace baton::store::sql::levels {

namespace {

constexpr Query kForgetReds{
    "forget_ladder_reds",
    "DELETE FROM ladder_red WHERE upstream = ?1 AND downstream = ?2 AND sent_at_ms >= ?3"
};
constexpr Query kPutRed{
    "put_ladder_red",
    "INSERT INTO ladder_red (upstream, downstream, sent_at_ms, dispatch, workflow, job, pr_number, "
    "head_sha, event_type, class, rule, excluded, provisional, evidence) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)"
};
constexpr Query kRedsByRule{
    "ladder_reds_by_rule",
    "SELECT rule, count(*), sum(excluded) FROM ladder_red WHERE upstream = ?1 AND downstream = ?2 "
    "AND sent_at_ms >= ?3 AND sent_at_ms < ?4 GROUP BY rule ORDER BY 2 DESC, rule"
};
constexpr Query kNewestReds{
    "newest_ladder_reds",
    "SELECT dispatch, sent_at_ms, pr_number, head_sha, event_type, workflow, job, class, rule, "
    "excluded, provisional, evidence FROM ladder_red WHERE upstream = ?1 AND downstream = ?2 AND "
    "sent_at_ms >= ?3 AND sent_at_ms < ?4 AND excluded = 1 "
    "ORDER BY sent_at_ms DESC, dispatch DESC, workflow, job LIMIT ?5"
};

ports::RedOutcome red_in(const Rows& row) {
    return {
        .dispatch = DispatchId{row.integer(0)},
        .sent_at = row.time(1),
        .pr = views::pr_in(row, 2),
        .head = HeadSha(row.text(3)),
        .event_type = row.text(4),
        .workflow = row.text(5),
        .job = row.text(6),
        .outcome = domain::outcome_class_named(row.view(7)).value_or(domain::OutcomeClass::test),
        .rule = domain::exclusion_rule_named(row.view(8)).value_or(domain::ExclusionRule::unknown),
        .excluded = row.integer(9) != 0,
        .provisional = row.integer(10) != 0,
        .evidence = row.text(11),
    };
}

} // namespace

void put_reds(
    Connection& db, const RepoName& upstream, const ports::CountedDays& counted, TimePoint from
) {
    db.run(kForgetReds, upstream.text(), counted.downstream.text(), from);
    for (const auto& red : counted.red) {
        db.run(
            kPutRed,
            upstream.text(),
            counted.downstream.text(),
            red.sent_at,
            red.dispatch,
            red.workflow,
            red.job,
            red.pr,
            red.head.text(),
            red.event_type,
            domain::name_of(red.outcome),
            domain::name_of(red.rule),
            red.excluded,
            red.provisional,
            red.evidence
        );
    }
}

ports::RedView reds(Connection& db, const ports::RedQuery& query) {
    ports::RedView view;
    view.window = query.window;
    const auto& upstream = query.upstream.text();
    const auto& downstream = query.downstream.text();
    auto rules = db.rows(kRedsByRule, upstream, downstream, query.window.from, query.window.until);
    while (rules.next()) {
        view.by_rule.push_back({
            .rule = domain::exclusion_rule_named(rules.view(0))
                        .value_or(domain::ExclusionRule::unknown),
            .red = views::count_in(rules, 1),
            .excluded = views::count_in(rules, 2),
        });
    }
    auto rows = db.rows(
        kNewestReds, upstream, downstream, query.window.from, query.window.until, query.newest
    );
    while (rows.next()) {
        view.newest.push_back(red_in(rows));
    }
    return view;
}

} // namespace baton::store::sql::levels
