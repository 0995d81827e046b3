#include "baton/store/sqlite/sqlite_store.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/pull_request.hpp"
#include "baton/domain/recovery.hpp"
#include "baton/domain/suspension.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/views.hpp"
#include "baton/store/sqlite/body.hpp"
#include "baton/store/sqlite/connection.hpp"
#include "baton/store/sqlite/lock_file.hpp"
#include "baton/store/sqlite/migrations.hpp"
#include "baton/store/sqlite/sqlite_inside.hpp"
#include "baton/store/sqlite/verbs.hpp"

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

tl::unexpected<Error> about(const std::string& path, Error error) {
    error.detail = fmt::format("{}: {}", path, error.detail);
    return fail(std::move(error));
}

Result<Connection> open_to_serve(const SqliteOptions& options) {
    make_private(options.path);
    BATON_TRY(auto db, Connection::open(options.path, Connection::Access::create, options.vfs));
    if (auto report = apply_migrations(db, embedded_migrations(), options.now); !report) {
        return about(options.path, std::move(report).error());
    }
    db.secure_log();
    if (!db.ok()) {
        return about(options.path, to_error(db.failure()));
    }
    return db;
}

Result<Connection> open_as_tool(const SqliteOptions& options) {
    std::error_code unreadable;
    if (!std::filesystem::exists(options.path, unreadable)) {
        return fail(Errc::not_found, fmt::format("there is no store at {}", options.path));
    }
    BATON_TRY(auto db, Connection::open(options.path, Connection::Access::write, options.vfs));
    auto report = pending_migrations(db, embedded_migrations());
    if (!report) {
        return about(options.path, std::move(report).error());
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
        BATON_TRY(
            auto reader, Connection::open(options.path, Connection::Access::read, options.vfs)
        );
        readers.push_back(std::move(reader));
    }
    return readers;
}

} // namespace

Result<std::unique_ptr<SqliteStore>> SqliteStore::open(SqliteOptions options) {
    const bool serving = options.role == StoreRole::serving;
    std::optional<LockFile> lock;
    if (serving) {
        BATON_TRY(lock, LockFile::take(options.path + ".lock"));
    }
    BATON_TRY(auto writer, serving ? open_to_serve(options) : open_as_tool(options));
    BATON_TRY(auto aside, Connection::open(options.path, Connection::Access::write, options.vfs));
    BATON_TRY(auto readers, open_to_read(options, kReaders));
    BATON_TRY(auto viewers, open_to_read(options, kViewers));
    auto inside = std::make_unique<Inside>(
        std::move(lock), std::move(writer), std::move(aside), std::move(readers), std::move(viewers)
    );
    return std::unique_ptr<SqliteStore>(new SqliteStore(std::move(inside)));
}

SqliteStore::SqliteStore(std::unique_ptr<Inside> inside)
    : inside_(std::move(inside)) {}

SqliteStore::~SqliteStore() = default;

ports::Views& SqliteStore::views() {
    return inside_->views;
}

ports::Operators& SqliteStore::operators() {
    return inside_->operators;
}

ports::Levels& SqliteStore::levels() {
    return inside_->levels;
}

std::uint64_t SqliteStore::commits() const {
    return inside_->writer.commits();
}

std::uint64_t SqliteStore::operations() const {
    return inside_->writer.operations();
}

SqliteStore::Awaitable<bool> SqliteStore::insert_delivery(ports::NewDelivery delivery) {
    const auto id = delivery.id;
    const auto recent = inside_->recent; // the result may come when this store is gone
    if (recent->contains(id)) {
        co_return false;
    }
    auto packed =
        compress(delivery.body); // here, on the caller's thread: the writer has better things to do
    const auto body_bytes = delivery.body.size();
    delivery.body = {};
    auto work =
        [delivery = std::move(delivery), packed = std::move(packed), body_bytes](Connection& db
        ) -> Result<bool> { return verbs::insert_delivery(db, delivery, body_bytes, packed); };
    auto inserted = co_await inside_->writer.submit<bool>(Undo::with_the_batch, std::move(work));
    if (inserted) { // now or before: on disk
        recent->add(id);
    }
    co_return inserted;
}

SqliteStore::Awaitable<std::vector<ports::DeliveryToPlan>>
SqliteStore::deliveries_to_plan(TimePoint now, std::size_t limit) {
    return inside_->read<std::vector<ports::DeliveryToPlan>>([now, limit](Connection& db) {
        return verbs::deliveries_to_plan(db, now, limit);
    });
}

