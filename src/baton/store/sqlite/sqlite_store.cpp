#include "baton/store/sqlite/sqlite_store.hpp"

#include "baton/base/result.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/migrations.hpp"
#include "baton/store/sql/readers.hpp"
#include "baton/store/sql/sql_store.hpp"
#include "baton/store/sql/writer.hpp"
#include "baton/store/sqlite/engine.hpp"
#include "baton/store/sqlite/lock_file.hpp"
#include "baton/store/sqlite/log_keeper.hpp"
#include "baton/store/sqlite/migrate.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace baton::store {

using namespace sqlite;

namespace {

constexpr std::size_t kReaders = 2;
constexpr std::size_t kViewers = 2;

/// The file holds signing keys, so it is made for its owner's eyes; SQLite gives its log the same
/// rights.
void make_private(const std::string& path) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor >= 0) { // otherwise opening the database says why
        ::close(descriptor);
    }
}

Result<Connection> open_to_serve(const SqliteOptions& options) {
    make_private(options.path);
    BATON_TRY(auto db, sqlite::open(options.path, Access::create, options.vfs));
    if (auto report = bring_up_to_date(db, options.now); !report) {
        return fail(about(options.path, std::move(report).error()));
    }
    secure_log(db);
    if (!db.ok()) {
        return fail(about(options.path, to_error(db.failure())));
    }
    return db;
}

Result<Connection> open_as_tool(const SqliteOptions& options) {
    std::error_code unreadable;
    if (!std::filesystem::exists(options.path, unreadable)) {
        return fail(Errc::not_found, fmt::format("there is no store at {}", options.path));
    }
    BATON_TRY(auto db, sqlite::open(options.path, Access::write, options.vfs));
    auto report = pending_migrations(db, embedded_migrations());
    if (!report) {
        return fail(about(options.path, std::move(report).error()));
    }
    if (!report->applied.empty()) {
        return fail(
            Errc::conflict,
            fmt::format(
                "{} is at schema {} and this Baton needs {}: run baton db migrate",
                options.path,
                report->from,
                report->to
            )
        );
    }
    return db;
}

Result<std::vector<Connection>> open_to_read(const SqliteOptions& options, std::size_t number) {
    std::vector<Connection> readers;
    for (std::size_t i = 0; i < number; ++i) {
        BATON_TRY(auto reader, sqlite::open(options.path, Access::read, options.vfs));
        readers.push_back(std::move(reader));
    }
    return readers;
}

} // namespace

struct SqliteStore::Inside {
    Inside(
        std::optional<LockFile> held,
        Connection writing,
        std::unique_ptr<LogKeeper> upkeep,
        std::vector<Connection> reading,
        std::vector<Connection> viewing
    )
        : lock(std::move(held))
        , writer(std::move(writing), std::move(upkeep))
        , readers(std::move(reading))
        , viewers(std::move(viewing)) {}

    sql::Queues queues() {
        return {.writer = writer, .intake = writer, .readers = readers, .viewers = viewers};
    }

    std::optional<LockFile> lock; // first: given back last
    sql::Writer writer;
    sql::Readers readers;
    sql::Readers viewers;
};

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(SqliteOptions options) {
    const bool serving = options.role == StoreRole::serving;
    std::optional<LockFile> lock;
    if (serving) {
        BATON_TRY(lock, LockFile::take(options.path + ".lock"));
    }
    BATON_TRY(auto writer, serving ? open_to_serve(options) : open_as_tool(options));
    BATON_TRY(auto aside, sqlite::open(options.path, Access::write, options.vfs));
    BATON_TRY(auto readers, open_to_read(options, kReaders));
    BATON_TRY(auto viewers, open_to_read(options, kViewers));
    auto keeper = std::make_unique<LogKeeper>(writer, std::move(aside));
    auto inside = std::make_unique<Inside>(
        std::move(lock),
        std::move(writer),
        std::move(keeper),
        std::move(readers),
        std::move(viewers)
    );
    return std::unique_ptr<SqliteStore>(new SqliteStore(std::move(inside)));
}

SqliteStore::SqliteStore(std::unique_ptr<Inside> inside)
    : SqlStore(inside->queues())
    , inside_(std::move(inside)) {}

SqliteStore::~SqliteStore() = default;

std::uint64_t SqliteStore::commits() const {
    return inside_->writer.commits();
}

std::uint64_t SqliteStore::operations() const {
    return inside_->writer.operations();
}

} // namespace baton::store
