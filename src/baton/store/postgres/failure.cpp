#include "baton/store/postgres/failure.hpp"

#include "baton/base/result.hpp"
#include "baton/store/sql/connection.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace baton::store::postgres {

using sql::Failure;
using sql::Harm;

namespace {

constexpr std::string_view kAway =
    "the store's database cannot be reached; nothing was changed, and "
    "it goes on once the database is back";

Failure saying(Errc code, Harm harm, std::string_view sentence, std::string text) {
    return {.code = code, .harm = harm, .sentence = std::string(sentence), .text = std::move(text)};
}

} // namespace

Failure failure_of(std::string_view state, std::string text) {
    constexpr auto kAll = Harm::transaction;
    const auto kind = state.substr(0, 2);
    if (kind == "23" || kind == "22") {
        return saying(
            Errc::conflict,
            Harm::operation,
            "this contradicts what the store holds",
            std::move(text)
        );
    }
    if (state == "53100") {
        return saying(
            Errc::unavailable,
            kAll,
            "the database's disk is full; nothing was written, and it goes on once there is room",
            std::move(text)
        );
    }
    if (state == "42501") {
        return saying(Errc::invalid, kAll, kNoRights, std::move(text));
    }
    if (state == "0A000" && text.find("\"citext\"") != std::string::npos) {
        return saying(
            Errc::invalid,
            kAll,
            "the database's server has no citext: install its extensions (postgresql-contrib)",
            std::move(text)
        );
    }
    if (state == "57014" || state == "55P03") {
        return saying(
            Errc::unavailable, kAll, "the database took too long; try again", std::move(text)
        );
    }
    if (kind == "40") {
        auto failure = saying(
            Errc::unavailable,
            kAll,
            "the database could not order this among others; try again",
            std::move(text)
        );
        failure.again = true;
        return failure;
    }
    if (state.empty() || kind == "08" || kind == "57" || state == "25P03") {
        return saying(Errc::unavailable, kAll, kAway, std::move(text));
    }
    return saying(Errc::unavailable, kAll, "the store cannot be used now", std::move(text));
}

} // namespace baton::store::postgres
