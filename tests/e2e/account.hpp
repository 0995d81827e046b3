#pragma once

#include "baton/base/ids.hpp"
#include "baton/ports/store.hpp"

#include <cstddef>
#include <set>
#include <string_view>

#include "e2e/stage.hpp"

namespace baton::test {

/// Whether anything is still to be planned or sent.
bool is_pending(const ports::Counts& counts);

struct Account {
    std::size_t deliveries{0};
    std::size_t dispatches{0};
    std::size_t repeats{0};
    std::size_t unknown{0};
};

/// What must hold for every accepted delivery once all is quiet: it was sent to `downstreams` at
/// least, and arrived once, or once more for each attempt whose end nobody can know. One that is
/// leaving the list may have been cancelled or sent.
Account audit(
    Stage& stage,
    const std::set<DeliveryId>& accepted,
    std::size_t downstreams,
    std::string_view leaving = {}
);

} // namespace baton::test
