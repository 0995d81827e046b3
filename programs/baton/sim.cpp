// baton sim [--port N] [--public-key FILE | --make-key FILE] [--webhook-url URL ...]
//
// A GitHub to play with: the part of its REST API that Baton uses, webhooks going out, and a
// control API under /_sim/ that opens pull requests, pushes, and makes it misbehave. The first line
// of standard output is its address.

#include "baton/app/files.hpp"
#include "baton/app/surroundings.hpp"
#include "baton/app/system_clock.hpp"
#include "baton/base/limits.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/crypto/rsa_key.hpp"
#include "baton/sim/sim_server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/system/error_code.hpp>

#include <CLI/App.hpp>
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <memory>
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

/// For its owner's eyes, and never over a key that somebody still uses.
Result<void> write_new_file(const std::string& path, const std::string& text) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
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

Result<crypto::RsaPublicKey> app_key(const SimOptions& options) {
    if (options.public_key.empty() == options.make_key.empty()) {
        return fail(
            Errc::invalid, "say which App may come in: --public-key FILE or --make-key FILE"
        );
    }
    if (!options.public_key.empty()) {
        return read_key(options.public_key);
    }
    const auto pair = crypto::make_rsa_key_pair();
    if (auto written = write_new_file(options.make_key, pair.private_pem); !written) {
        return fail(std::move(written).error());
    }
    return crypto::RsaPublicKey::parse(pair.public_pem);
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

int refuse(const Error& error) {
    complain(inert(error.detail));
    return Exit::unusable;
}

int simulate(const SimOptions& options) {
    auto target = webhook_target(options);
    if (!target) {
        return refuse(target.error());
    }
    auto key = app_key(options);
    if (!key) {
        return refuse(key.error());
    }
    asio::io_context loop;
    // Waiting for signals starts before the server does: a SIGTERM during start is not lost.
    asio::signal_set signals(loop, SIGTERM, SIGINT);
    signals.async_wait([](const boost::system::error_code& /*none*/, int /*number*/) {});
    app::SystemClock clock(loop.get_executor());
    sim::SimServer::Options server_options;
    server_options.host = options.host;
    server_options.port = options.port;
    server_options.model.seed = options.seed;
    server_options.model.app_id = options.app_id;
    server_options.webhooks = *std::move(target);
    server_options.on_surprise = [](const std::string& surprise) { complain(inert(surprise)); };
    sim::SimServer server(std::move(server_options), *std::move(key), clock);
    if (const auto started = server.start(); !started) {
        return refuse(started.error());
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
    auto* url = command->add_option("--webhook-url", options->webhook_url, "Where webhooks go")
                    ->option_text("URL");
    command->add_option("--webhook-secret-env", options->webhook_secret_env, "Holds their secret")
        ->needs(url)
        ->option_text("NAME");
    command->footer(
        R"(The first line printed is its address: Baton's github.api_url. Repositories, pull requests, pushes,
labels and faults are made through the control API under /_sim/ on the same port; it asks for no
password, so leave it on a loopback address. docs/design/simulator.md lists the calls.

Example:
  baton sim --make-key app.pem --webhook-url http://127.0.0.1:8080/github/webhook \
    --webhook-secret-env BATON_WEBHOOK_SECRET
  curl -d '{"repo": "up/stream"}' http://127.0.0.1:PORT/_sim/repos

Exit codes: 0 stopped by SIGTERM or SIGINT, 2 a key, a secret or the address cannot be used.)"
    );
    command->callback([options, &exit_code] { exit_code = simulate(*options); });
}

} // namespace baton::program
