#include "baton/store/postgres/refusal.hpp"

#include "baton/base/result.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

namespace baton::store::postgres {

namespace {

struct Known {
    std::string_view words;
    std::string_view what;
    std::string_view advice;
};

constexpr std::string_view kNoMoreSessions = "the store's database takes no more sessions";
constexpr std::string_view kMoreSessions =
    "each relay needs seven: raise max_connections or the role's limit";

constexpr Known kKnown[] = {
    {"password authentication failed",
     "the store's database does not take this password",
     "look at the role and at its line in PostgreSQL's password file (docs/operations/secrets.md)"},
    {"no password supplied",
     "the store's database wants a password and was given none",
     "PostgreSQL's password file has no line for this role, is missing, or others may read it "
     "(docs/operations/secrets.md)"},
    {"no pg_hba.conf entry",
     "the database's server lets Baton's role in from other places only",
     "add this one to its pg_hba.conf"},
    {"role \"", "Baton's role is not there", "create it (docs/operations/size.md)"},
    {"database \"", "the store's database is not there", "create it (docs/operations/size.md)"},
    {"is read-only",
     "the store's database can only be read, as a standby can and one that still recovers",
     "name the one that writes, or wait"},
    {"too many connections", kNoMoreSessions, kMoreSessions},
    {"too many clients", kNoMoreSessions, kMoreSessions},
    {"remaining connection slots are reserved", kNoMoreSessions, kMoreSessions},
};

/// Whether it says so of the name that begins there.
bool is_missing(std::string_view words, std::size_t name) {
    const auto end = words.find('"', name);
    return end != std::string_view::npos && words.substr(end).starts_with("\" does not exist");
}

/// The server's own words, without the way to it.
std::string_view reason_in(std::string_view words) {
    for (const std::string_view before : {"FATAL: ", "failed: "}) {
        if (const auto at = words.rfind(before); at != std::string_view::npos) {
            return words.substr(at + before.size());
        }
    }
    return words;
}

} // namespace

Error refusal_of(const std::string& words) {
    for (const auto& known : kKnown) {
        const auto at = words.find(known.words);
        const bool is_name = known.words.ends_with('"');
        if (at != std::string::npos && (!is_name || is_missing(words, at + known.words.size()))) {
            return {
                .code = Errc::unavailable,
                .detail = fmt::format("{} ({}): {}", known.what, reason_in(words), known.advice)
            };
        }
    }
    return {
        .code = Errc::unavailable,
        .detail = fmt::format("the store's database cannot be reached: {}", words)
    };
}

} // namespace baton::store::postgres
