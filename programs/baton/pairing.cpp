#include "pairing.hpp"

#include "baton/domain/suspension.hpp"

#include <CLI/App.hpp>
#include <CLI/Option.hpp>

#include <optional>
#include <string>
#include <utility>

#include "command.hpp"
#include "downstream.hpp"
#include "store_access.hpp"

namespace baton::program {

CLI::Option*
add_pairing_options(CLI::App& command, PairingOptions& options, const std::string& of_upstream) {
    add_downstream_name(command, options.downstream);
    add_store_options(command, options.store);
    auto* upstream = command.add_option("--upstream", options.upstream, of_upstream);
    upstream->option_text("OWNER/REPO");
    add_actor_option(command, options.actor);
    command.add_flag("--json", options.json, "Print one JSON object");
    return upstream;
}

std::optional<domain::Pairing> pairing_of(const PairingOptions& options) {
    domain::Pairing pairing;
    auto downstream = repo_or_complain("the downstream", options.downstream);
    if (!downstream) {
        return std::nullopt;
    }
    pairing.downstream = *std::move(downstream);
    if (options.needs_upstream || !options.upstream.empty()) {
        auto upstream = repo_or_complain("--upstream", options.upstream);
        if (!upstream) {
            return std::nullopt;
        }
        pairing.upstream = *std::move(upstream);
    }
    return pairing;
}

std::optional<OpenPairing> open_pairing(const PairingOptions& options) {
    auto pairing = pairing_of(options);
    if (!pairing) {
        return std::nullopt;
    }
    auto store = open_store(options.store);
    if (!store) {
        return std::nullopt;
    }
    return OpenPairing{.pairing = *std::move(pairing), .store = std::move(store)};
}

} // namespace baton::program
