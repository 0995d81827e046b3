#include "baton/store/postgres/presence.hpp"

#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/store/postgres/migrate.hpp"
#include "baton/store/postgres/patience.hpp"
#include "baton/store/postgres/session.hpp"

#include <fmt/format.h>
#include <libpq-fe.h>
#include <poll.h>

#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace baton::store::postgres {

namespace {

constexpr auto kLook = std::chrono::milliseconds(500);
constexpr auto kPatience = std::chrono::seconds(5);
constexpr auto kTimely = std::chrono::milliseconds(500); // an older answer says little

// The first number is "bato" in ASCII, as in shows_life(): a session lock by name.
constexpr const char* kShowUp = "SELECT pg_advisory_lock_shared(1650553967, hashtext($1))";
constexpr const char* kFarewell = "NOTIFY baton";
constexpr const char* kListen = "LISTEN baton; LISTEN baton_quota";
// Before the name is locked: who changes the schema looks at both.
constexpr const char* kSayWhatWeKnow = "SELECT set_config('application_name', $1, false)";
constexpr std::string_view kQuotas = "baton_quota";
constexpr const char* kTell = "SELECT pg_notify('baton_quota', $1)";
constexpr const char* kTime = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";
constexpr const char* kSeekLead = "SELECT pg_try_advisory_lock(1650553967, 0)";
// Asked at every look, so each session shows that somebody is behind it. A writer or an intake that
// stopped in the middle of a pipeline holds a turn (engine.cpp), and is waited for by the server
// without a bound of its own.
constexpr const char* kEndTheSilent =
    "SELECT pg_terminate_backend(a.pid) FROM pg_stat_activity AS a JOIN pg_locks AS l ON l.pid = "
    "a.pid WHERE a.pid <> pg_backend_pid() AND a.datname = current_database() AND l.locktype = "
    "'advisory' AND l.granted AND ((l.classid = 1650553967 AND l.objsubid = 2 AND a.state_change < "
    "clock_timestamp() - interval '4 seconds') OR (l.objsubid = 1 AND (l.classid::bigint << 32) + "
    "l.objid::bigint IN (422877488750, 422877488751) AND a.state = 'active' AND a.wait_event = "
    "'ClientRead' AND a.query_start < clock_timestamp() - interval '4 seconds'))";

bool is_fine(const Answer& answer) {
    const auto status = PQresultStatus(answer.get());
    return status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK;
}

Answer ask_now(const Session& session, const char* sql) {
    return ask(session.get(), sql, Patience::moment);
}

Answer ask_with(PGconn* session, const char* sql, const std::string& value) {
    const char* values[] = {value.c_str()};
    const int sent = PQsendQueryParams(session, sql, 1, nullptr, values, nullptr, nullptr, 0);
    return sent == 1 ? answer_of(session, Patience::moment) : nullptr;
}

bool is_open(const Session& session) {
    return session != nullptr && PQstatus(session.get()) == CONNECTION_OK;
}

} // namespace

Presence::Presence(std::string url, Listener listener, QuotaTalk& talk)
    : url_(std::move(url))
    , listener_(std::move(listener))
    , talk_(talk)
    , thread_([this] { live(); }) {}

Presence::~Presence() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

Result<void> Presence::enter(const std::string& name) {
    std::unique_lock lock(mutex_);
    const bool is_new = std::exchange(name_, name) != name;
    changed_.notify_all();
    const auto patience = is_new ? kPatience : std::chrono::seconds(0);
    changed_.wait_for(lock, patience, [this] { return stopping_ || held_ == name_; });
    if (held_ == name_) {
        return {};
    }
    return fail(
        Errc::unavailable,
        fmt::format(
            "this replica cannot show the others that it lives: {}",
            trouble_.empty() ? "the store's database says nothing" : trouble_
        )
    );
}