SqliteStore::Awaitable<std::optional<domain::PullRequest>>
SqliteStore::pull_request(ports::PullRequestQuery query) {
    return inside_->read<std::optional<domain::PullRequest>>(
        [query = std::move(query)](Connection& db) { return verbs::pull_request(db, query); }
    );
}

SqliteStore::Awaitable<ports::PlanReceipt> SqliteStore::commit_plan(ports::PlanCommit commit) {
    return inside_->write<ports::PlanReceipt>([commit = std::move(commit)](Connection& db) {
        return verbs::commit_plan(db, commit);
    });
}

SqliteStore::Awaitable<ports::DueView> SqliteStore::due(ports::DueQuery query) {
    return inside_->read<ports::DueView>([query](Connection& db) { return verbs::due(db, query); });
}

SqliteStore::Awaitable<std::vector<ports::LeasedDispatch>>
SqliteStore::lease(ports::LeaseQuery query) {
    return inside_->write<std::vector<ports::LeasedDispatch>>(
        [query = std::move(query)](Connection& db) { return verbs::lease(db, query); }
    );
}

SqliteStore::Awaitable<domain::DispatchState> SqliteStore::settle(ports::Settlement settlement) {
    return inside_->write<domain::DispatchState>([settlement = std::move(settlement)](Connection& db
                                                 ) { return verbs::settle(db, settlement); });
}

SqliteStore::Awaitable<std::string> SqliteStore::body_of(DeliveryId id) {
    return inside_->read<std::string>([id = std::move(id)](Connection& db) {
        return verbs::body_of(db, id);
    });
}

SqliteStore::Awaitable<std::size_t> SqliteStore::cancel_pending(
    RepoName upstream, RepoName downstream, std::string reason, TimePoint now
) {
    return inside_->write<std::size_t>([upstream = std::move(upstream),
                                        downstream = std::move(downstream),
                                        reason = std::move(reason),
                                        now](Connection& db) {
        return verbs::cancel_pending(db, upstream, downstream, reason, now);
    });
}

SqliteStore::Awaitable<ports::Adoption> SqliteStore::adopt(InstanceId instance, TimePoint now) {
    return inside_->write<ports::Adoption>([instance = std::move(instance), now](Connection& db) {
        return verbs::adopt(db, instance, now);
    });
}

SqliteStore::Awaitable<void> SqliteStore::record_allowlist(ports::AllowlistVersion version) {
    return inside_->write<void>([version = std::move(version)](Connection& db) {
        verbs::record_allowlist(db, version);
    });
}

SqliteStore::Awaitable<std::optional<ports::AllowlistVersion>>
SqliteStore::last_allowlist(RepoName upstream) {
    return inside_->read<std::optional<ports::AllowlistVersion>>([upstream = std::move(upstream
                                                                  )](Connection& db) {
        return verbs::last_allowlist(db, upstream);
    });
}

SqliteStore::Awaitable<std::vector<ports::SigningKey>> SqliteStore::signing_keys() {
    return inside_->read<std::vector<ports::SigningKey>>([](Connection& db) {
        return verbs::signing_keys(db);
    });
}

SqliteStore::Awaitable<ports::SigningKey>
SqliteStore::add_signing_key(std::string secret, TimePoint now) {
    return inside_->write<ports::SigningKey>([secret = std::move(secret), now](Connection& db) {
        return verbs::add_signing_key(db, secret, now);
    });
}

SqliteStore::Awaitable<std::optional<domain::Walk>> SqliteStore::last_walk() {
    return inside_->read<std::optional<domain::Walk>>([](Connection& db) {
        return verbs::last_walk(db);
    });
}

SqliteStore::Awaitable<void> SqliteStore::note_hooks(std::vector<domain::HookTry> tries) {
    return inside_->write<void>([tries = std::move(tries)](Connection& db) {
        verbs::note_hooks(db, tries);
    });
}

SqliteStore::Awaitable<void> SqliteStore::end_walk(TimePoint until, TimePoint now) {
    return inside_->write<void>([until, now](Connection& db) { verbs::end_walk(db, until, now); });
}

SqliteStore::Awaitable<std::vector<domain::SentHook>> SqliteStore::hooks_astray(std::size_t limit) {
    return inside_->read<std::vector<domain::SentHook>>([limit](Connection& db) {
        return verbs::hooks_astray(db, limit);
    });
}

SqliteStore::Awaitable<bool> SqliteStore::note_asked(DeliveryId id, int asked, TimePoint now) {
    return inside_->write<bool>([id = std::move(id), asked, now](Connection& db) {
        return verbs::note_asked(db, id, asked, now);
    });
}

