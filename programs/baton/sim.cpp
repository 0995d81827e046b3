// baton sim [--port N] [--public-key FILE | --make-key FILE] [--webhook-url URL ...]
//
// A GitHub to play with: the part of its REST API that Baton uses, webhooks going out, downstreams
// that report by script, and a control API under /_sim/ that opens pull requests, pushes, and makes
// it misbehave. The first line of standard output is its address.

#include "baton/app/files.hpp"
#include "baton/app/surroundings.hpp"
#include "baton/app/system_clock.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/sim/api_limits.hpp"
#include "baton/sim/sim_server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/system/error_code.hpp>

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "command.hpp"

namespace baton::program {

namespace {

namespace asio = boost::asio;

struct SimOptions {
    std::string host{"127.0.0.1"};
    std::uint16_t port{0};
    std::uint64_t seed{1};
    std::int64_t app_id{12345};
    std::string public_key;
    std::string make_key;
    std::string webhook_url;
    std::string webhook_secret_env;
    bool limits{false};
    std::optional<std::int64_t> calls_per_hour;
};

/// Takes a private key as well, for people have that at hand; only its public half is used.
Result<crypto::RsaPublicKey> read_key(const std::string& path) {
    BATON_TRY(const auto pem, app::read_file(path, limits::kConfigBytesMax));
    if (const auto key = crypto::AppKey::parse(pem)) {
        return key->public_key();
    }
    auto key = crypto::RsaPublicKey::parse(pem);
    if (!key) {
        return fail(Errc::invalid, fmt::format("{}: {}", path, key.error().detail));
    }
    return key;
}

Error taken(const std::string& path) {
    return {
        .code = Errc::conflict,
        .detail = fmt::format(
            "{0} is there already and is not overwritten; use it with --public-key {0}, or name "
            "another file",
            path
        ),
    };
}

/// For its owner's eyes, and never over a key that somebody still uses.
Result<void> write_new_file(const std::string& path, const std::string& text) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0 && errno == EEXIST) {
        return fail(taken(path));
    }
    if (file < 0) {
        const auto why = std::generic_category().message(errno);
        return fail(Errc::unavailable, fmt::format("{} cannot be made: {}", path, why));
    }
    const auto written = ::write(file, text.data(), text.size());
    if (::close(file) != 0 || written != static_cast<ssize_t>(text.size())) {
        return fail(Errc::unavailable, fmt::format("{} cannot be written", path));
    }
    return {};
}

/// Which App may come in. A new key is not on disk yet: the address has to be ours first.
struct AppKeys {
    crypto::RsaPublicKey door;
    std::string new_private_pem; // empty: nothing to write
};

Result<AppKeys> app_keys(const SimOptions& options) {
    if (options.public_key.empty() == options.make_key.empty()) {
        return fail(
            Errc::invalid, "say which App may come in: --public-key FILE or --make-key FILE"
        );
    }
    if (!options.public_key.empty()) {
        BATON_TRY(auto door, read_key(options.public_key));
        return AppKeys{.door = std::move(door), .new_private_pem = {}};
    }
    if (::access(options.make_key.c_str(), F_OK) == 0) {
        return fail(taken(options.make_key));
    }
    auto pair = crypto::make_rsa_key_pair();
    BATON_TRY(auto door, crypto::RsaPublicKey::parse(pair.public_pem));
    return AppKeys{.door = std::move(door), .new_private_pem = std::move(pair.private_pem)};
}

Result<sim::HookTarget> webhook_target(const SimOptions& options) {
    sim::HookTarget target{.url = options.webhook_url, .secret = {}};
    if (!options.webhook_secret_env.empty()) {
        const auto secret = app::real_surroundings().environment(options.webhook_secret_env);
        if (!secret || secret->empty()) {
            return fail(
                Errc::invalid,
                fmt::format("the environment variable {} is not set", options.webhook_secret_env)
            );
        }
        target.secret = *secret;
    }
    return target;
}

