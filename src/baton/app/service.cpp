#include "baton/app/service.hpp"

#include "baton/api/callback.hpp"
#include "baton/api/health.hpp"
#include "baton/api/webhook.hpp"
#include "baton/app/from_config.hpp"
#include "baton/app/github_chain.hpp"
#include "baton/app/hud.hpp"
#include "baton/app/identities.hpp"
#include "baton/app/lookout.hpp"
#include "baton/app/receivers.hpp"
#include "baton/app/start_in_time.hpp"
#include "baton/app/system_chance.hpp"
#include "baton/app/system_clock.hpp"
#include "baton/app/upstreams.hpp"
#include "baton/async/blocking_pool.hpp"
#include "baton/async/task_group.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/config/config.hpp"
#include "baton/domain/profile.hpp"
#include "baton/net/server.hpp"
#include "baton/obs/journal.hpp"
#include "baton/obs/metrics.hpp"
#include "baton/oidc/token_identities.hpp"
#include "baton/ports/github.hpp"
#include "baton/ports/journal.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/sink.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/text_source.hpp"
#include "baton/relay/relay.hpp"
#include "baton/sim/crash_points.hpp"
#include "baton/sim/stepped_store.hpp"
#include "baton/store/place.hpp"
#include "baton/store/sql/sql_store.hpp"
#include "baton/store/store_role.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace baton::app {

namespace asio = boost::asio;

