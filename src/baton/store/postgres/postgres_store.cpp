#include "baton/store/postgres/postgres_store.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/postgres/engine.hpp"
#include "baton/store/postgres/migrate.hpp"
#include "baton/store/postgres/missing.hpp"
#include "baton/store/postgres/presence.hpp"
#include "baton/store/sql/connection.hpp"
#include "baton/store/sql/migrations.hpp"
#include "baton/store/sql/readers.hpp"
#include "baton/store/sql/sql_store.hpp"
#include "baton/store/sql/verbs.hpp"
#include "baton/store/sql/writer.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace baton::store {

using postgres::Connection;

namespace {

constexpr std::size_t kReaders = 2;
constexpr std::size_t kViewers = 2;

constexpr const char* kSilent = "the store's database says nothing; try again";

constexpr sql::Query kTellOthers{
    "tell_others",
    "SELECT 0", // nobody asks it of a file
    "SELECT pg_notify('baton', '')"
};

Result<Connection> open_writer(const PostgresOptions& options) {
    const auto telling =
        options.role == StoreRole::tool ? postgres::Telling::relays : postgres::Telling::nobody;
    if (options.role == StoreRole::serving) {
        if (auto report = postgres::migrate(options.url, options.now); !report) {
            return fail(std::move(report).error());
        }
    }
    BATON_TRY(auto db, postgres::connect(options.url, telling));
    if (options.role == StoreRole::tool) {
        if (auto same = postgres::ensure_up_to_date(db); !same) {
            return fail(std::move(same).error());
        }
    }
    return db;
}

Result<std::vector<Connection>> open_readers(const std::string& url, std::size_t number) {
    std::vector<Connection> readers;
    for (std::size_t i = 0; i < number; ++i) {
        BATON_TRY(auto reader, postgres::connect(url));
        readers.push_back(std::move(reader));
    }
    return readers;
}

} // namespace

struct PostgresStore::Inside {
    Inside(
        Connection writing,
        Connection taking_in,
        std::vector<Connection> reading,
        std::vector<Connection> viewing
    )
        : writer(std::move(writing), std::make_unique<sql::Upkeep>())
        , intake(std::move(taking_in), std::make_unique<sql::Upkeep>(), sql::Scope::intake)
        , readers(std::move(reading))
        , viewers(std::move(viewing)) {}

    sql::Queues queues() {
        return {.writer = writer, .intake = intake, .readers = readers, .viewers = viewers};
    }

    ~Inside() {
        const std::lock_guard lock(mutex);
        on_silence = {}; // it is about the queues, and they go before presence does
    }

    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

    void tell() {
        const std::lock_guard lock(mutex);
        if (on_news) {
            on_news();
        }
    }

    void tell_time(TimePoint now) {
        const std::lock_guard lock(mutex);
        if (on_time) {
            on_time(now);
        }
    }

    void tell_silence() {
        const std::lock_guard lock(mutex);
        if (on_silence) {
            on_silence();
        }
    }

    // First: others must not think us gone while the queues finish what waits.
    std::mutex mutex;
    std::function<void()> on_news;          // guarded
    std::function<void(TimePoint)> on_time; // guarded
    std::function<void()> on_silence;       // guarded
    postgres::QuotaTalk talk;
    std::unique_ptr<postgres::Presence> presence; // of one who serves
    std::shared_ptr<postgres::Missing> missing;   // who was, at earlier looks

    sql::Writer writer;
    sql::Writer intake;
    sql::Readers readers;
    sql::Readers viewers;
};

