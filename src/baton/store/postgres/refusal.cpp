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
    std::string_view sentence;
};

constexpr std::string_view kPassword =
    "the store's database wants the right password of Baton's role: give the address with it as "
    "store: {env: NAME} or {file: PATH}, or use PostgreSQL's password file";
constexpr std::string_view kSessions =
    "the store's database takes no more sessions, and each relay needs seven: raise "
    "max_connections or the role's limit";

constexpr Known kKnown[] = {
    {"password authentication failed", kPassword},
    {"no password supplied", kPassword},
    {"no pg_hba.conf entry",
     "the database's server lets Baton's role in from other places only: add this one to its "
     "pg_hba.conf"},
    {"role \"", "Baton's role is not there: create it (docs/operations/size.md)"},
    {"database \"", "the store's database is not there: create it (docs/operations/size.md)"},
    {"is read-only",
     "the store's database can only be read, as a standby can and one that still recovers: name "
     "the "
     "one that writes, or wait"},
    {"too many connections", kSessions},
    {"too many clients", kSessions},
    {"remaining connection slots are reserved", kSessions},
};

/// Whether it says so of the name that begins there.
bool is_missing(std::string_view words, std::size_t name) {
    const auto end = words.find('"', name);
    return end != std::string_view::npos && words.substr(end).starts_with("\" does not exist");
}

/// The server's own words, without the way to it.
std::string_view reason_in(std::string_view words) {
    constexpr std::string_view kFatal = "FATAL: ";
    const auto at = words.rfind(kFatal);
    return at == std::string_view::npos ? words : words.substr(at + kFatal.size());
}

} // namespace

Error refusal_of(const std::string& words) {
    for (const auto& known : kKnown) {
        const auto at = words.find(known.words);
        const bool is_name = known.words.ends_with('"');
        if (at != std::string::npos && (!is_name || is_missing(words, at + known.words.size()))) {
            return {
                .code = Errc::unavailable,
                .detail = fmt::format("{} ({})", known.sentence, reason_in(words))
            };
        }
    }
    return {
        .code = Errc::unavailable,
        .detail = fmt::format("the store's database cannot be reached: {}", words)
    };
}

} // namespace baton::store::postgres