SqliteStore::Awaitable<void> SqliteStore::note_not_asked(DeliveryId id, int asked, TimePoint now) {
    return inside_->write<void>([id = std::move(id), asked, now](Connection& db) {
        verbs::note_not_asked(db, id, asked, now);
    });
}

SqliteStore::Awaitable<domain::Completeness>
SqliteStore::completeness(TimePoint from, TimePoint until) {
    return inside_->read<domain::Completeness>([from, until](Connection& db) {
        return verbs::completeness(db, from, until);
    });
}

SqliteStore::Awaitable<bool>
SqliteStore::record_completeness(domain::Completeness day, TimePoint now) {
    return inside_->write<bool>([day, now](Connection& db) {
        return verbs::record_completeness(db, day, now);
    });
}

SqliteStore::Awaitable<std::vector<PrNumber>> SqliteStore::open_pull_requests(RepoName upstream) {
    return inside_->read<std::vector<PrNumber>>([upstream = std::move(upstream)](Connection& db) {
        return verbs::open_pull_requests(db, upstream);
    });
}

SqliteStore::Awaitable<std::vector<ports::Delivery>>
SqliteStore::list_deliveries(ports::DeliveryPageQuery query) {
    return inside_->read<std::vector<ports::Delivery>>([query = std::move(query)](Connection& db) {
        return verbs::list_deliveries(db, query);
    });
}

SqliteStore::Awaitable<ports::DeliveryHistory> SqliteStore::delivery_history(DeliveryId id) {
    return inside_->read<ports::DeliveryHistory>([id = std::move(id)](Connection& db) {
        return verbs::delivery_history(db, id);
    });
}

SqliteStore::Awaitable<std::size_t> SqliteStore::redeliver(ports::RedeliverQuery query) {
    return inside_->write<std::size_t>([query = std::move(query)](Connection& db) {
        return verbs::redeliver(db, query);
    });
}

SqliteStore::Awaitable<ports::Counts> SqliteStore::counts() {
    return inside_->read<ports::Counts>([](Connection& db) { return verbs::counts(db); });
}

SqliteStore::Awaitable<std::vector<domain::Suspension>> SqliteStore::suspensions(TimePoint now) {
    return inside_->read<std::vector<domain::Suspension>>([now](Connection& db) {
        return verbs::suspensions(db, now);
    });
}

SqliteStore::Awaitable<void> SqliteStore::suspend(domain::Suspension suspension) {
    return inside_->write<void>([suspension = std::move(suspension)](Connection& db) {
        verbs::suspend(db, suspension);
    });
}

SqliteStore::Awaitable<std::size_t> SqliteStore::resume(ports::Resumption resumption) {
    return inside_->write<std::size_t>([resumption = std::move(resumption)](Connection& db) {
        return verbs::resume(db, resumption);
    });
}

SqliteStore::Awaitable<void> SqliteStore::insert_test(ports::TestDispatch test) {
    return inside_->write<void>([test = std::move(test)](Connection& db) {
        return verbs::insert_test(db, test);
    });
}

SqliteStore::Awaitable<std::optional<ports::Pin>> SqliteStore::pin_of(RepoName repo) {
    return inside_->read<std::optional<ports::Pin>>([repo = std::move(repo)](Connection& db) {
        return verbs::pin_of(db, repo);
    });
}

SqliteStore::Awaitable<std::optional<ports::Pin>> SqliteStore::repin(ports::Pin pin) {
    return inside_->write<std::optional<ports::Pin>>([pin = std::move(pin)](Connection& db) {
        return verbs::repin(db, pin);
    });
}

SqliteStore::Awaitable<std::vector<ports::DownstreamFigures>>
SqliteStore::downstream_figures(TimePoint now) {
    return inside_->read<std::vector<ports::DownstreamFigures>>([now](Connection& db) {
        return verbs::downstream_figures(db, now);
    });
}

SqliteStore::Awaitable<std::vector<ports::AllowlistVersion>>
SqliteStore::allowlists_at(TimePoint when) {
    return inside_->read<std::vector<ports::AllowlistVersion>>([when](Connection& db) {
        return verbs::allowlists_at(db, when);
    });
}

SqliteStore::Awaitable<ports::ModeChange> SqliteStore::enter_mode(ports::Mode mode, TimePoint now) {
    return inside_->write<ports::ModeChange>([mode, now](Connection& db) {
        return verbs::enter_mode(db, mode, now);
    });
}

} // namespace baton::store
