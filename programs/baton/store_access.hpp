#pragma once

#include "baton/base/time.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/tools.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include <CLI/App.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace baton::program {

/// Which store a command is about: named directly, or by a configuration whose `store` is read and
/// nothing else, so that looking needs no secrets.
struct StoreChoice {
    std::string config;
    std::string store;
};

/// Adds --config and --store.
void add_store_options(CLI::App& command, StoreChoice& choice);

/// Whether this place may stand on a command line; false after saying why not: everybody on the
/// machine reads there, and one with a password does not belong.
bool may_be_told(const std::string& place);

/// The path of the file; nullopt after saying on standard error why there is none.
std::optional<std::string> store_path(const StoreChoice& choice);

/// Opens it to look and act, beside a running relay or without one; nullptr after saying why not.
std::unique_ptr<ports::Store> open_store(const StoreChoice& choice);
std::unique_ptr<ports::Store> open_store_at(const std::string& path); // that `store_path` gave

/// The same with what the ladder keeps; nullopt after saying why not.
std::optional<store::StoreWithLevels> open_ladder(const StoreChoice& choice);

/// The machine's clock.
TimePoint present();

/// Runs one piece of work to its end on an event loop of its own.
template <class T> T run(boost::asio::awaitable<T> work) {
    boost::asio::io_context loop;
    auto done = boost::asio::co_spawn(loop, std::move(work), boost::asio::use_future);
    loop.run();
    return done.get();
}

} // namespace baton::program
