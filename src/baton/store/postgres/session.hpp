#pragma once

#include <libpq-fe.h>

#include <memory>
#include <string>

namespace baton::store::postgres {

struct EndSession {
    void operator()(PGconn* session) const { PQfinish(session); }
};

struct EndAnswer {
    void operator()(PGresult* answer) const { PQclear(answer); }
};

using Session = std::unique_ptr<PGconn, EndSession>;
using Answer = std::unique_ptr<PGresult, EndAnswer>;

/// Tries to connect, for some seconds at most. Look at PQstatus.
Session open_session(const std::string& url);

/// The server's or libpq's words on one line.
std::string words_of(const char* message);

} // namespace baton::store::postgres
