#include "baton/store/postgres/engine.hpp"

#include "baton/base/result.hpp"
#include "baton/store/postgres/address.hpp"
#include "baton/store/postgres/dialect.hpp"
#include "baton/store/postgres/failure.hpp"
#include "baton/store/postgres/patience.hpp"
#include "baton/store/postgres/postgres_engine.hpp"
#include "baton/store/postgres/refusal.hpp"
#include "baton/store/postgres/session.hpp"
#include "baton/store/postgres/statement.hpp"
#include "baton/store/sql/connection.hpp"

#include <fmt/format.h>
#include <libpq-fe.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace baton::store::postgres {

using sql::Scope;
using sql::Statement;

namespace {

constexpr int kOldestServer = 150'000;

// The one writer at a time, in all replicas ("baton" in ASCII). One intake at a time, too: they
// meet at the row that counts deliveries, and two that hold each other's ids would wait in vain. A
// replica's intake and its writer take turns.
constexpr const char* kBeginWrite =
    "BEGIN ISOLATION LEVEL READ COMMITTED; "
    "SELECT pg_advisory_xact_lock(422877488750), pg_current_xact_id()";
// Whoever changes the schema may take long, and the next who wants to waits for that.
constexpr const char* kBeginLong =
    "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '1h'; "
    "SELECT pg_advisory_xact_lock(422877488750); SET LOCAL lock_timeout = '10s'; "
    "SELECT NULL, pg_current_xact_id()";
constexpr const char* kBeginIntake =
    "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(422877488751); "
    "SELECT pg_advisory_xact_lock_shared(422877488750), pg_current_xact_id()";
constexpr const char* kBeginRead = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
constexpr const char* kCommit = "COMMIT";
constexpr const char* kTellAndCommit = "NOTIFY baton; COMMIT";
// Changes when the server starts, and when it recovers from a crash of one of its processes.
constexpr const char* kLife =
    "SELECT concat(pg_postmaster_start_time(), ' ', stats_reset) FROM pg_stat_wal";
constexpr const char* kBytes = "SELECT pg_database_size(current_database())";

// What is sent and not answered stands in memory, here or there.
constexpr std::size_t kSentMax = 256;             // statements
constexpr std::int64_t kSentBytesMax = 4LL << 20; // of their values

constexpr auto kLostCommitWait = std::chrono::seconds(6);
constexpr auto kLostCommitPause = std::chrono::milliseconds(100);

constexpr std::string_view kInDoubt =
    "the store's database went away during a commit, and whether it took place is not known";

std::string_view state_of(const PGresult* answer) {
    const auto* state = PQresultErrorField(answer, PG_DIAG_SQLSTATE);
    return state == nullptr ? std::string_view{} : std::string_view(state);
}

const char* begin_of(Scope scope, Patience patience) {
    if (scope == Scope::read) {
        return kBeginRead;
    }
    if (scope == Scope::intake) {
        return kBeginIntake;
    }
    return patience == Patience::hours ? kBeginLong : kBeginWrite;
}

/// A standby, and a schema that moved on under our statements: the next session finds its way.
bool is_to_be_left(std::string_view state) {
    return state == "25006" || state == "0A000" || state == "26000";
}

} // namespace

bool PostgresEngine::is_lost() const {
    return PQstatus(session_.get()) != CONNECTION_OK;
}

void PostgresEngine::ensure_session() {
    if (!is_lost()) {
        return;
    }
    prepared_.clear();
    life_.clear();
    session_ = open_session(url_, patience_);
    if (is_lost()) {
        note(failure_of({}, words_of(PQerrorMessage(session_.get()))));
    }
}

bool PostgresEngine::judge(const PGresult* answer, const char* name) {
    const auto status = PQresultStatus(answer);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) {
        return true;
    }
    const auto* words = is_lost() || answer == nullptr ? PQerrorMessage(session_.get())
                                                       : PQresultErrorMessage(answer);
    const auto state = is_lost() || answer == nullptr ? std::string_view{} : state_of(answer);
    note(failure_of(state, fmt::format("{}: {}", name, words_of(words))));
    if (is_to_be_left(state)) {
        lose(session_.get());
    }
    return false;
}

