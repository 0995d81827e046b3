#include "baton/sim/sim_server.hpp"

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/net/http.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/clock.hpp"
#include "baton/sim/faults.hpp"
#include "baton/sim/github_api.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/hook_log.hpp"
#include "baton/sim/hook_sender.hpp"
#include "baton/sim/oidc_issuer.hpp"
#include "baton/sim/report.hpp"
#include "baton/sim/report_sender.hpp"
#include "baton/sim/sim_world.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::sim {

namespace asio = boost::asio;

namespace {

constexpr std::size_t kBodyBytesMax = std::size_t{30} * 1024 * 1024;
constexpr Millis kNap{50}; // how soon a held request notices that the server stops
constexpr std::chrono::seconds kStopWait{1};

asio::awaitable<void> nap(Millis how_long) {
    const auto executor = co_await asio::this_coro::executor;
    asio::steady_timer timer(executor, how_long);
    co_await timer.async_wait(asio::use_awaitable);
}

net::Response broken() {
    net::Response response;
    response.abort = true;
    return response;
}

} // namespace

class SimServer::Impl {
public:
    Impl(Options options, crypto::RsaPublicKey app_key, ports::Clock& clock)
        : options_(std::move(options))
        , clock_(clock)
        , world_(options_.model, std::move(app_key)) {
        world_.target = options_.webhooks;
        world_.limits.use(options_.limits);
    }

    Result<void> start() {
        HookSender::Office office{
            .next = [this] { return next_letter(); },
            .done = [this](const AttemptResult& result) { record(result); },
            .on_surprise = options_.on_surprise,
        };
        sender_ = std::make_unique<HookSender>(std::move(office), clock_, options_.sender);
        reporter_ = std::make_unique<ReportSender>(newsroom(), clock_, options_.reports);
        server_ = std::make_unique<net::Server>(server_options(), routes());
        auto started = server_->start();
        if (started) {
            const std::lock_guard lock(mutex_);
            world_.move_to(url());
        }
        return started;
    }

    void stop() {
        stopping_ = true;
        if (server_) {
            server_->stop(kStopWait);
        }
        if (sender_) {
            sender_->stop();
            reporter_->stop();
        }
    }

    std::uint16_t port() const { return server_->port(); }

    std::string url() const { return fmt::format("http://{}:{}", options_.host, port()); }

    void wake() {
        if (sender_) {
            sender_->wake();
            reporter_->wake();
        }
    }

    std::mutex& mutex() { return mutex_; }

    SimWorld& world() { return world_; }

private:
    net::ServerOptions server_options() const {
        return {
            .host = options_.host,
            .port = options_.port,
            .address_setting = "--host and --port",
            .threads = 1,
            .tls = std::nullopt,
            .on_surprise = options_.on_surprise,
        };
    }

    std::vector<net::Route> routes() {
        std::vector<net::Route> out;
        for (const auto* method : {"GET", "POST", "PUT", "PATCH", "DELETE"}) {
            out.push_back({
                .method = method,
                .path = "/{*}",
                .handler = [this](net::Request request) { return answer(std::move(request)); },
                .body_bytes_max = kBodyBytesMax,
            });
        }
        return out;
    }

    asio::awaitable<net::Response> answer(net::Request request) {
        request.share.release(); // everybody here is a friend
        const ApiRequest call{
            .method = request.head.method == "HEAD" ? "GET" : std::move(request.head.method),
            .path = std::move(request.head.path),
            .query = std::move(request.head.query),
            .headers = std::move(request.head.headers),
            .body = std::move(request.body),
        };
        if (call.path.starts_with("/_sim/")) {
            co_return take_order(call);
        }
        auto heard = take_call(call);
        const UnderWay under_way(*this, heard.under_way);
        if (heard.fault.delay > Millis{0}) {
            co_await hold(heard.fault.delay);
        }
        switch (heard.fault.ending) {
        case Fault::Ending::answer:
        case Fault::Ending::status:
            co_return std::move(heard.reply);
        case Fault::Ending::drop:
            co_await hold(options_.drop_hold);
            co_return broken();
        case Fault::Ending::reset:
            if (heard.fault.mid_body && !heard.reply.body.empty()) {
                heard.reply.cut_at = heard.reply.body.size() / 2;
                co_return std::move(heard.reply);
            }
            co_return broken();
        case Fault::Ending::unreachable:
            co_return broken();
        }
        co_return broken();
    }

