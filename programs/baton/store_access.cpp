#include "store_access.hpp"

#include "baton/app/surroundings.hpp"
#include "baton/app/system_clock.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/config/config.hpp"
#include "baton/config/read_store.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/place.hpp"
#include "baton/store/tools.hpp"

#include <boost/asio/io_context.hpp>

#include <CLI/App.hpp>
#include <fmt/core.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "command.hpp"

namespace baton::program {

void add_store_options(CLI::App& command, StoreChoice& choice) {
    auto* config = command.add_option("--config", choice.config, "The relay's configuration file");
    auto* store = command.add_option(
        "--store", choice.store, "Or the store itself: a file, or postgresql://…"
    );
    config->option_text("FILE")->excludes(store);
    store->option_text("PATH");
}

bool may_be_told(const std::string& place) {
    if (!store::is_database(place) || !config::carries_password(place)) {
        return true;
    }
    complain("a password does not belong into a command line, where everybody on this machine can "
             "read it: leave it to PostgreSQL's password file, or to PGPASSWORD or PGPASSFILE in "
             "the environment");
    return false;
}

std::optional<std::string> store_path(const StoreChoice& choice) {
    if (!choice.store.empty()) {
        if (!may_be_told(choice.store)) {
            return std::nullopt;
        }
        constexpr std::string_view kScheme = "sqlite:";
        const bool named = choice.store.starts_with(kScheme);
        return named ? choice.store.substr(kScheme.size()) : choice.store;
    }
    if (choice.config.empty()) {
        complain("say which store: --config FILE or --store PATH");
        return std::nullopt;
    }
    auto reading = config::load_store_path(choice.config, app::real_surroundings());
    for (const auto& finding : reading.findings) {
        fmt::print(stderr, "{}\n", domain::to_text(finding, choice.config));
    }
    return std::move(reading.path);
}

std::unique_ptr<ports::Store> open_store(const StoreChoice& choice) {
    const auto path = store_path(choice);
    return path ? open_store_at(*path) : nullptr;
}

std::unique_ptr<ports::Store> open_store_at(const std::string& path) {
    auto store = store::open_beside_relay(path);
    if (!store) {
        complain(inert(store.error().detail));
        return nullptr;
    }
    return *std::move(store);
}

std::optional<store::StoreWithLevels> open_ladder(const StoreChoice& choice) {
    const auto path = store_path(choice);
    if (!path) {
        return std::nullopt;
    }
    auto opened = store::open_levels_beside_relay(*path);
    if (!opened) {
        complain(inert(opened.error().detail));
        return std::nullopt;
    }
    return *std::move(opened);
}

TimePoint present() {
    boost::asio::io_context nobody_waits;
    return app::SystemClock(nobody_waits.get_executor()).now();
}

} // namespace baton::program