namespace {

constexpr std::chrono::milliseconds kRequestDrain{4'000};
constexpr std::chrono::milliseconds kAttemptDrain{4'000}; // both stay under limits::kDrainWait
constexpr std::size_t kPoolThreads = 2; // small files; once a day the ladder takes one

static_assert(kRequestDrain + kAttemptDrain < limits::kDrainWait);

} // namespace

/// Members stand in start order; what is destroyed goes the other way.
class Service::Impl {
public:
    Impl(config::Config config, const Options& options)
        : config_(std::move(config))
        , clock_(loop_.get_executor())
        , log_(clock_, options.log, log_options(config_.log))
        , journal_({&log_, &metrics_, options.also})
        , life_(std::make_shared<sim::Incarnation>(
              options.kill ? sim::kill_hook(*options.kill)
                           : [](std::string_view) { return sim::Step::Order::go_on; }
          ))
        , stepped_(options.kill.has_value())
        , address_setting_(options.address_setting)
        , shadow_(options.shadow)
        , watch_(loop_.get_executor(), [this](std::string surprise) {
            surprised("watch", std::move(surprise));
        }) {}

    ~Impl() { stop(); }

    Result<void> open();
    Result<void> start();
    Result<Reloaded> reload(const config::Config& fresh);
    void stop();
    Result<ports::Counts> counts();

    std::uint16_t port() const { return server_->port(); }

private:
    ports::Store& store() {
        return stepped_ ? static_cast<ports::Store&>(*stepped_store_) : *store_;
    }

    ports::Github& github() { return github_->github(); }

    Result<void> open_relay();
    ReceiverSurroundings receiver_surroundings();
    net::ServerOptions server_options();
    std::vector<net::Route> routes();
    void surprised(std::string where, std::string detail);

    config::Config config_;
    asio::io_context loop_{1};
    asio::executor_work_guard<asio::io_context::executor_type> busy_{loop_.get_executor()};
    SystemClock clock_;
    SystemChance chance_;
    obs::LogJournal log_;
    obs::Metrics metrics_;
    obs::Journals journal_;
    async::BlockingPool pool_{kPoolThreads};
    std::unique_ptr<store::SqlStore> store_;
    std::shared_ptr<sim::Incarnation> life_; // crash points, for tests that pull the plug
    bool stepped_;
    std::string address_setting_;
    bool shadow_;
    std::unique_ptr<sim::SteppedStore> stepped_store_;
    std::unique_ptr<GithubChain> github_;
    std::vector<std::unique_ptr<ports::TextSource>> sources_;
    std::unique_ptr<oidc::TokenIdentities> identities_; // none: nobody can call back
    std::unique_ptr<relay::Relay> relay_;
    api::Readiness readiness_;
    std::unique_ptr<Lookout> lookout_;
    std::unique_ptr<Hud> hud_;
    std::unique_ptr<api::WebhookKeys> keys_;
    std::unique_ptr<net::Server> server_;
    async::TaskGroup watch_;
    std::thread thread_;
    bool stopped_{false};
};

Result<void> Service::Impl::open() {
    BATON_TRY(auto app, identity(config_));
    BATON_TRY(auto keys, signature_keys(config_));
    keys_ = std::make_unique<api::WebhookKeys>(std::move(keys));
    // Before the store is made: a start that fails on its port leaves nothing behind.
    if (auto free = net::check_address(server_options()); !free) {
        return free;
    }
    BATON_TRY(store_, store::open_store(config_.store, store::StoreRole::serving, clock_.now()));
    store_->on_time([this](TimePoint now) { clock_.set(now); });
    stepped_store_ = std::make_unique<sim::SteppedStore>(*store_, life_);
    BATON_TRY(
        github_,
        GithubChain::make(
            {.executor = loop_.get_executor(),
             .options = github_options(config_),
             .app = std::move(app),
             .clock = clock_,
             .life = life_,
             .stepped = stepped_,
             .shadow = shadow_}
        )
    );
    BATON_TRY(
        identities_,
        make_identities(
            config_.oidc,
            {.executor = loop_.get_executor(),
             .pool = pool_,
             .clock = clock_,
             .journal = journal_,
             .sources = sources_}
        )
    );
    if (auto opened = open_relay(); !opened) {
        return opened;
    }
    BATON_TRY(auto profile, ladder_profile(config_.levels));
    hud_ = std::make_unique<Hud>(Hud::Surroundings{
        .config = config_,
        .store = store(),
        .views = store_->views(),
        .operators = store_->operators(),
        .levels = store_->levels(),
        .ladder =
            {.profile = std::move(profile).value_or(domain::Profile{}),
             .day_length = config_.levels.day},
        .clock = clock_,
        .journal = journal_,
        .github = github(),
        .allowlists = relay_->allowlists(),
        .readiness = readiness_,
        .wake = [this] { relay_->wake(); },
        .shadow = shadow_,
    });
    server_ = std::make_unique<net::Server>(server_options(), routes());
    return {};
}

ReceiverSurroundings Service::Impl::receiver_surroundings() {
    return {
        .executor = loop_.get_executor(),
        .github = github(),
        .writing = github_->writing(),
        .levels = store_->levels(),
        .clock = clock_,
        .is_open = [this](const auto&... of) { return relay_->allowlists().is_open(of...); },
    };
}

Result<void> Service::Impl::open_relay() {
    std::vector<std::shared_ptr<ports::Sink>> told;
    std::vector<std::shared_ptr<ports::Sink>> notified;
    if (!shadow_) {
        BATON_TRY(told, sinks(config_, loop_.get_executor()));
        BATON_TRY(notified, receivers(config_, receiver_surroundings()));
    }
    auto upstreams =
        upstreams_of(config_, {.github = github(), .pool = pool_, .sources = sources_});
    BATON_TRY(auto settings, relay_settings(config_, new_instance(chance_), shadow_));
    relay_ = std::make_unique<relay::Relay>(
        std::move(settings),
        std::move(upstreams),
        relay::Relay::Surroundings{
            .executor = loop_.get_executor(),
            .store = store(),
            .github = github(),
            .clock = clock_,
            .chance = chance_,
            .journal = journal_,
            .sinks = std::move(told),
            .receivers = std::move(notified),
            .levels = &store_->levels(),
            .notices = store_.get(),
            .pool = &pool_,
            .leads = store_->lead(),
            .quotas = store_->quotas(),
            .tell_others = [this] { return store_->tell_others(); },
        }
    );
    store_->on_news([this] { relay_->wake(); });
    lookout_ = std::make_unique<Lookout>(
        repos_of(config_),
        Lookout::Surroundings{
            .store = store(),
            .github = github(),
            .allowlists = relay_->allowlists(),
            .identities = identities_.get(),
            .clock = clock_,
            .journal = journal_,
            .metrics = metrics_,
            .readiness = readiness_,
        }
    );
    return {};
}

net::ServerOptions Service::Impl::server_options() {
    net::ServerOptions options;
    options.host = config_.listen.host;
    options.port = config_.listen.port;
    options.address_setting = address_setting_;
    options.tls = tls_files(config_);
    options.on_surprise = [this](std::string surprise) { surprised("http", std::move(surprise)); };
    return options;
}

std::vector<net::Route> Service::Impl::routes() {
    auto all = api::health_routes(
        {.readiness = readiness_,
         .metrics = [this] { return metrics_.render(); },
         .mode = shadow_ ? "shadow" : "live"}
    );
    all.push_back(api::webhook_route(
        {.intake = relay_->intake(), .keys = *keys_, .clock = clock_, .journal = journal_}
    ));
    if (identities_) {
        auto callback = api::callback_routes(
            {.callbacks = relay_->callbacks(),
             .identities = *identities_,
             .clock = clock_,
             .journal = journal_,
             .on_refused = [this](auto refusal) { hud_->keep(std::move(refusal)); }}
        );
        std::ranges::move(callback, std::back_inserter(all));
    }
    std::ranges::move(hud_->routes(), std::back_inserter(all));
    return all;
}

Result<void> Service::Impl::start() {
    thread_ = std::thread([this] { loop_.run(); });
    auto beginning = start_in_time(relay_.get(), store_.get(), &clock_, &journal_);
    auto started = asio::co_spawn(loop_, std::move(beginning), asio::use_future).get();
    if (!started) {
        return started;
    }
    if (identities_) {
        asio::post(loop_, [this] { identities_->start(watch_); });
    }
    if (auto listening = server_->start(); !listening) {
        return listening;
    }
    asio::post(loop_, [this] {
        watch_.spawn(lookout_->run());
        hud_->start(watch_);
    });
    journal_.note(ports::LifeTurn{
        .what = "started",
        .detail = fmt::format("listening on {}:{}", config_.listen.host, server_->port())
    });
    return {};
}

Result<Service::Reloaded> Service::Impl::reload(const config::Config& fresh) {
    BATON_TRY(auto keys, signature_keys(fresh));
    BATON_TRY(auto app, identity(fresh));
    Reloaded reloaded{.needs_restart = config::restart_needed(config_, fresh)};
    keys_->replace(std::move(keys));
    hud_->reload(fresh);
    asio::post(loop_, [this, app = std::move(app)]() mutable { github_->use(std::move(app)); });
    std::string detail =
        "webhook secrets, the App's key, admin tokens and platforms are the new ones";
    if (!reloaded.needs_restart.empty()) {
        detail += fmt::format("; needs a restart: {}", fmt::join(reloaded.needs_restart, ", "));
    }
    journal_.note(ports::LifeTurn{.what = "reloaded", .detail = std::move(detail)});
    return reloaded;
}

void Service::Impl::stop() {
    if (std::exchange(stopped_, true)) {
        return;
    }
    if (thread_.joinable()) {
        journal_.note(ports::LifeTurn{.what = "stopping", .detail = "no new requests; draining"});
        if (identities_) {
            identities_->let_go(); // an issuer that hangs must not hold the drain up
        }
        hud_->close();
        store_->on_news({});
        server_->stop(kRequestDrain);
        asio::co_spawn(loop_, relay_->stop(kAttemptDrain), asio::use_future).get();
        asio::post(loop_, [this] { watch_.cancel(); });
        asio::co_spawn(loop_, watch_.join(), asio::use_future).get();
        busy_.reset();
        thread_.join();
        journal_.note(ports::LifeTurn{.what = "stopped", .detail = ""});
    }
    pool_.join();
}

Result<ports::Counts> Service::Impl::counts() {
    return asio::co_spawn(loop_, store().counts(), asio::use_future).get();
}

void Service::Impl::surprised(std::string where, std::string detail) {
    journal_.note(
        ports::Trouble{.healed = false, .where = std::move(where), .detail = std::move(detail)}
    );
}

Service::Service(std::unique_ptr<Impl> impl)
    : impl_(std::move(impl)) {}

Service::~Service() = default;

Result<std::unique_ptr<Service>> Service::open(config::Config config, Options options) {
    auto impl = std::make_unique<Impl>(std::move(config), options);
    if (auto opened = impl->open(); !opened) {
        return fail(opened.error());
    }
    return std::unique_ptr<Service>(new Service(std::move(impl)));
}

Result<void> Service::start() {
    return impl_->start();
}

std::uint16_t Service::port() const {
    return impl_->port();
}

Result<Service::Reloaded> Service::reload(const config::Config& fresh) {
    return impl_->reload(fresh);
}

void Service::stop() {
    impl_->stop();
}

Result<ports::Counts> Service::counts() {
    return impl_->counts();
}

} // namespace baton::app
