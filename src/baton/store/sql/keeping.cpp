#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/resting.hpp"
#include "baton/store/sql/rows.hpp"
#include "baton/store/sql/verbs.hpp"

#include <optional>
#include <string>
#include <vector>

namespace baton::store::sql::verbs {

namespace {

constexpr Query kRecordAllowlist{
    "record_allowlist",
    "INSERT INTO allowlist_version (upstream, source, mark, text, in_force_at_ms) VALUES (?1, ?2, "
    "?3, ?4, ?5)"
};
constexpr Query kLastAllowlist{
    "last_allowlist",
    "SELECT upstream, source, mark, text, in_force_at_ms FROM allowlist_version WHERE upstream = "
    "?1 "
    "ORDER BY id DESC LIMIT 1"
};
constexpr Query kSigningKeys{
    "signing_keys", "SELECT id, secret, created_at_ms FROM signing_key ORDER BY id DESC"
};
constexpr Query kAddSigningKey{
    "add_signing_key",
    "INSERT INTO signing_key (secret, created_at_ms) VALUES (?1, ?2) RETURNING id"
};

} // namespace

void record_allowlist(Connection& db, const ports::AllowlistVersion& version) {
    if (const auto last = last_allowlist(db, version.upstream);
        last && last->text == version.text) {
        return; // another replica has read it too
    }
    db.run(
        kRecordAllowlist,
        version.upstream.text(),
        version.source,
        version.mark,
        version.text,
        version.in_force_at
    );
    const auto detail = allowlist_detail(version);
    write_line(
        db,
        {.at = version.in_force_at,
         .kind = kAllowlistInForce,
         .delivery = {},
         .dispatch = std::nullopt,
         .detail = detail}
    );
}

std::optional<ports::AllowlistVersion> last_allowlist(Connection& db, const RepoName& upstream) {
    auto rows = db.rows(kLastAllowlist, upstream.text());
    return rows.next() ? std::optional(allowlist_row(rows)) : std::nullopt;
}

std::vector<ports::SigningKey> signing_keys(Connection& db) {
    std::vector<ports::SigningKey> keys;
    auto rows = db.rows(kSigningKeys);
    while (rows.next()) {
        keys.push_back(
            {.id = rows.integer(0), .secret = std::string(rows.bytes(1)), .created_at = rows.time(2)
            }
        );
    }
    return keys;
}

ports::SigningKey add_signing_key(Connection& db, const std::string& secret, TimePoint now) {
    const auto id = db.insert(kAddSigningKey, Blob{secret}, now);
    return {.id = id, .secret = secret, .created_at = now};
}

} // namespace baton::store::sql::verbs
