#pragma once

#include "baton/store/postgres/patience.hpp"

#include <libpq-fe.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

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

/// After PQpipelineSync, when `answer_of` was called for each statement that was sent.
void end_pipeline(PGconn* session);

/// A number as the server writes it; 1 and 0 for true and false, 0 for NULL.
std::int64_t number_in(std::string_view text);

/// The server's or libpq's words on one line.
std::string words_of(const char* message);

} // namespace baton::store::postgres
