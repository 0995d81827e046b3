#pragma once

#include "baton/domain/suspension.hpp"
#include "baton/ports/store.hpp"

#include <CLI/App.hpp>
#include <CLI/Option.hpp>

#include <memory>
#include <optional>
#include <string>

#include "store_access.hpp"

namespace baton::program {

/// What a verb is told that holds or frees a downstream: which, of which upstream, and by whom.
struct PairingOptions {
    StoreChoice store;
    std::string downstream;
    std::string upstream;
    std::string actor;
    bool json{false};
    bool needs_upstream{false}; // there is no "every upstream"
};

/// Adds all of them; `of_upstream` says in the help what --upstream is. Returns --upstream.
CLI::Option*
add_pairing_options(CLI::App& command, PairingOptions& options, const std::string& of_upstream);

/// The downstream and, empty where none is given, the upstream; nullopt after saying what is wrong.
std::optional<domain::Pairing> pairing_of(const PairingOptions& options);

struct OpenPairing {
    domain::Pairing pairing;
    std::unique_ptr<ports::Store> store;
};

/// With the store open; nullopt after saying what is wrong.
std::optional<OpenPairing> open_pairing(const PairingOptions& options);

} // namespace baton::program
