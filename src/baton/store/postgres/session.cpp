#include "baton/store/postgres/session.hpp"

#include "baton/store/postgres/patience.hpp"

#include <libpq-fe.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace baton::store::postgres {

namespace {

// A statement that takes longer is not one of ours; a replica that stands still in the middle of a
// transaction holds the lock of all writers, and loses it. What the server sends into the void, it
// notices soon.
constexpr const char* kSettings =
    "SET statement_timeout = '30s'; SET lock_timeout = '10s'; "
    "SET idle_in_transaction_session_timeout = '4s'; SET synchronous_commit = on; "
    "SET client_min_messages = error; SET standard_conforming_strings = on; SET jit = off; "
    "SET timezone = 'UTC'; SET bytea_output = 'hex'; SET client_connection_check_interval = '2s'; "
    "SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 2; "
    "SET tcp_user_timeout = '6s'; "
    // Statements are planned once a session, often while a table is small or was not counted yet;
    // each of ours has an index, and without it a backlog is read from end to end at every lease.
    "SET enable_seqscan = off";
// Nothing stands still in it, so the bound on that stays; so does the one on locks of tables, for
// whoever waits for one makes everybody else wait.
constexpr const char* kHours = "SET statement_timeout = '1h'; SET enable_seqscan = on";
constexpr std::chrono::seconds kAnswerWait{40}; // the statement's 30, and a generous way home
constexpr std::chrono::seconds kLongWait{3610}; // the same for an hour's
constexpr std::chrono::seconds kShortWait{4};   // who is silent for longer is taken for dead

constexpr int kLastReadsMax = 10'000; // of eight kilobytes or more; a kernel holds fewer

std::chrono::seconds wait_of(Patience patience) {
    if (patience == Patience::moment) {
        return kShortWait;
    }
    return patience == Patience::hours ? kLongWait : kAnswerWait;
}

using Deadline = std::chrono::steady_clock::time_point;

/// False when it took too long, or the session broke.
bool wait_for(PGconn* session, short events, Deadline deadline) {
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now()
        );
        pollfd waiting{.fd = PQsocket(session), .events = events, .revents = 0};
        const int came = left.count() > 0 ? ::poll(&waiting, 1, static_cast<int>(left.count())) : 0;
        if (came >= 0 || errno != EINTR) { // a signal is no word of the server's
            return came > 0 && PQconsumeInput(session) == 1;
        }
    }
}

/// What waits to be sent goes out; the server may have to be heard meanwhile.
bool send_out(PGconn* session, Deadline deadline) {
    int left = PQflush(session);
    while (left > 0 && wait_for(session, POLLIN | POLLOUT, deadline)) {
        left = PQflush(session);
    }
    return left == 0;
}

void say_nothing(void* /*context*/, const char* /*words*/) {}

} // namespace

Session open_session(const std::string& url, Patience patience) {
    // What the url says overrules the words before it.
    constexpr std::array<const char*, 9> kNames{
        "connect_timeout",
        "tcp_user_timeout",
        "keepalives_idle",
        "keepalives_interval",
        "client_encoding",
        "fallback_application_name",
        "target_session_attrs", // of several hosts the one that is no standby
        "dbname",
        nullptr
    };
    const std::array<const char*, 9> values{
        "4", "5000", "5", "2", "UTF8", "baton", "read-write", url.c_str(), nullptr
    };
    constexpr int kExpandUrl = 1;
    Session session(PQconnectdbParams(kNames.data(), values.data(), kExpandUrl));
    PQsetNoticeProcessor(session.get(), &say_nothing, nullptr);
    if (PQstatus(session.get()) == CONNECTION_OK) {
        PQsetnonblocking(session.get(), 1); // whoever waits has a bound: answer_of
        auto set = ask(session.get(), kSettings, patience);
        if (patience == Patience::hours && set != nullptr) {
            set = ask(session.get(), kHours);
        }
        if (PQresultStatus(set.get()) != PGRES_COMMAND_OK) {
            lose(session.get()); // without its bounds it is of no use
        }
    }
    return session;
}

void lose(PGconn* session) {
    ::shutdown(PQsocket(session), SHUT_RDWR);
    // What the kernel has received is read before the end is noticed.
    for (int i = 0; i < kLastReadsMax && PQstatus(session) == CONNECTION_OK; ++i) {
        PQconsumeInput(session);
    }
}

Answer answer_of(PGconn* session, Patience patience) {
    Answer last;
    const auto deadline = std::chrono::steady_clock::now() + wait_of(patience);
    if (!send_out(session, deadline)) {
        lose(session);
        return nullptr;
    }
    for (;;) {
        while (PQisBusy(session) != 0) {
            if (!wait_for(session, POLLIN, deadline)) {
                lose(session);
                return nullptr;
            }
        }
        Answer next(PQgetResult(session));
        if (next == nullptr) {
            return last;
        }
        last = std::move(next);
    }
}

Answer ask(PGconn* session, const char* sql, Patience patience) {
    return PQsendQuery(session, sql) == 1 ? answer_of(session, patience) : nullptr;
}

void end_pipeline(PGconn* session) {
    const auto end = answer_of(session);
    if (PQresultStatus(end.get()) != PGRES_PIPELINE_SYNC || PQexitPipelineMode(session) != 1) {
        lose(session); // it and we do not agree on what was asked
    }
}

std::int64_t number_in(std::string_view text) {
    if (text == "t") {
        return 1;
    }
    std::int64_t value = 0; // of "f", and of what is NULL
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

std::string words_of(const char* message) {
    std::string words;
    for (const char c : std::string_view(message == nullptr ? "" : message)) {
        const bool blank = c == '\n' || c == '\t' || c == ' ';
        if (c == '\n') {
            words.push_back(';');
        }
        if (!blank || (!words.empty() && words.back() != ' ')) {
            words.push_back(blank ? ' ' : c);
        }
    }
    words.erase(words.find_last_not_of("; ") + 1);
    return words;
}

} // namespace baton::store::postgres
