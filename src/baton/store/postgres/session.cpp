#include "baton/store/postgres/session.hpp"

#include <libpq-fe.h>

#include <array>
#include <string>
#include <string_view>

namespace baton::store::postgres {

namespace {

// A statement that takes longer is not one of ours; a replica that stands still in the middle of a
// transaction holds the lock of all writers, and loses it.
constexpr const char* kSettings = "-c statement_timeout=30s -c lock_timeout=10s "
                                  "-c idle_in_transaction_session_timeout=4s "
                                  "-c synchronous_commit=on -c client_min_messages=warning "
                                  "-c standard_conforming_strings=on -c jit=off -c timezone=UTC";

} // namespace

Session open_session(const std::string& url) {
    // Later words do not overrule those of the url: it comes last.
    constexpr std::array<const char*, 9> kNames{
        "connect_timeout",
        "tcp_user_timeout",
        "keepalives_idle",
        "keepalives_interval",
        "client_encoding",
        "fallback_application_name",
        "options",
        "dbname",
        nullptr
    };
    const std::array<const char*, 9> values{
        "4", "5000", "5", "2", "UTF8", "baton", kSettings, url.c_str(), nullptr
    };
    constexpr int kExpandUrl = 1;
    return Session(PQconnectdbParams(kNames.data(), values.data(), kExpandUrl));
}

std::string words_of(const char* message) {
    std::string words;
    for (const char c : std::string_view(message == nullptr ? "" : message)) {
        words.push_back(c == '\n' || c == '\t' ? ' ' : c);
    }
    words.erase(words.find_last_not_of(' ') + 1);
    return words;
}

} // namespace baton::store::postgres
