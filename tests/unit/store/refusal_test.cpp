#include "baton/store/postgres/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace baton::store::postgres {
namespace {

using testing::StartsWith;

struct Case {
    std::string words;
    std::string_view begins;
    std::string_view ends;
};

TEST(Refusal, SaysWhatToDoAndWhatTheServerSaid) {
    const Case cases[] = {
        {"failed: FATAL: password authentication failed for user \"baton\"",
         "the store's database does not take this password (password authentication failed for "
         "user \"baton\"): ",
         "look at the role and at its line in PostgreSQL's password file "
         "(docs/operations/secrets.md)"},
        {"connection to server failed: fe_sendauth: no password supplied",
         "the store's database wants a password and was given none (fe_sendauth: no password "
         "supplied): ",
         ": PostgreSQL's password file has no line for this role, is missing, or others may read "
         "it "
         "(docs/operations/secrets.md)"},
        {"failed: FATAL: no pg_hba.conf entry for host \"10.0.0.7\", user \"baton\"",
         "the database's server lets Baton's role in from other places only (no pg_hba.conf entry "
         "for host \"10.0.0.7\", user \"baton\")",
         ": add this one to its pg_hba.conf"},
        {"failed: FATAL: role \"baton\" does not exist",
         "Baton's role is not there (role \"baton\" does not exist)",
         ": create it (docs/operations/size.md)"},
        {"failed: FATAL: database \"baton\" does not exist",
         "the store's database is not there (database \"baton\" does not exist)",
         ": create it (docs/operations/size.md)"},
        {"failed: session is read-only",
         "the store's database can only be read, as a standby can and one that still recovers "
         "(session is read-only)",
         ": name the one that writes, or wait"},
        {"failed: FATAL: sorry, too many clients already",
         "the store's database takes no more sessions (sorry, too many clients already)",
         ": each relay needs seven: raise max_connections or the role's limit"},
        {"failed: FATAL: database \"baton\" is not currently accepting connections",
         "the store's database cannot be reached: ",
         ": failed: FATAL: database \"baton\" is not currently accepting connections"},
        {"failed: Verbindungsaufbau abgelehnt",
         "the store's database cannot be reached: ",
         ": failed: Verbindungsaufbau abgelehnt"},
    };
    for (const auto& one : cases) {
        SCOPED_TRACE(one.words);
        const auto told = refusal_of(one.words);
        EXPECT_EQ(told.code, Errc::unavailable);
        EXPECT_THAT(told.detail, StartsWith(std::string(one.begins)));
        EXPECT_THAT(told.detail, testing::EndsWith(std::string(one.ends)));
    }
}

} // namespace
} // namespace baton::store::postgres
