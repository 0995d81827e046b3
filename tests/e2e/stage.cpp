#include "e2e/stage.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/hmac.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/domain/plan.hpp"
#include "baton/net/client.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/github_model.hpp"
#include "baton/sim/sim_server.hpp"
#include "baton/store/place.hpp"
#include "baton/store/store_role.hpp"
#include "baton/wire/allowlist.hpp"

#include <boost/asio/io_context.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/process.hpp"
#include "support/run_coroutine.hpp"

namespace baton::test {

using namespace std::chrono_literals;

namespace {

RepoName repo(const std::string& name) {
    return *RepoName::parse(name);
}

sim::SimServer::Options options(std::uint64_t seed) {
    sim::SimServer::Options all;
    all.model.seed = seed;
    all.model.webhooks_max = 1'000'000;
    return all;
}

std::string oidc_for(const sim::SimServer& github) {
    return fmt::format(
        "oidc:\n  audience: \"{}\"\n  issuers: [{{issuer: \"{}/_oidc\", kind: github-actions}}]\n",
        sim::Part{}.audience,
        github.url()
    );
}

crypto::RsaPublicKey public_half(const crypto::RsaKeyPair& pair) {
    return *crypto::RsaPublicKey::parse(pair.public_pem);
}

} // namespace

Stage::Stage(Plan plan)
    : clock_(clock_loop_.get_executor())
    , database_(PostgresPlace::is_there() ? std::make_unique<PostgresPlace>() : nullptr)
    , key_(crypto::make_rsa_key_pair())
    , github_(options(plan.seed), public_half(key_), clock_) {
    github_.with([&](sim::SimWorld& world) {
        EXPECT_TRUE(world.model.create_repo({.name = repo(kUpstream), .now = clock_.now()}));
        EXPECT_TRUE(
            world.model.set_permission(repo(kUpstream), Login("writer"), domain::Permission::write)
        );
        const auto reading = wire::read_allowlist(plan.allowlist);
        for (const auto& downstream : reading.allowlist.value().downstreams()) {
            EXPECT_TRUE(world.model.create_repo({.name = downstream.repo, .now = clock_.now()}));
        }
        const sim::NewFile file{
            .repo = repo(kUpstream), .ref = "", .path = "allowlist.yml", .text = plan.allowlist
        };
        EXPECT_TRUE(world.model.put_file(file));
    });
    EXPECT_TRUE(github_.start());
    folder_.write("app.pem", key_.private_pem);
    folder_.write("secret", kSecret);
    folder_.write("allowlist.yml", plan.allowlist);
    const std::string source = plan.allowlist_on_github
                                   ? fmt::format("github:{}/allowlist.yml@main", kUpstream)
                                   : "file:allowlist.yml";
    folder_.write(
        "baton.yml",
        fmt::format(
            R"(listen: "127.0.0.1:0"
store: "{}"
github:
  api_url: "{}"
  app_id: 12345
  private_key: {{file: app.pem}}
  webhook_secrets: [{{file: secret}}]
{}upstreams:
  - repo: {}
    allowlist: "{}"
{}{}
)",
            database_ ? database_->url() : "sqlite:baton.db",
            github_.url(),
            plan.more_github,
            kUpstream,
            source,
            plan.callbacks ? oidc_for(github_) : "",
            plan.more_config
        )
    );
}

bool Stage::start(
    const std::vector<std::string>& more_arguments, const std::vector<std::string>& environment
) {
    std::vector<std::string> command{baton_binary(), "serve", "--config", config_file()};
    command.insert(command.end(), more_arguments.begin(), more_arguments.end());
    relay_ = std::make_unique<Process>(Process::Plan{
        .command = std::move(command),
        .environment = environment,
        .stderr_file = folder_.file("stderr"),
    });
    const auto address = relay_->read_line(30s);
    if (!address) {
        return false;
    }
    port_ = static_cast<std::uint16_t>(std::stoi(address->substr(address->rfind(':') + 1)));
    return true;
}

bool Stage::start_ready(const std::vector<std::string>& more_arguments) {
    return start(more_arguments) && eventually([this] { return get("/readyz") == 200; }, 30s);
}

std::string Stage::webhook_url() const {
    return fmt::format("http://127.0.0.1:{}/github/webhook", port_.load());
}

std::string Stage::callback_url() const {
    return fmt::format("http://127.0.0.1:{}/github/callback", port_.load());
}

void Stage::play(const std::string& name, sim::Part part) {
    part.callback_url = callback_url();
    github_.with([&](sim::SimWorld& world) { world.downstreams.play(repo(name), part); });
}

std::vector<sim::SentReport> Stage::reports() {
    return github_.with([](sim::SimWorld& world) {
        const auto& sent = world.downstreams.sent();
        return std::vector<sim::SentReport>(sent.begin(), sent.end());
    });
}

bool Stage::is_all_said() {
    return github_.with([](sim::SimWorld& world) { return world.downstreams.open() == 0; });
}

void Stage::pull_the_plug() {
    relay_->send_signal(SIGKILL);
    EXPECT_TRUE(relay_->wait(10s).has_value());
}

