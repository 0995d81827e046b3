#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/ports/levels.hpp"
#include "baton/ports/store.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What people do with a store file from the command line, without seeing which database it is.
namespace baton::store {

/// Opens an existing store to look and act, beside a relay that serves from it or without one.
/// `not_found` without a file; `conflict` when its schema is not this version's.
Result<std::unique_ptr<ports::Store>> open_beside_relay(const std::string& path);

/// A store and what the ladder keeps in it; `levels` lives as long as the store.
struct StoreWithLevels {
    std::unique_ptr<ports::Store> store;
    ports::Levels* levels{nullptr};
};

/// As `open_beside_relay`.
Result<StoreWithLevels> open_levels_beside_relay(const std::string& path);

// --- the schema

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

// --- allowlists

/// The newest version of each upstream's allowlist, by upstream. Errors as for `open_beside_relay`.
Result<std::vector<ports::AllowlistVersion>> allowlists_in_force(const std::string& path);

/// How many dispatches of an upstream wait, by downstream.
Result<std::map<RepoName, std::size_t>>
pending_by_downstream(const std::string& path, const RepoName& upstream);

// --- backup, verification, restore

struct ProgressNow {
    std::string_view doing; // "copying", "verifying"
    std::size_t done{0};
    std::size_t total{0}; // 0: not known yet
};

/// Told now and then how far long work has come.
using Progress = std::function<void(const ProgressNow&)>;

/// One thing that was looked at.
struct Checked {
    std::string what;     // "bodies"
    std::size_t count{0}; // how many; of "schema": its number
    std::vector<std::string> findings;
    bool broken_off{false}; // before there was a count
};

struct Verification {
    std::string path;
    int schema{0};
    int schema_here{0}; // this Baton's; a store that is behind it is checked as far as that goes
    std::vector<Checked> checks;
    bool tables{false};           // they were looked at too
    std::optional<Error> refusal; // why this Baton cannot verify it, whatever else was found
};

bool is_good(const Verification& verification);
bool is_complete(const Verification& verification); // its tables were looked at too

/// Looks at everything that can be looked at: the file's structure, references, schema, tallies,
/// the ledger's sequence, every body, and what pending dispatches need. Changes nothing; a relay
/// may be serving, and one moment is looked at. An error when nothing can be verified: it cannot be
/// opened or read, is no store, or is a newer Baton's.
Result<Verification> verify_store(const std::string& path, const Progress& progress);

struct BackupOrder {
    std::string from;
    std::string to;
    bool replace{false}; // what stands at `to`
};

struct BackupReport {
    std::size_t bytes{0};
    Verification verified; // of the copy
};

/// Copies a store as it is at one moment, beside a relay that goes on writing. The copy is one
/// file; it gets its name after it was verified and is on disk, so a file of that name is a whole
/// backup whatever died meanwhile. `forbidden` when `to` is there and may not be replaced,
/// `invalid` when the copy does not verify: then nothing is left behind.
Result<BackupReport> back_up_store(const BackupOrder& order, const Progress& progress);

struct RestoreOrder {
    std::string from;
    std::string to;
    bool replace{false};
    TimePoint now{}; // names the file that the replaced store is kept in
};

struct RestoreReport {
    std::size_t bytes{0};
    std::size_t pending{0}; // dispatches that the next start sends, perhaps for the second time
    std::string kept_as;    // where the replaced store is; empty: there was none
    Verification verified;
};

/// Puts a backup in the place of a store. `conflict` while a relay serves from it, `forbidden` when
/// it is there and may not be replaced; `invalid`, with the store as it was, when the backup does
/// not verify.
Result<RestoreReport> restore_store(const RestoreOrder& order, const Progress& progress);

} // namespace baton::store
