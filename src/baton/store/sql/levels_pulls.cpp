#include "baton/base/result.hpp"
#include "baton/ports/levels.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/levels.hpp"

#include <fmt/format.h>

#include <cstdint>

namespace baton::store::sql::levels {

namespace {

constexpr Query kMove{"ladder_move", "SELECT 1 FROM ladder_transition WHERE id = ?1"};
constexpr Query kPut{
    "put_ladder_pull",
    "INSERT INTO ladder_pull (move, repo, number, url, at_ms) VALUES (?1, ?2, ?3, ?4, ?5) "
    "ON CONFLICT (move) DO NOTHING"
};

} // namespace

Result<void> note_pull(Connection& db, const ports::ProposalPull& pull) {
    if (!db.rows(kMove, pull.move).next()) {
        return fail(
            Errc::not_found, fmt::format("there is no line {} in the ledger of levels", pull.move)
        );
    }
    const auto number = static_cast<std::int64_t>(pull.number);
    db.run(kPut, pull.move, pull.repo.text(), number, pull.url, pull.at);
    return {};
}

} // namespace baton::store::sql::levels