std::optional<Ending> Stage::ask_to_stop() {
    relay_->send_signal(SIGTERM);
    return relay_->wait(15s);
}

sim::Webhook Stage::opened_pull() {
    return github_.with([&](sim::SimWorld& world) {
        return world.model
            .open_pull({.repo = repo(kUpstream), .author = Login("writer"), .now = clock_.now()})
            .value();
    });
}

sim::Webhook Stage::pushed() {
    return github_.with([&](sim::SimWorld& world) {
        return world.model
            .push(
                {.repo = repo(kUpstream),
                 .ref = fmt::format("refs/heads/b{}", ++pushes_),
                 .by = Login("writer"),
                 .now = clock_.now()}
            )
            .value();
    });
}

sim::Webhook Stage::acted(PrNumber number, sim::PullVerb verb) {
    return github_.with([&](sim::SimWorld& world) {
        return world.model
            .act(
                {.repo = repo(kUpstream),
                 .number = number,
                 .verb = verb,
                 .by = Login("writer"),
                 .now = clock_.now()}
            )
            .value();
    });
}

sim::Webhook Stage::labelled(PrNumber number, const std::string& by, const std::string& label) {
    return github_.with([&](sim::SimWorld& world) {
        return world.model
            .act(
                {.repo = repo(kUpstream),
                 .number = number,
                 .verb = sim::PullVerb::labeled,
                 .by = Login(by),
                 .label = label,
                 .now = clock_.now()}
            )
            .value();
    });
}

void Stage::replace_allowlist(const std::string& text) {
    github_.with([&](sim::SimWorld& world) {
        EXPECT_TRUE(world.model.put_file(
            {.repo = repo(kUpstream), .ref = "", .path = "allowlist.yml", .text = text}
        ));
    });
}

std::string Stage::store_place() const {
    return database_ ? database_->url() : folder_.file("baton.db");
}

int Stage::post(const sim::Webhook& webhook) {
    return post(webhook, port_);
}

int Stage::post(const sim::Webhook& webhook, std::uint16_t port) {
    static const crypto::HmacKey key(kSecret);
    boost::asio::io_context io;
    const auto client = *net::Client::make(
        io.get_executor(), {.base_url = fmt::format("http://127.0.0.1:{}", port)}
    );
    net::ClientRequest request{
        .method = "POST",
        .target = "/github/webhook",
        .headers =
            {{"X-GitHub-Event", webhook.event},
             {"X-GitHub-Delivery", webhook.id.text()},
             {"X-Hub-Signature-256",
              "sha256=" + crypto::to_hex(crypto::view_of(key.sign(webhook.body)))},
             {"Content-Type", "application/json"}},
        .body = webhook.body,
    };
    const auto reply = run(io, client->send(std::move(request), 10s));
    return reply && *reply ? (*reply)->status : 0;
}

int Stage::get(const std::string& path, std::string* body) {
    return get(path, port_, body);
}

int Stage::get(const std::string& path, std::uint16_t port, std::string* body) {
    boost::asio::io_context io;
    const auto client = *net::Client::make(
        io.get_executor(), {.base_url = fmt::format("http://127.0.0.1:{}", port)}
    );
    net::ClientRequest request{.method = "GET", .target = path};
    const auto reply = run(io, client->send(std::move(request), 10s));
    if (reply && *reply && body != nullptr) {
        *body = (*reply)->body;
    }
    return reply && *reply ? (*reply)->status : 0;
}

std::size_t Stage::received(const std::string& name, const DeliveryId& delivery) {
    return github_.with([&](sim::SimWorld& world) {
        return world.model.dispatches().count({.repo = repo(name), .delivery_id = delivery.text()});
    });
}

std::size_t Stage::received_in_all() {
    return github_.with([](sim::SimWorld& world) {
        return world.model.dispatches().count({.limit = 10'000'000});
    });
}

void Stage::with_store(const std::function<void(ports::Store&, boost::asio::io_context&)>& look) {
    boost::asio::io_context io;
    auto store = store::open_store(store_place(), store::StoreRole::tool, clock_.now());
    ASSERT_TRUE(store) << store.error().detail;
    look(**store, io);
}

ports::Counts Stage::counts() {
    ports::Counts counts;
    with_store([&](ports::Store& store, boost::asio::io_context& io) {
        const auto found = run(io, store.counts());
        if (found && *found) {
            counts = **found;
        }
    });
    return counts;
}

bool eventually(const std::function<bool()>& holds, std::chrono::milliseconds within) {
    const auto deadline = std::chrono::steady_clock::now() + within;
    while (!holds()) {
        if (std::chrono::steady_clock::now() > deadline) {
            return false;
        }
        let_pass(20ms);
    }
    return true;
}

void let_pass(std::chrono::milliseconds time) {
    std::this_thread::sleep_for(time);
}

std::size_t times(const char* variable, std::size_t otherwise) {
    const char* const wanted = std::getenv(variable);
    return wanted == nullptr ? otherwise : std::stoul(wanted);
}

} // namespace baton::test
