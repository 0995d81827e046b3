#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/checks.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/sql/check_rows.hpp"
#include "baton/store/sql/columns.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/resting.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/verbs.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/system/error_code.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::store::sql::verbs {

namespace {

namespace json = boost::json;

constexpr Query kPullRequest{
    "pull_request",
    "SELECT upstream, number, head_sha, updated_at_ms, open, draft, labels, author, association, "
    "approved, newest_forwarded, version, label_rulings, title, closed_at_ms, merged_at_ms "
    "FROM pull_request WHERE upstream = ?1 AND number = ?2"
};
constexpr Query kInsertPullRequest{
    "insert_pull_request",
    "INSERT INTO pull_request (upstream, number, head_sha, updated_at_ms, open, draft, labels, "
    "author, association, approved, newest_forwarded, label_rulings, title, closed_at_ms, "
    "merged_at_ms, version) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, 1) "
    "ON CONFLICT (upstream, number) DO NOTHING"
};
constexpr Query kUpdatePullRequest{
    "update_pull_request",
    "UPDATE pull_request SET head_sha = ?3, updated_at_ms = ?4, open = ?5, draft = ?6, labels = "
    "?7, author = ?8, "
    "association = ?9, approved = ?10, newest_forwarded = ?11, label_rulings = ?12, "
    "title = ?13, closed_at_ms = ?14, merged_at_ms = ?15, version = version + 1 "
    "WHERE upstream = ?1 AND number = ?2 AND version = ?16"
};

constexpr Query kSequenceOf{"sequence_of", "SELECT sequence FROM delivery WHERE id = ?1"};
constexpr Query kStanding{
    "standing_of_delivery",
    "SELECT sequence, CASE WHEN state = 'to_plan' THEN 1 ELSE 0 END FROM delivery WHERE id = ?1"
};
constexpr Query kMarkPlanned{
    "mark_planned", "UPDATE delivery SET state = 'planned' WHERE sequence = ?1"
};
constexpr Query kPlanAgain{
    "plan_again", "UPDATE delivery SET plan_at_ms = ?2 WHERE sequence = ?1 AND state = 'to_plan'"
};

constexpr Query kDispatchExists{
    "dispatch_exists",
    "SELECT 1 FROM dispatch WHERE delivery = ?1 AND downstream = ?2 AND generation = ?3"
};
// Looked for first rather than left to ON CONFLICT: that would use up an id for each row that
// exists.
constexpr Query kInsertDispatch{
    "insert_dispatch",
    "INSERT INTO dispatch (delivery, downstream, generation, upstream, event_type, pr_number, "
    "head_sha, level, device, state, reason, created_at_ms, due_at_ms, awaits_start, ref) "
    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12, CASE WHEN CAST(?8 AS "
    "bigint) >= 2 AND (SELECT action FROM delivery WHERE sequence = ?1) <> 'closed' THEN 1 "
    "ELSE 0 END, ?13) RETURNING id"
};

constexpr Query kPendingOfPr{
    "pending_of_pr",
    "SELECT " BATON_DISPATCH_COLUMNS
    " FROM dispatch_row AS r WHERE state = 'pending' AND upstream = ?1 AND pr_number = ?2 ORDER "
    "BY id"
};
constexpr Query kPendingOfDownstream{
    "pending_of_downstream",
    "SELECT " BATON_DISPATCH_COLUMNS
    " FROM dispatch_row AS r WHERE state = 'pending' AND downstream = ?1 AND upstream = ?2 "
    "ORDER BY due_at_ms, id"
};

std::string labels_text(const std::vector<std::string>& labels) {
    return json::serialize(json::array(labels.begin(), labels.end()));
}

std::vector<std::string> labels_from(std::string_view text) {
    std::vector<std::string> labels;
    boost::system::error_code broken;
    const auto parsed = json::parse(text, broken);
    if (const auto* array = parsed.if_array(); !broken && array != nullptr) {
        for (const auto& label : *array) {
            if (const auto* name = label.if_string()) {
                labels.emplace_back(name->data(), name->size());
            }
        }
    }
    return labels;
}

constexpr std::array<std::pair<domain::Labeller, std::string_view>, 3> kSetters{{
    {domain::Labeller::may, "may"},
    {domain::Labeller::may_not, "may_not"},
    {domain::Labeller::unknown, "unknown"},
}};

std::string_view setter_word(domain::Labeller setter) {
    return std::ranges::find(
               kSetters, setter, &std::pair<domain::Labeller, std::string_view>::first
    )
        ->second;
}

/// A word that we never wrote counts as a no.
domain::Labeller setter_for(std::string_view word) {
    const auto* known =
        std::ranges::find(kSetters, word, &std::pair<domain::Labeller, std::string_view>::second);
    return known == kSetters.end() ? domain::Labeller::may_not : known->first;
}

/// [["ciflow/crcr/npu", 1800000000000, "may_not"], ...]
std::string rulings_text(const std::vector<domain::LabelRuling>& rulings) {
    json::array all;
    for (const auto& ruling : rulings) {
        all.push_back(json::array{ruling.label, to_ms(ruling.at), setter_word(ruling.setter)});
    }
    return json::serialize(all);
}

std::vector<domain::LabelRuling> rulings_from(std::string_view text) {
    std::vector<domain::LabelRuling> rulings;
    const auto parsed = json::parse(text); // the table holds JSON only
    for (const auto& ruling : parsed.as_array()) {
        const auto& parts = ruling.as_array();
        rulings.push_back({
            .label = std::string(parts.at(0).as_string()),
            .at = from_ms(parts.at(1).as_int64()),
            .setter = setter_for(parts.at(2).as_string()),
        });
    }
    return rulings;
}

/// False when somebody else wrote it since it was read.
bool write_pull_request(Connection& db, const domain::PullRequest& pr) {
    const auto labels = labels_text(pr.labels);
    const auto rulings = rulings_text(pr.label_rulings);
    const auto write = [&](const Query& query, const auto&... version) {
        return db.change(
                   query,
                   pr.upstream.text(),
                   pr.number,
                   pr.head.text(),
                   pr.updated_at,
                   pr.open,
                   pr.draft,
                   labels,
                   pr.author.text(),
                   word_for(pr.association),
                   pr.approved,
                   pr.newest_forwarded.text(),
                   rulings,
                   pr.title,
                   pr.closed_at,
                   pr.merged_at,
                   version...
               ) == 1;
    };
    return pr.version == 0 ? write(kInsertPullRequest) : write(kUpdatePullRequest, pr.version);
}

std::optional<std::int64_t> sequence_of(Connection& db, const DeliveryId& id) {
    auto rows = db.rows(kSequenceOf, id.text());
    return rows.next() ? std::optional(rows.integer(0)) : std::nullopt;
}

struct Standing {
    std::int64_t sequence{0};
    bool to_plan{false};
};

std::optional<Standing> standing_of(Connection& db, const DeliveryId& id) {
    auto rows = db.rows(kStanding, id.text());
    return rows.next() ? std::optional(Standing{rows.integer(0), rows.integer(1) != 0})
                       : std::nullopt;
}

tl::unexpected<Error> no_such_delivery(const DeliveryId& id) {
    return fail(Errc::not_found, fmt::format("there is no delivery {} in the store", id.text()));
}

/// True when it did not exist yet.
Result<bool> insert_dispatch(Connection& db, const domain::NewDispatch& dispatch, TimePoint now) {
    const auto delivery = sequence_of(db, dispatch.key.delivery);
    if (!delivery) {
        return no_such_delivery(dispatch.key.delivery);
    }
    {
        auto existing = db.rows(
            kDispatchExists, *delivery, dispatch.key.downstream.text(), dispatch.key.generation
        );
        if (existing.next()) {
            return false;
        }
    }
    const auto id = db.insert(
        kInsertDispatch,
        *delivery,
        dispatch.key.downstream.text(),
        dispatch.key.generation,
        dispatch.upstream.text(),
        dispatch.event_type,
        dispatch.pr,
        dispatch.head.text(),
        dispatch.level,
        dispatch.device,
        name_of(dispatch.state),
        dispatch.reason,
        now,
        dispatch.ref
    );
    if (dispatch.state != domain::DispatchState::pending) { // born at rest: the ledger tells why
        write_line(
            db,
            {.at = now,
             .kind = name_of(dispatch.state),
             .delivery = dispatch.key.delivery.text(),
             .dispatch = DispatchId{id},
             .detail = dispatch.reason}
        );
    }
    return true;
}

/// A plan never cancels what its own delivery sends: `closed` itself is forwarded.
bool is_own(const ports::PlanCommit& commit, const DeliveryId& delivery) {
    const auto sends = [&delivery](const domain::NewDispatch& dispatch) {
        return dispatch.key.delivery == delivery;
    };
    return delivery == commit.delivery || std::ranges::any_of(commit.plan.dispatches, sends);
}

void rest_others(Connection& db, const ports::PlanCommit& commit, ports::PlanReceipt& receipt) {
    const auto& plan = commit.plan;
    if (!plan.pull_request ||
        !(plan.supersede_older || plan.supersede_others || plan.cancel_pending)) {
        return;
    }
    const auto& pr = *plan.pull_request;
    for (const auto& row : dispatch_rows(db.rows(kPendingOfPr, pr.upstream.text(), pr.number))) {
        using enum domain::DispatchState;
        if (plan.supersede_older && row.dispatch.head != pr.head) {
            const Rest rest{
                .state = superseded, .reason = superseded_by(pr.head), .now = commit.now
            };
            receipt.superseded += bring_to_rest(db, row, rest) ? 1U : 0U;
        } else if (plan.supersede_others && !is_own(commit, row.dispatch.key.delivery)) {
            const Rest rest{
                .state = superseded, .reason = std::string(kPullRequestReopened), .now = commit.now
            };
            receipt.superseded += bring_to_rest(db, row, rest) ? 1U : 0U;
        } else if (plan.cancel_pending && !is_own(commit, row.dispatch.key.delivery)) {
            const Rest rest{
                .state = cancelled, .reason = std::string(kPullRequestClosed), .now = commit.now
            };
            receipt.cancelled += bring_to_rest(db, row, rest) ? 1U : 0U;
        }
    }
}

} // namespace

std::optional<domain::PullRequest>
pull_request(Connection& db, const ports::PullRequestQuery& query) {
    auto rows = db.rows(kPullRequest, query.upstream.text(), query.number);
    if (!rows.next()) {
        return std::nullopt;
    }
    domain::PullRequest pr;
    pr.upstream = repo_name(rows.view(0));
    pr.number = PrNumber{rows.integer(1)};
    pr.head = HeadSha(rows.text(2));
    pr.updated_at = rows.time(3);
    pr.open = rows.integer(4) != 0;
    pr.draft = rows.integer(5) != 0;
    pr.labels = labels_from(rows.view(6));
    pr.author = Login(rows.text(7));
    pr.association = association_for(rows.view(8));
    pr.approved = rows.integer(9) != 0;
    pr.newest_forwarded = DeliveryId(rows.text(10));
    pr.version = rows.integer(11);
    pr.label_rulings = rulings_from(rows.view(12));
    pr.title = rows.text(13);
    pr.closed_at = rows.maybe_time(14);
    pr.merged_at = rows.maybe_time(15);
    return pr;
}

Result<ports::PlanReceipt> commit_plan(Connection& db, const ports::PlanCommit& commit) {
    if (auto checked = check_looks(commit); !checked) {
        return fail(std::move(checked).error());
    }
    const auto standing = standing_of(db, commit.delivery);
    if (!standing) {
        return no_such_delivery(commit.delivery);
    }
    const auto& pr = commit.plan.pull_request;
    if (pr && !write_pull_request(db, *pr)) {
        return fail(
            Errc::conflict,
            fmt::format(
                "{} #{} moved on since version {} was read",
                pr->upstream.text(),
                std::int64_t(pr->number),
                pr->version
            )
        );
    }
    ports::PlanReceipt receipt;
    rest_others(db, commit, receipt);
    for (const auto& dispatch : commit.plan.dispatches) {
        BATON_TRY(const bool created, insert_dispatch(db, dispatch, commit.now));
        receipt.created += created ? 1U : 0U;
    }
    for (const auto& subject : commit.plan.looks) {
        raise_look(db, subject, commit.now);
    }
    for (const auto& rerun : commit.plan.reruns) {
        order_rerun(db, new_rerun(rerun, commit.delivery, commit.now));
    }
    if (commit.again_at) {
        db.run(kPlanAgain, standing->sequence, *commit.again_at);
    } else {
        db.run(kMarkPlanned, standing->sequence);
    }
    if (!leaves_line(commit, receipt, standing->to_plan)) {
        return receipt;
    }
    write_line(
        db,
        {.at = commit.now,
         .kind = kPlanned,
         .delivery = commit.delivery.text(),
         .dispatch = std::nullopt,
         .detail = planned_detail(commit, receipt)}
    );
    return receipt;
}

std::size_t cancel_pending(
    Connection& db,
    const RepoName& upstream,
    const RepoName& downstream,
    const std::string& reason,
    TimePoint now
) {
    std::size_t cancelled = 0;
    const Rest rest{.state = domain::DispatchState::cancelled, .reason = reason, .now = now};
    for (const auto& row :
         dispatch_rows(db.rows(kPendingOfDownstream, downstream.text(), upstream.text()))) {
        cancelled += bring_to_rest(db, row, rest) ? 1U : 0U;
    }
    return cancelled;
}

} // namespace baton::store::sql::verbs