Answer PostgresEngine::simply(const char* sql, const char* name) {
    auto answer = ask(session_.get(), sql, patience_);
    return judge(answer.get(), name) ? std::move(answer) : nullptr;
}

Statement* PostgresEngine::statement_for(const Query& query) {
    if (failure()) {
        return nullptr;
    }
    auto& statement = statements_[&query];
    if (statement == nullptr) {
        auto name = fmt::format("{}_{}", query.name, statements_.size());
        statement = std::make_unique<PostgresStatement>(*this, std::move(name), query);
    }
    return statement.get();
}

bool PostgresEngine::prepare(const PostgresStatement& statement, const Bound& bound) {
    if (prepared_.contains(statement.name())) {
        return true;
    }
    settle();
    if (failure()) {
        return false;
    }
    const auto& query = statement.query();
    const auto text =
        query.postgres == nullptr ? to_postgres(query.sql) : std::string(query.postgres);
    const auto places = static_cast<int>(bound.types.size());
    const int sent = PQsendPrepare(
        session_.get(), statement.name().c_str(), text.c_str(), places, bound.types.data()
    );
    const auto prepared = sent == 1 ? answer_of(session_.get(), patience_) : nullptr;
    if (!judge(prepared.get(), query.name)) {
        return false;
    }
    prepared_.insert(statement.name());
    return true;
}

bool PostgresEngine::put(const PostgresStatement& statement, const Bound& bound, sql::Later id) {
    const int sent = PQsendQueryPrepared(
        session_.get(),
        statement.name().c_str(),
        static_cast<int>(bound.values.size()),
        bound.values.data(),
        bound.lengths.data(),
        bound.formats.data(),
        0
    );
    if (sent != 1) {
        judge(nullptr, statement.query().name);
        return false;
    }
    sent_.push_back({.name = statement.query().name, .id = std::move(id)});
    sent_bytes_ = std::accumulate(bound.lengths.begin(), bound.lengths.end(), sent_bytes_);
    return true;
}

Answer PostgresEngine::execute(const PostgresStatement& statement, const Bound& bound) {
    const bool sent = prepare(statement, bound) && put(statement, bound, nullptr);
    return sent ? last_answer() : nullptr;
}

void PostgresEngine::send(const PostgresStatement& statement, const Bound& bound, sql::Later id) {
    if (failure() || !prepare(statement, bound)) {
        return;
    }
    const bool waits = transaction_.empty(); // each statement is its own, and its end is wanted now
    if (!waits) {
        PQenterPipelineMode(session_.get());
    }
    put(statement, bound, std::move(id));
    if (waits || sent_.size() >= kSentMax || sent_bytes_ >= kSentBytesMax) {
        settle();
    }
}

Answer PostgresEngine::last_answer() {
    const auto sent = std::exchange(sent_, {});
    sent_bytes_ = 0;
    const bool piped = PQpipelineStatus(session_.get()) == PQ_PIPELINE_ON;
    if (piped && PQpipelineSync(session_.get()) != 1) {
        lose(session_.get()); // no answer would come
    }
    Answer last;
    for (const auto& [name, id] : sent) {
        last = is_lost() ? nullptr : answer_of(session_.get(), patience_);
        if (failure()) {
            continue; // passed over by the server
        }
        if (judge(last.get(), name) && id != nullptr) {
            *id = PQntuples(last.get()) > 0 ? number_in(PQgetvalue(last.get(), 0, 0)) : 0;
        }
    }
    if (piped && !is_lost()) {
        end_pipeline(session_.get());
    }
    if (is_lost() && !failure()) {
        judge(nullptr, "pipeline");
    }
    return failure() ? nullptr : std::move(last);
}

void PostgresEngine::settle() {
    const bool piped = !is_lost() && PQpipelineStatus(session_.get()) == PQ_PIPELINE_ON;
    if (piped || !sent_.empty()) { // of a session that is lost nothing else is to be heard
        last_answer();
    }
}

void PostgresEngine::script(const char* sql, const char* name) {
    simply(sql, name);
}

