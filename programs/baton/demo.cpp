// baton demo [--seconds N] [--seed N] [--port N] [--keep] [--store URL]
//
// Everything on one machine: a simulated GitHub, two dozen downstreams, people at work, trouble of
// every kind, and the real relay between them. The first line of standard output is the relay's
// address; then a terminal shows one screen that is redrawn in place, anything else gets a summary
// line every two seconds. Ctrl-C stops it, and the account at the end says what was sent, what
// arrived, and whether anything is missing.

#include "baton/app/demo.hpp"

#include "baton/app/demo_screen.hpp"
#include "baton/app/demo_stop.hpp"
#include "baton/app/system_chance.hpp"

#include <CLI/App.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "command.hpp"
#include "store_access.hpp"

namespace baton::program {

namespace {

constexpr std::uint64_t kSeedsDrawn = 10'000; // short enough to be typed again

struct DemoOptions {
    std::optional<std::int64_t> seconds;
    std::optional<std::uint64_t> seed;
    std::uint16_t port{0};
    bool keep{false};
    std::string store;
};

Exit demo(const DemoOptions& options) {
    if (!may_be_told(options.store)) {
        return Exit::unusable;
    }
    app::demo::Options settings{
        .lasts = std::nullopt, .port = options.port, .keep = options.keep, .store = options.store
    };
    if (options.seconds) {
        settings.lasts = std::chrono::seconds(*options.seconds);
    }
    settings.seed = options.seed.value_or(app::SystemChance().draw().below(kSeedsDrawn));
    app::demo::StopSign stop;
    app::demo::Screen screen;
    switch (app::demo::run(settings, screen, stop)) {
    case app::demo::Ending::nothing_lost:
        return Exit::ok;
    case app::demo::Ending::something_wrong:
        return Exit::failure;
    case app::demo::Ending::not_started:
        return Exit::unusable;
    }
    return Exit::failure;
}

} // namespace

void add_demo(CLI::App& app, int& exit_code) {
    auto options = std::make_shared<DemoOptions>();
    auto* command = app.add_subcommand(
        "demo", "Show the relay at work on this machine, with trouble of every kind"
    );
    command
        ->add_option(
            "--seconds", options->seconds, "Stop by itself after so long; otherwise Ctrl-C does"
        )
        ->check(CLI::Range(1, 1'000'000));
    command->add_option("--seed", options->seed, "Play the same people again; drawn when left out");
    command->add_option(
        "--port", options->port, "The relay's port; 0, the default, means any free one"
    );
    command->add_flag(
        "--keep", options->keep, "Leave the store and the relay's log behind, and say where"
    );
    command
        ->add_option(
            "--store",
            options->store,
            "Play in this database, which has to be empty, and leave all in it"
        )
        ->option_text("postgresql://…");
    command->callback([options, &exit_code] { exit_code = demo(*options); });
}

} // namespace baton::program
