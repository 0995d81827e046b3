// baton: a cross-repository CI relay. Each subcommand is one file beside this one.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include <exception>
#include <string>

#include "command.hpp"

namespace {

void call_them_commands(CLI::App& app) {
    for (auto* command : app.get_subcommands({})) {
        command->group("Commands");
        call_them_commands(*command);
    }
}

int run(int argc, char** argv) {
    CLI::App app{
        "Baton relays an upstream project's events to downstream repositories and never loses one."
    };
    app.name("baton");
    app.set_version_flag("--version", "baton " BATON_VERSION);
    app.require_subcommand(1);
    app.get_formatter()->column_width(34);
    app.get_formatter()->label("Positionals", "Arguments");
    app.get_formatter()->label("SUBCOMMAND", "COMMAND");
    app.failure_message(baton::program::explain_refusal);
    app.footer("Exit codes: 0 ok, 1 findings or failure, 2 unusable input. `baton COMMAND --help` "
               "says more.");

    int exit_code = baton::program::Exit::ok;
    baton::program::add_serve(app, exit_code);
    baton::program::add_check_config(app, exit_code);
    baton::program::add_allowlist(app, exit_code);
    baton::program::add_deliveries(app, exit_code);
    baton::program::add_downstream(app, exit_code);
    baton::program::add_gate(app, exit_code);
    baton::program::add_levels(app, exit_code);
    baton::program::add_quality(app, exit_code);
    baton::program::add_outbox(app, exit_code);
    baton::program::add_explain(app, exit_code);
    baton::program::add_shadow(app, exit_code);
    baton::program::add_report(app, exit_code);
    baton::program::add_db(app, exit_code);
    baton::program::add_sim(app, exit_code);
    baton::program::add_demo(app, exit_code);
    baton::program::add_completion(app, exit_code);
    baton::program::add_man(app, exit_code);
    call_them_commands(app);

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
