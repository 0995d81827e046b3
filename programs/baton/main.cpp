// baton: a cross-repository CI relay. Each subcommand is one file beside this one.

#include "command.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <exception>
#include <string>

namespace {

int run(int argc, char** argv) {
    CLI::App app{"Baton relays an upstream project's events to downstream repositories and never loses one."};
    app.name("baton");
    app.set_version_flag("--version", "baton " BATON_VERSION);
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    app.footer("Exit codes: 0 ok, 1 findings or failure, 2 unusable input. `baton COMMAND --help` says more.");

    int exit_code = baton::program::Exit::ok;
    baton::program::add_serve(app, exit_code);

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? baton::program::Exit::ok : baton::program::Exit::unusable;
    }
    return exit_code;
}

} // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& surprise) { // start-up that cannot go on
        baton::program::complain(surprise.what());
        return baton::program::Exit::failure;
    }
}
