#pragma once

#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/store.hpp"

#include <memory>
#include <string>
#include <vector>

/// What people do with a store file from the command line, without seeing which database it is.
namespace baton::store {

/// Opens an existing store to look and act, beside a relay that serves from it or without one.
/// `not_found` without a file; `conflict` when its schema is not this version's.
Result<std::unique_ptr<ports::Store>> open_beside_relay(const std::string& path);

/// The steps from the schema that a store has to the one that this Baton knows.
struct SchemaSteps {
    int from{0}; // 0: an empty store, or none yet
    int to{0};
    std::vector<std::string> steps; // "0002_dispatch", in order; empty: up to date
};

/// What `migrate_store` would do; nothing is made or changed, and a relay may be serving.
/// `conflict` when a newer Baton wrote the store or it is another program's file.
Result<SchemaSteps> pending_steps(const std::string& path);

/// Does it; also makes a store that is not there. `conflict` as above, and when a relay is serving.
Result<SchemaSteps> migrate_store(const std::string& path, TimePoint now);

} // namespace baton::store
