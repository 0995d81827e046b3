// baton serve --config FILE [--shadow]
//
// Runs the relay until SIGTERM or SIGINT. The first line of standard output is the address; the log
// goes to standard error. SIGHUP reads the configuration again: what can be reloaded is, and the
// log says what cannot. Ten seconds after SIGTERM it is gone, whatever it waits for.

#include "baton/app/service.hpp"
#include "baton/config/config.hpp"
#include "baton/sim/crash_points.hpp"

#include <CLI/App.hpp>
#include <fmt/core.h>
#include <sys/resource.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "command.hpp"
#include "serve_signals.hpp"

namespace baton::program {

namespace {

struct ServeOptions {
    std::string config;
    std::optional<int> port;
    bool shadow{false};
    std::string kill_at; // a crash point, for tests
    std::size_t kill_passage{1};
};

void reload(app::Service& service, const std::string& path) {
    const auto fresh = load_or_complain(path);
    if (!fresh) {
        complain("the configuration has errors; the one in force stays");
        return;
    }
    const auto reloaded = service.reload(*fresh);
    if (!reloaded) {
        complain(reloaded.error().detail + "; the configuration in force stays");
    }
}

/// Every connection is an open file, and many systems allow a process a thousand at first: as many
/// as may be. Fewer than we would take is no reason not to serve.
void allow_open_files() {
    rlimit files{};
    if (::getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
        files.rlim_cur = files.rlim_max;
        static_cast<void>(::setrlimit(RLIMIT_NOFILE, &files));
    }
}

int serve(const ServeOptions& options) {
    // A limit on file sizes is a full disk, and a reader of our output that went away is no reason
    // to die.
    static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
    static_cast<void>(std::signal(SIGPIPE, SIG_IGN));
    allow_open_files();
    ServeSignals signals;
    auto config = load_or_complain(options.config);
    if (!config) {
        return Exit::unusable;
    }
    if (options.port) {
        config->listen.port = static_cast<std::uint16_t>(*options.port);
    }
    app::Service::Options service_options{
        .log = std::cerr, .kill = std::nullopt, .shadow = options.shadow
    };
    if (options.port) {
        service_options.address_setting = "--port";
    }
    if (!options.kill_at.empty()) {
        service_options.kill =
            sim::KillPlan{.point = options.kill_at, .passage = options.kill_passage};
    }
    const auto host = config->listen.host;
    const bool tls = config->tls.has_value();
    auto service = app::Service::open(*std::move(config), service_options);
    if (!service) {
        complain(service.error().detail);
        return Exit::unusable;
    }
    signals.begin_work();
    const auto started = (*service)->start();
    if (!started) {
        const int exit_code = signals.is_asked_to_stop() ? Exit::ok : Exit::unusable;
        signals.end_in_time(exit_code);
        complain(started.error().detail);
        service->reset();
        return exit_code;
    }
    const bool v6 = host.find(':') != std::string::npos;
    fmt::print(
        "{}://{}{}{}:{}\n",
        tls ? "https" : "http",
        v6 ? "[" : "",
        host,
        v6 ? "]" : "",
        (*service)->port()
    );
    static_cast<void>(std::fflush(stdout)); // whoever waits for the address reads a pipe
    while (signals.next() == ServeSignals::Word::reload) {
        reload(**service, options.config);
    }
    (*service)->stop();
    service->reset(); // and the store, which finishes what is queued
    return Exit::ok;
}

} // namespace

void add_serve(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<ServeOptions>();
    auto* command = app.add_subcommand("serve", "Run the relay until SIGTERM; SIGHUP reloads");
    command
        ->add_option(
            "--config", options->config, "The configuration file (docs/config.example.yml)"
        )
        ->required();
    command
        ->add_option("--port", options->port, "Listen on this port instead; 0 means any free one")
        ->check(CLI::Range(0, 65535));
    command->add_flag(
        "--shadow",
        options->shadow,
        "Verify, decide and record everything, and send nothing: beside another relay"
    );
    command->add_option("--kill-at", options->kill_at, "End by SIGKILL at this crash point")
        ->group("");
    command->add_option("--kill-passage", options->kill_passage, "... at its Nth passage")
        ->group("");
    command->callback([options, &exit_code] { exit_code = serve(*options); });
}

} // namespace baton::program
