#include "baton/store/sqlite/backup.hpp"

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/verify.hpp"
#include "baton/store/sqlite/engine.hpp"
#include "baton/store/sqlite/lock_file.hpp"
#include "baton/store/sqlite/partial_file.hpp"
#include "baton/store/sqlite/verify.hpp"
#include "baton/store/tools.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

namespace baton::store::sqlite {

namespace {

namespace fs = std::filesystem;

// Two megabytes at a time: long enough to be quick, short enough to tell how far it has come.
constexpr int kStepPages = 256;
constexpr int kBusyStepsMax = 12; // each waits as long as the connection's patience lasts

constexpr Query kLook{"look", "SELECT count(*) FROM sqlite_schema"};
constexpr Query kOneFile{"one_file", "PRAGMA journal_mode = DELETE"};

struct BackupEnd {
    void operator()(sqlite3_backup* backup) const { sqlite3_backup_finish(backup); }
};

Result<void> copy_pages(Connection& from, Connection& to, const Progress& progress) {
    const std::unique_ptr<sqlite3_backup, BackupEnd> backup(
        sqlite3_backup_init(handle_of(to), "main", handle_of(from), "main")
    );
    if (backup == nullptr) {
        return fail(to_error(failure_of(SQLITE_ERROR, sqlite3_errmsg(handle_of(to)))));
    }
    int code = SQLITE_OK;
    for (int busy = 0; code != SQLITE_DONE && busy < kBusyStepsMax;) {
        code = sqlite3_backup_step(backup.get(), kStepPages);
        if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
            ++busy;
            continue;
        }
        if (code != SQLITE_OK && code != SQLITE_DONE) {
            break;
        }
        const auto total = static_cast<std::size_t>(sqlite3_backup_pagecount(backup.get()));
        const auto left = static_cast<std::size_t>(sqlite3_backup_remaining(backup.get()));
        progress({.doing = "copying", .done = total - std::min(left, total), .total = total});
    }
    if (code != SQLITE_DONE) {
        return fail(to_error(failure_of(code, sqlite3_errstr(code))));
    }
    return {};
}

/// The store at `from` as it is at one moment, in one file at `to`.
///
/// The whole copy stands in one read transaction: without it each write of the relay would make
/// SQLite begin anew, and under load the copy would never end. Writers go on; their log grows until
/// this is over.
Result<void> copy(const std::string& from, const std::string& to, const Progress& progress) {
    BATON_TRY(auto source, sqlite::open(from, Access::read));
    source.begin(sql::Scope::read);
    {
        auto rows = source.rows(kLook);
        rows.next();
    }
    if (!source.ok()) {
        return fail(about(from, to_error(source.failure())));
    }
    BATON_TRY(auto target, sqlite::open(to, Access::create));
    auto copied = copy_pages(source, target, progress);
    source.roll_back();
    if (!copied) {
        return fail(copied.error().code, fmt::format("{}: {}", to, copied.error().detail));
    }
    {
        auto mode =
            target.rows(kOneFile); // a backup is one file, whatever the store keeps beside it
        mode.next();
    }
    if (!target.ok()) {
        return fail(about(to, to_error(target.failure())));
    }
    return {};
}

Result<void> ensure_there(const std::string& path) {
    std::error_code unreadable;
    if (!fs::is_regular_file(path, unreadable)) {
        return fail(Errc::not_found, fmt::format("there is no store {}", path));
    }
    return {};
}

bool is_taken(const std::string& path) {
    std::error_code unreadable;
    return fs::exists(path, unreadable);
}

Error not_good(const Verification& verified, std::string_view what) {
    auto why = verified.refusal ? verified.refusal->detail : std::string();
    for (const auto& check : verified.checks) {
        if (!check.findings.empty()) {
            why = fmt::format("{}: {}", check.what, check.findings.front());
            break;
        }
    }
    return {.code = Errc::invalid, .detail = fmt::format("{} does not verify: {}", what, why)};
}

/// Fills the partial file and verifies it.
Result<Verification>
make_copy(const std::string& from, const PartialFile& partial, const Progress& progress) {
    if (auto copied = copy(from, partial.path(), progress); !copied) {
        return fail(std::move(copied).error());
    }
    if (auto synced = partial.sync(); !synced) {
        return fail(std::move(synced).error());
    }
    return verify(partial.path(), progress);
}

std::size_t size_of(const std::string& path) {
    std::error_code unreadable;
    const auto size = fs::file_size(path, unreadable);
    return unreadable ? 0 : static_cast<std::size_t>(size);
}

constexpr std::array<std::string_view, 3> kParts{"", "-wal", "-shm"};

bool any_part_of(const std::string& path) {
    return std::ranges::any_of(kParts, [&path](std::string_view part) {
        return is_taken(path + std::string(part));
    });
}

/// 20261115T133000Z
std::string stamp(TimePoint now) {
    auto text = to_rfc3339(now).substr(0, std::string_view("2026-11-15T13:30:00").size());
    std::erase_if(text, [](char c) { return c == '-' || c == ':'; });
    return text + "Z";
}

/// The log of a store belongs to it: left behind, it would be taken for the new one's.
Result<std::string> set_aside(const std::string& path, TimePoint now) {
    const auto kept_as = fmt::format("{}.before-{}", path, stamp(now));
    if (any_part_of(kept_as)) {
        return fail(Errc::conflict, fmt::format("{} is there already; move it away", kept_as));
    }
    for (const auto part : kParts) {
        const auto old = path + std::string(part);
        std::error_code failed;
        if (is_taken(old)) {
            fs::rename(old, kept_as + std::string(part), failed);
        }
        if (failed) {
            return fail(
                Errc::unavailable, fmt::format("{} cannot be moved: {}", old, failed.message())
            );
        }
    }
    return kept_as;
}

} // namespace