    /// A request that counts as under way until its answer is on its way out.
    class UnderWay {
    public:
        UnderWay(Impl& impl, std::optional<InstallationId> who)
            : impl_(impl)
            , who_(who) {}

        UnderWay(const UnderWay&) = delete;
        UnderWay& operator=(const UnderWay&) = delete;

        ~UnderWay() {
            if (who_) {
                const std::lock_guard lock(impl_.mutex_);
                impl_.world_.limits.leave(*who_);
            }
        }

    private:
        Impl& impl_;
        std::optional<InstallationId> who_;
    };

    net::Response take_order(const ApiRequest& call) {
        auto reply = [&] {
            const std::lock_guard lock(mutex_);
            return control(world_, call, clock_.now());
        }();
        wake();
        return reply;
    }

    SimWorld::Heard take_call(const ApiRequest& call) {
        const std::lock_guard lock(mutex_);
        const auto reports = world_.downstreams.open();
        auto heard = world_.hear(call, clock_.now());
        if (heard.reply.status == 202) {
            sender_->wake(); // a redelivery
        }
        if (world_.downstreams.open() != reports) {
            reporter_->wake(); // a downstream was told of something
        }
        return heard;
    }

    /// Waits so long, or until the server stops.
    asio::awaitable<void> hold(Millis how_long) {
        while (how_long > Millis{0} && !stopping_) {
            const auto step = std::min(how_long, kNap);
            co_await nap(step);
            how_long -= step;
        }
    }

    std::optional<HookLetter> next_letter() {
        const std::lock_guard lock(mutex_);
        if (world_.target.url.empty()) {
            return std::nullopt;
        }
        while (auto outgoing = world_.outbox.take()) {
            auto webhook = world_.model.hooks().webhook(outgoing->delivery);
            if (webhook) { // else it is too old to be known
                return HookLetter{
                    .outgoing = *std::move(outgoing),
                    .webhook = std::move(webhook),
                    .target = world_.target,
                    .app_id = world_.model.options().app_id,
                };
            }
        }
        return std::nullopt;
    }

    /// Where the reporter asks what the downstreams have to say.
    ReportSender::Office newsroom() {
        return {
            .next = [this] { return next_report(); },
            .next_due =
                [this] {
                    const std::lock_guard lock(mutex_);
                    return world_.downstreams.next_due();
                },
            .done =
                [this](Report report, ReportAnswer answer) {
                    const std::lock_guard lock(mutex_);
                    world_.downstreams.answered(std::move(report), std::move(answer), clock_.now());
                },
            .on_surprise = options_.on_surprise,
        };
    }

    std::optional<ReportLetter> next_report() {
        const std::lock_guard lock(mutex_);
        const auto now = clock_.now();
        auto report = world_.downstreams.take(now);
        if (!report) {
            return std::nullopt;
        }
        const TokenWish wish{.run = report->identity, .audience = report->audience};
        auto token = world_.oidc.token(wish, now);
        auto body = body_of(*report);
        return ReportLetter{
            .report = *std::move(report), .token = std::move(token), .body = std::move(body)
        };
    }

    void record(const AttemptResult& result) {
        const std::lock_guard lock(mutex_);
        // Fails only when the delivery was forgotten meanwhile: then there is nothing to note.
        [[maybe_unused]] const auto line = world_.model.hooks().record(result);
    }

    Options options_;
    ports::Clock& clock_;
    std::mutex mutex_;
    SimWorld world_;
    std::atomic<bool> stopping_{false};
    std::unique_ptr<HookSender> sender_;
    std::unique_ptr<ReportSender> reporter_;
    std::unique_ptr<net::Server> server_;
};

SimServer::SimServer(Options options, crypto::RsaPublicKey app_key, ports::Clock& clock)
    : impl_(std::make_unique<Impl>(std::move(options), std::move(app_key), clock)) {}

SimServer::~SimServer() {
    stop();
}

Result<void> SimServer::start() {
    return impl_->start();
}

void SimServer::stop() {
    impl_->stop();
}

std::uint16_t SimServer::port() const {
    return impl_->port();
}

std::string SimServer::url() const {
    return impl_->url();
}

SimServer::Visit::Visit(SimServer& server)
    : impl_(*server.impl_)
    , lock_(impl_.mutex()) {}

SimServer::Visit::~Visit() {
    lock_.unlock();
    impl_.wake();
}

SimWorld& SimServer::Visit::world() const {
    return impl_.world();
}

} // namespace baton::sim