void Presence::live() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return stopping_ || !name_.empty(); });
    while (!stopping_) {
        lock.unlock();
        if (show_up()) {
            lead_or_follow();
            tell();
            listen();
        }
        there_ = is_open(session_);
        leads_ = leads_ && there_;
        if (!there_) {
            listener_.on_silence();
        }
        lock.lock();
        if (!is_open(session_)) {
            changed_.wait_for(lock, kLook, [this] { return stopping_; });
        }
    }
    if (is_open(session_)) {
        const auto unheard = ask_now(session_, kFarewell);
    }
}

bool Presence::show_up() {
    std::string name;
    {
        const std::lock_guard lock(mutex_);
        if (is_open(session_) && held_ == name_) {
            return true;
        }
        held_.clear();
        name = name_;
    }
    there_ = false;
    leads_ = false;
    session_ = open_session(url_, Patience::moment); // with it goes what was held before
    if (!is_open(session_)) {
        fail_to_show_up();
        return false;
    }
    const auto known = ask_with(session_.get(), kSayWhatWeKnow, name_in_sessions());
    const auto held = ask_with(session_.get(), kShowUp, name);
    const auto ears = ask_now(session_, kListen);
    if (!is_fine(known) || !is_fine(held) || !is_fine(ears) || !read_clock()) {
        fail_to_show_up();
        session_.reset();
        return false;
    }
    {
        const std::lock_guard lock(mutex_);
        held_ = name;
        trouble_.clear();
    }
    there_ = true;
    entered_ = true;
    changed_.notify_all();
    listener_.on_news(); // what was written while nobody listened
    return true;
}

void Presence::fail_to_show_up() {
    auto words = words_of(PQerrorMessage(session_.get()));
    const std::lock_guard lock(mutex_);
    trouble_ = std::move(words);
}

/// False when nobody answered.
bool Presence::read_clock() {
    const auto asked = std::chrono::steady_clock::now();
    const auto answer = ask_now(session_, kTime);
    if (!is_fine(answer)) {
        return false;
    }
    const auto took = std::chrono::duration_cast<Millis>(std::chrono::steady_clock::now() - asked);
    const auto told = whole_number(PQgetvalue(answer.get(), 0, 0));
    if (told && (took < kTimely || !has_time_)) {
        listener_.on_time(from_ms(*told) + took / 2);
        has_time_ = true;
    }
    return true;
}

void Presence::lead_or_follow() {
    const auto ended = ask_now(session_, kEndTheSilent);
    if (!is_fine(ended) || !read_clock() || leads_) {
        return;
    }
    const auto answer = ask_now(session_, kSeekLead);
    leads_ = is_fine(answer) && std::string_view(PQgetvalue(answer.get(), 0, 0)) == "t";
    if (leads_) {
        listener_.on_news(); // what only the lead does may be due
    }
}

/// What cannot be sent is out of date by the next time.
void Presence::tell() {
    for (const auto& note : talk_.take()) {
        if (!is_fine(ask_with(session_.get(), kTell, note))) {
            return;
        }
    }
}

void Presence::listen() {
    if (!is_open(session_)) {
        return; // lost while something was asked
    }
    pollfd waiting{.fd = PQsocket(session_.get()), .events = POLLIN, .revents = 0};
    const bool came = ::poll(&waiting, 1, static_cast<int>(kLook.count())) > 0;
    if (came && PQconsumeInput(session_.get()) == 0) {
        session_.reset();
        return;
    }
    hear();
}

/// Also what came while something else was asked.
void Presence::hear() {
    bool heard = false;
    while (auto* note = PQnotifies(session_.get())) {
        if (note->relname != kQuotas) {
            heard = true;
        } else if (note->be_pid != PQbackendPID(session_.get())) {
            talk_.receive(note->be_pid, note->extra);
        }
        PQfreemem(note);
    }
    if (heard) {
        listener_.on_news();
    }
}

} // namespace baton::store::postgres