Result<BackupReport> back_up(const BackupOrder& order, const Progress& progress) {
    if (auto there = ensure_there(order.from); !there) {
        return fail(std::move(there).error());
    }
    std::error_code ignored;
    if (fs::equivalent(order.from, order.to, ignored)) {
        return fail(Errc::conflict, "a backup cannot replace the store that it is made of");
    }
    if (is_taken(order.to) && !order.replace) {
        return fail(Errc::forbidden, fmt::format("{} is there already", order.to));
    }
    BATON_TRY(auto partial, PartialFile::make(order.to));
    BATON_TRY(auto verified, make_copy(order.from, partial, progress));
    if (!is_good(verified)) {
        return fail(not_good(verified, "the copy"));
    }
    const auto bytes = size_of(partial.path());
    if (auto named = std::move(partial).give_its_name(); !named) {
        return fail(std::move(named).error());
    }
    verified.path = order.to;
    return BackupReport{.bytes = bytes, .verified = std::move(verified)};
}

Result<RestoreReport> restore(const RestoreOrder& order, const Progress& progress) {
    if (auto there = ensure_there(order.from); !there) {
        return fail(std::move(there).error());
    }
    std::error_code ignored;
    if (fs::equivalent(order.from, order.to, ignored)) {
        return fail(Errc::conflict, "this file is the store itself");
    }
    BATON_TRY(const auto lock, LockFile::take(order.to + ".lock"));
    const bool replaces = any_part_of(order.to);
    if (replaces && !order.replace) {
        return fail(Errc::forbidden, fmt::format("{} is there already", order.to));
    }
    BATON_TRY(auto partial, PartialFile::make(order.to));
    BATON_TRY(auto verified, make_copy(order.from, partial, progress));
    if (!is_good(verified)) {
        return fail(not_good(verified, "the backup"));
    }
    RestoreReport report{
        .bytes = size_of(partial.path()), .pending = 0, .kept_as = {}, .verified = {}
    };
    for (const auto& check : verified.checks) {
        report.pending = check.what == sql::kPendingDispatches ? check.count : report.pending;
    }
    if (replaces) {
        BATON_TRY(report.kept_as, set_aside(order.to, order.now));
    }
    if (auto named = std::move(partial).give_its_name(); !named) {
        return fail(std::move(named).error());
    }
    verified.path = order.to;
    report.verified = std::move(verified);
    return report;
}

} // namespace baton::store::sqlite
