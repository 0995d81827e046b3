#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "support/fault_plan.hpp"

namespace baton::test {

/// A SQLite VFS over the real one that counts calls, fails those it was told to, and knows which
/// writes were synced. Files, locks and shared memory are real; beside them a DiskModel follows
/// what a disk would hold. Any thread; outlives every connection that uses it.
class FaultVfs {
public:
    enum class Fsync : std::uint8_t {
        honest = 1,
        lying, // says yes and does nothing: a disk no store can be safe on
    };

    explicit FaultVfs(Fsync fsync = Fsync::honest);
    FaultVfs(const FaultVfs&) = delete;
    FaultVfs& operator=(const FaultVfs&) = delete;
    ~FaultVfs();

    /// What SqliteOptions::vfs takes.
    const std::string& name() const;

    // --- calls that fail
    /// The `nth` call from now (from 1) that can meet this trouble fails; a write has written its
    /// first half by then.
    void fail_at(std::uint64_t nth, Trouble trouble, Lasting lasting);
    /// Each sync fails with this chance, its writes being lost or not, until healed.
    void fail_syncs(double probability, std::uint64_t seed);
    void heal();
    /// Which call failed last, for people: "write baton.db-wal"; empty when none did.
    std::string struck() const;

    // --- the plug
    /// The `nth` such moment from now is the last thing that happens, and it may be half done;
    /// every call fails from then on.
    void pull_plug_at(std::uint64_t nth, Moment moment = Moment::change);
    bool plug_is_out() const;
    /// It was not the plug: only the process died. The next one finds what programs saw, synced or
    /// not.
    void only_the_process_died();
    std::uint64_t changes() const;
    /// Writes into `folder` what the disk may hold now.
    void power_cut(std::uint64_t seed, const std::string& folder) const;

    class Inside;

private:
    std::unique_ptr<Inside> inside_;
};

} // namespace baton::test
