#include "support/fault_plan.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cstdint>
#include <string_view>

namespace baton::test {

namespace {

struct Trait {
    const char* name;
    int io_error;
    bool changes; // the disk
};

Trait trait_of(DiskCall call) {
    switch (call) {
    case DiskCall::open:
        return {"open", SQLITE_CANTOPEN, false};
    case DiskCall::make:
        return {"make", SQLITE_CANTOPEN, true};
    case DiskCall::read:
        return {"read", SQLITE_IOERR_READ, false};
    case DiskCall::write:
        return {"write", SQLITE_IOERR_WRITE, true};
    case DiskCall::truncate:
        return {"truncate", SQLITE_IOERR_TRUNCATE, true};
    case DiskCall::sync:
        return {"sync", SQLITE_IOERR_FSYNC, true};
    case DiskCall::size:
        return {"size", SQLITE_IOERR_FSTAT, false};
    case DiskCall::lock:
        return {"lock", SQLITE_IOERR_LOCK, false};
    case DiskCall::remove:
        return {"remove", SQLITE_IOERR_DELETE, true};
    case DiskCall::look:
        return {"look", SQLITE_IOERR_ACCESS, false};
    case DiskCall::map_shared:
        return {"map_shared", SQLITE_IOERR_SHMMAP, false};
    case DiskCall::lock_shared:
        return {"lock_shared", SQLITE_IOERR_SHMLOCK, false};
    }
    return {};
}

/// What SQLite hears when this trouble meets this call; SQLITE_OK when it cannot.
int code_for(Trouble trouble, DiskCall call) {
    switch (trouble) {
    case Trouble::io_error:
        return trait_of(call).io_error;
    case Trouble::disk_full:
        return call == DiskCall::write ? SQLITE_FULL : SQLITE_OK;
    case Trouble::busy:
        return call == DiskCall::lock || call == DiskCall::lock_shared ? SQLITE_BUSY : SQLITE_OK;
    }
    return SQLITE_OK;
}

} // namespace

FaultPlan::Verdict FaultPlan::judge(DiskCall call, std::string_view file) {
    const auto trait = trait_of(call);
    if (dark_) {
        return {.code = trait.io_error, .in_the_dark = true};
    }
    if (trait.changes) {
        ++changes_;
        const bool counts = moment_ == Moment::change || call == DiskCall::sync;
        dark_ = counts && dark_in_ > 0 && --dark_in_ == 0;
        if (dark_) {
            return {.code = trait.io_error, .goes_dark = true};
        }
    }
    const int code = code_for(trouble_, call);
    if (code != SQLITE_OK && (failing_ || (fails_in_ > 0 && --fails_in_ == 0))) {
        failing_ = lasting_ == Lasting::until_healed;
        struck_ = fmt::format("{} {}", trait.name, file);
        return {.code = code};
    }
    if (call == DiskCall::sync && sync_failure_ > 0 && chance_->draw().unit() < sync_failure_) {
        struck_ = fmt::format("{} {}", trait.name, file);
        return {.code = trait.io_error};
    }
    return {};
}

void FaultPlan::fail_at(std::uint64_t nth, Trouble trouble, Lasting lasting) {
    trouble_ = trouble;
    lasting_ = lasting;
    fails_in_ = nth;
    failing_ = false;
    struck_.clear();
}

void FaultPlan::fail_syncs(double probability, std::uint64_t seed) {
    sync_failure_ = probability;
    chance_.emplace(seed);
}

void FaultPlan::heal() {
    fails_in_ = 0;
    failing_ = false;
    sync_failure_ = 0;
}

} // namespace baton::test