sim::SimServer::Options server_options(const SimOptions& options, sim::HookTarget target) {
    sim::SimServer::Options out;
    out.host = options.host;
    out.port = options.port;
    out.model.seed = options.seed;
    out.model.app_id = options.app_id;
    if (options.limits) {
        out.limits = sim::LimitRules::published();
        out.model.calls_per_hour = sim::kCallsPerHour;
    }
    if (options.calls_per_hour) {
        out.model.calls_per_hour = *options.calls_per_hour;
    }
    out.webhooks = std::move(target);
    out.on_surprise = [](const std::string& surprise) { complain(inert(surprise)); };
    return out;
}

int refuse(const Error& error) {
    complain(inert(error.detail));
    return Exit::unusable;
}

int simulate(const SimOptions& options) {
    auto target = webhook_target(options);
    if (!target) {
        return refuse(target.error());
    }
    auto keys = app_keys(options);
    if (!keys) {
        return refuse(keys.error());
    }
    asio::io_context loop;
    // Waiting for signals starts before the server does: a SIGTERM during start is not lost.
    asio::signal_set signals(loop, SIGTERM, SIGINT);
    signals.async_wait([](const boost::system::error_code& /*none*/, int /*number*/) {});
    app::SystemClock clock(loop.get_executor());
    sim::SimServer server(server_options(options, *std::move(target)), keys->door, clock);
    if (const auto started = server.start(); !started) {
        return refuse(started.error());
    }
    if (!keys->new_private_pem.empty()) {
        if (const auto written = write_new_file(options.make_key, keys->new_private_pem);
            !written) {
            return refuse(written.error());
        }
    }
    fmt::print("{}\n", server.url());
    static_cast<void>(std::fflush(stdout)); // whoever waits for the address reads a pipe
    loop.run();
    server.stop();
    return Exit::ok;
}

} // namespace

void add_sim(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<SimOptions>();
    auto* command = app.add_subcommand("sim", "Run the GitHub simulator alone until SIGTERM");
    command->add_option("--host", options->host, "Listen here; default 127.0.0.1")
        ->option_text("ADDRESS");
    command->add_option("--port", options->port, "... on this port; default any free one")
        ->option_text("N");
    command->add_option("--seed", options->seed, "Equal seeds make equal worlds; default 1")
        ->option_text("N");
    command->add_option("--app-id", options->app_id, "The App's number; default 12345")
        ->option_text("N");
    command->add_option("--public-key", options->public_key, "The App's key, public or private")
        ->option_text("FILE");
    command->add_option("--make-key", options->make_key, "Or write a new private key there")
        ->option_text("FILE");
    command->add_flag("--limits", options->limits, "Enforce the rate limits that GitHub publishes");
    command
        ->add_option(
            "--calls-per-hour",
            options->calls_per_hour,
            "Calls of each installation; default 1000000, 5000 with --limits"
        )
        ->check(CLI::PositiveNumber)
        ->option_text("N");
    auto* url = command->add_option("--webhook-url", options->webhook_url, "Where webhooks go")
                    ->option_text("URL");
    command->add_option("--webhook-secret-env", options->webhook_secret_env, "Holds their secret")
        ->needs(url)
        ->option_text("NAME");
    command->footer(
        R"(The first line printed is its address: Baton's github.api_url. Repositories, pull requests, pushes,
labels and faults are made through the control API under /_sim/ on the same port; it asks for no
password, so leave it on a loopback address. Downstreams play scripts (pass, fail, flaky, silent,
forged ...) and report to a relay with tokens of the issuer ADDRESS/_oidc, which goes into Baton's
oidc.issuers. docs/design/simulator.md lists the calls.

Example:
  baton sim --make-key app.pem --webhook-url http://127.0.0.1:8080/github/webhook \
    --webhook-secret-env BATON_WEBHOOK_SECRET
  curl -d '{"repo": "up/stream"}' http://127.0.0.1:PORT/_sim/repos
  curl -d '{"repo": "down/one", "script": "flaky",
    "callback_url": "http://127.0.0.1:8080/github/callback"}' http://127.0.0.1:PORT/_sim/scripts
The next time, use the key that is there: baton sim --public-key app.pem ...

Exit codes: 0 stopped by SIGTERM or SIGINT, 2 a key, a secret or the address cannot be used.)"
    );
    command->callback([options, &exit_code] { exit_code = simulate(*options); });
}

} // namespace baton::program