Result<std::unique_ptr<PostgresStore>> PostgresStore::open(const PostgresOptions& options) {
    BATON_TRY(auto writer, open_writer(options));
    BATON_TRY(auto intake, postgres::connect(options.url));
    BATON_TRY(auto readers, open_readers(options.url, kReaders));
    BATON_TRY(auto viewers, open_readers(options.url, kViewers));
    auto inside = std::make_unique<Inside>(
        std::move(writer), std::move(intake), std::move(readers), std::move(viewers)
    );
    inside->missing = std::make_shared<postgres::Missing>(options.grace);
    if (options.role == StoreRole::serving) {
        postgres::Presence::Listener ears{
            .on_news = [inside = inside.get()] { inside->tell(); },
            .on_time = [inside = inside.get()](TimePoint now) { inside->tell_time(now); },
            .on_silence = [inside = inside.get()] { inside->tell_silence(); },
        };
        inside->on_silence = [intake = &inside->intake] {
            intake->give_up({.code = Errc::unavailable, .detail = kSilent});
        };
        inside->presence =
            std::make_unique<postgres::Presence>(options.url, std::move(ears), inside->talk);
    }
    return std::unique_ptr<PostgresStore>(new PostgresStore(std::move(inside)));
}

PostgresStore::PostgresStore(std::unique_ptr<Inside> inside)
    : SqlStore(inside->queues())
    , inside_(std::move(inside)) {}

PostgresStore::~PostgresStore() = default;

PostgresStore::Awaitable<ports::Adoption> PostgresStore::adopt(InstanceId instance, TimePoint now) {
    if (inside_->presence) {
        if (auto entered = inside_->presence->enter(instance.text()); !entered) {
            co_return fail(std::move(entered).error());
        }
    }
    auto work = [instance = std::move(instance), now, missing = inside_->missing](Connection& db) {
        missing->look(db);
        return Result<ports::Adoption>(sql::verbs::adopt(db, instance, now));
    };
    co_return co_await inside_->writer.submit<ports::Adoption>(std::move(work));
}

bool PostgresStore::is_missing() const {
    return inside_->presence && inside_->presence->is_missing();
}

template <typename Taken>
PostgresStore::Awaitable<Taken> PostgresStore::unless_missing(Awaitable<Taken> taking) {
    if (is_missing()) {
        co_return Taken{};
    }
    co_return co_await std::move(taking);
}

PostgresStore::Awaitable<std::vector<ports::LeasedDispatch>>
PostgresStore::lease(ports::LeaseQuery query) {
    if (is_missing()) {
        static_cast<void>(co_await tell_others()); // who does not hear it looks by itself
    }
    co_return co_await unless_missing(SqlStore::lease(std::move(query)));
}

PostgresStore::Awaitable<std::vector<ports::TakenLetter>>
PostgresStore::take_letters(ports::LetterQuery query) {
    return unless_missing(SqlStore::take_letters(std::move(query)));
}

PostgresStore::Awaitable<std::vector<ports::TakenPosting>>
PostgresStore::take_postings(ports::PostingQuery query) {
    return unless_missing(SqlStore::take_postings(std::move(query)));
}

PostgresStore::Awaitable<std::vector<ports::TakenRerun>>
PostgresStore::take_reruns(ports::RerunQuery query) {
    return unless_missing(SqlStore::take_reruns(std::move(query)));
}

std::function<bool()> PostgresStore::lead() const {
    return
        [presence = inside_->presence.get()] { return presence != nullptr && presence->leads(); };
}

ports::QuotaExchange* PostgresStore::quotas() {
    return inside_->presence ? &inside_->talk : nullptr;
}

PostgresStore::Awaitable<void> PostgresStore::tell_others() {
    auto work = [](Connection& db) -> Result<void> {
        db.rows(kTellOthers).next();
        return {};
    };
    co_return co_await inside_->writer.submit<void>(std::move(work));
}

void PostgresStore::on_news(std::function<void()> call) {
    const std::lock_guard lock(inside_->mutex);
    inside_->on_news = std::move(call);
}

void PostgresStore::on_time(std::function<void(TimePoint)> call) {
    const std::lock_guard lock(inside_->mutex);
    inside_->on_time = std::move(call);
}

} // namespace baton::store
