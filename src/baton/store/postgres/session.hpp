#pragma once

#include "baton/store/postgres/patience.hpp"

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
Session open_session(const std::string& url, Patience patience = Patience::seconds);

/// Ends it so that libpq knows: the next who looks makes a new one.
void lose(PGconn* session);

/// The last answer to what was sent, waited for until the server's own bounds are long over: then
/// the session is as good as lost, and there is none.
Answer answer_of(PGconn* session, Patience patience = Patience::seconds);

/// Sends simple statements and waits as above; null when they cannot even be sent.
Answer ask(PGconn* session, const char* sql, Patience patience = Patience::seconds);

/// The server's or libpq's words on one line.
std::string words_of(const char* message);

} // namespace baton::store::postgres