void PostgresEngine::begin(Scope scope) {
    ensure_session();
    if (failure()) {
        return;
    }
    const bool reads = scope == Scope::read;
    const auto* sql = begin_of(scope, patience_);
    auto answer = simply(sql, "begin");
    if (is_lost()) { // while it was idle: nothing has happened yet
        note(std::nullopt);
        ensure_session();
        answer = failure() ? nullptr : simply(sql, "begin");
    }
    transaction_ = reads || answer == nullptr ? "" : PQgetvalue(answer.get(), 0, 1);
    if (!transaction_.empty() && life_.empty()) {
        life_ = life();
    }
}

void PostgresEngine::commit() {
    const auto answer = simply(tells_ ? kTellAndCommit : kCommit, "commit");
    if (answer != nullptr && std::string_view(PQcmdStatus(answer.get())) == "ROLLBACK") {
        note(failure_of("25P02", "commit: the transaction had failed before"));
    }
    if (is_lost() && !transaction_.empty()) {
        settle_lost_commit();
    }
    transaction_.clear();
}

std::string PostgresEngine::life() {
    const auto answer = simply(kLife, "life");
    return answer == nullptr ? "" : PQgetvalue(answer.get(), 0, 0);
}

/// The answer to a COMMIT was lost: the server remembers what became of the transaction. One that
/// is still in progress there belongs to a process that has not noticed yet. Numbers that a crash
/// took before they were on disk are given out again, so a server's next life proves nothing.
void PostgresEngine::settle_lost_commit() {
    const auto ask = fmt::format("SELECT pg_xact_status('{}'::xid8)", transaction_);
    const auto begun_in = life_;
    auto unsaid = *failure();
    const auto until = std::chrono::steady_clock::now() + kLostCommitWait;
    while (std::chrono::steady_clock::now() < until) {
        note(std::nullopt);
        ensure_session();
        const auto answer = failure() ? nullptr : simply(ask.c_str(), "lost_commit");
        const std::string_view status = answer == nullptr ? "" : PQgetvalue(answer.get(), 0, 0);
        if (status == "aborted") {
            note(std::move(unsaid));
            return;
        }
        if (status == "committed") {
            life_ = life();
            if (life_ == begun_in) {
                return;
            }
            break;
        }
        std::this_thread::sleep_for(kLostCommitPause);
    }
    unsaid.sentence = kInDoubt;
    note(std::move(unsaid));
}

void PostgresEngine::roll_back() {
    settle();
    transaction_.clear();
    if (!is_lost() && PQtransactionStatus(session_.get()) != PQTRANS_IDLE) {
        const auto ignored = ask(session_.get(), "ROLLBACK");
    }
}

std::int64_t PostgresEngine::bytes_on_disk() {
    const auto answer = simply(kBytes, "bytes_on_disk");
    return answer == nullptr ? 0 : number_in(PQgetvalue(answer.get(), 0, 0));
}

Result<Connection> connect(const std::string& url, Telling telling, Patience patience) {
    if (!is_readable(url)) { // libpq's own words would repeat it, password and all
        return fail(
            Errc::invalid,
            "the store's address cannot be read: write postgresql://USER@HOST/DATABASE"
        );
    }
    auto session = open_session(url, patience);
    if (PQstatus(session.get()) != CONNECTION_OK) {
        return fail(refusal_of(words_of(PQerrorMessage(session.get()))));
    }
    if (std::string_view(PQparameterStatus(session.get(), "server_encoding")) != "UTF8") {
        return fail(
            Errc::invalid,
            fmt::format(
                "the store's database is encoded in {}: Baton needs one in UTF8 "
                "(docs/operations/size.md)",
                PQparameterStatus(session.get(), "server_encoding")
            )
        );
    }
    const int version = PQserverVersion(session.get());
    if (version < kOldestServer) {
        return fail(
            Errc::invalid,
            fmt::format(
                "the store's database is PostgreSQL {}: Baton needs {} or newer",
                PQparameterStatus(session.get(), "server_version"),
                kOldestServer / 10'000
            )
        );
    }
    return Connection(std::make_unique<PostgresEngine>(
        url, std::move(session), telling == Telling::relays, patience
    ));
}

} // namespace baton::store::postgres
