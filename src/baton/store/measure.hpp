#pragma once

#include "baton/base/result.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/measuring.hpp"
#include "baton/ports/store.hpp"

#include <memory>
#include <string>

namespace baton::store {

/// A store with all that a downstream is measured by; the rest lives as long as the store.
struct StoreToMeasure {
    std::unique_ptr<ports::Store> store;
    ports::Levels* levels{nullptr};
    ports::Measuring* measuring{nullptr};
};

/// As `open_beside_relay` in store/tools.hpp.
Result<StoreToMeasure> open_to_measure(const std::string& path);

} // namespace baton::store
