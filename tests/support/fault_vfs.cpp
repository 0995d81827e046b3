#include "support/fault_vfs.hpp"

#include <sqlite3.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <ios>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/disk_model.hpp"
#include "support/fault_plan.hpp"

namespace baton::test {

namespace {

std::string file_name(const char* path) {
    return std::filesystem::path(path).filename().string();
}

std::string bytes_of(const char* path) {
    std::string bytes(std::filesystem::file_size(path), '\0');
    std::ifstream(path, std::ios::binary)
        .read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

} // namespace

class FaultVfs::Inside {
public:
    explicit Inside(Fsync fsync);
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

    ~Inside() { sqlite3_vfs_unregister(&vfs); }

    int open(const char* path, sqlite3_file* out, int flags, int* out_flags);
    int write(struct OpenFile& file, std::string_view bytes, std::int64_t offset);
    int truncate(struct OpenFile& file, std::int64_t size);
    int sync(struct OpenFile& file, int flags);
    int remove(const char* path, int sync_folder);

    mutable std::mutex mutex;
    std::string name;
    Fsync fsync;
    sqlite3_vfs* real{sqlite3_vfs_find("unix")};
    sqlite3_vfs vfs{};
    DiskModel disk;
    FaultPlan plan;
};

/// What SQLite calls an open file; the real one lies right behind it in memory.
struct OpenFile {
    sqlite3_file base; // first: SQLite sees this only
    FaultVfs::Inside* vfs;
    DiskModel::File node;
    std::string name;
    bool
        folder_due; // SQLite's own VFS syncs the folder with the first sync of a new log or journal

    sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

namespace {

OpenFile& opened(sqlite3_file* file) {
    return *reinterpret_cast<OpenFile*>(file);
}

FaultVfs::Inside& inside(sqlite3_vfs* vfs) {
    return *static_cast<FaultVfs::Inside*>(vfs->pAppData);
}

/// A call that changes no disk: fails, or is the real one.
template <class Real> int passing(OpenFile& file, DiskCall call, Real perform) {
    const std::lock_guard lock(file.vfs->mutex);
    const auto verdict = file.vfs->plan.judge(call, file.name);
    return verdict.good() ? perform(file.real()) : verdict.code;
}

/// What cannot fail is the real call.
template <auto Method, class... Values> auto forward(sqlite3_file* file, Values... values) {
    auto* real = opened(file).real();
    return (real->pMethods->*Method)(real, values...);
}

int x_close(sqlite3_file* file) {
    auto& mine = opened(file);
    const std::lock_guard lock(mine.vfs->mutex);
    const int code = mine.real()->pMethods->xClose(mine.real());
    mine.~OpenFile();
    return code;
}

int x_read(sqlite3_file* file, void* into, int size, sqlite3_int64 offset) {
    return passing(opened(file), DiskCall::read, [&](sqlite3_file* real) {
        return real->pMethods->xRead(real, into, size, offset);
    });
}

int x_write(sqlite3_file* file, const void* from, int size, sqlite3_int64 offset) {
    auto& mine = opened(file);
    return mine.vfs->write(
        mine, {static_cast<const char*>(from), static_cast<std::size_t>(size)}, offset
    );
}

int x_truncate(sqlite3_file* file, sqlite3_int64 size) {
    return opened(file).vfs->truncate(opened(file), size);
}

int x_sync(sqlite3_file* file, int flags) {
    return opened(file).vfs->sync(opened(file), flags);
}

int x_file_size(sqlite3_file* file, sqlite3_int64* size) {
    return passing(opened(file), DiskCall::size, [&](sqlite3_file* real) {
        return real->pMethods->xFileSize(real, size);
    });
}

int x_lock(sqlite3_file* file, int level) {
    return passing(opened(file), DiskCall::lock, [&](sqlite3_file* real) {
        return real->pMethods->xLock(real, level);
    });
}

int x_shm_map(sqlite3_file* file, int page, int size, int extend, volatile void** out) {
    return passing(opened(file), DiskCall::map_shared, [&](sqlite3_file* real) {
        return real->pMethods->xShmMap(real, page, size, extend, out);
    });
}

int x_shm_lock(sqlite3_file* file, int offset, int count, int flags) {
    auto* real = opened(file).real();
    if ((flags & SQLITE_SHM_UNLOCK) != 0) { // giving back never fails
        return real->pMethods->xShmLock(real, offset, count, flags);
    }
    return passing(opened(file), DiskCall::lock_shared, [&](sqlite3_file* inner) {
        return inner->pMethods->xShmLock(inner, offset, count, flags);
    });
}

const sqlite3_io_methods kMethods{
    .iVersion = 2, // no memory mapping: every access is a call
    .xClose = x_close,
    .xRead = x_read,
    .xWrite = x_write,
    .xTruncate = x_truncate,
    .xSync = x_sync,
    .xFileSize = x_file_size,
    .xLock = x_lock,
    .xUnlock = forward<&sqlite3_io_methods::xUnlock, int>,
    .xCheckReservedLock = forward<&sqlite3_io_methods::xCheckReservedLock, int*>,
    .xFileControl = forward<&sqlite3_io_methods::xFileControl, int, void*>,
    .xSectorSize = forward<&sqlite3_io_methods::xSectorSize>,
    .xDeviceCharacteristics = forward<&sqlite3_io_methods::xDeviceCharacteristics>,
    .xShmMap = x_shm_map,
    .xShmLock = x_shm_lock,
    .xShmBarrier = forward<&sqlite3_io_methods::xShmBarrier>,
    .xShmUnmap = forward<&sqlite3_io_methods::xShmUnmap, int>,
    .xFetch = nullptr,
    .xUnfetch = nullptr,
};

int x_open(sqlite3_vfs* vfs, const char* path, sqlite3_file* out, int flags, int* out_flags) {
    return inside(vfs).open(path, out, flags, out_flags);
}

int x_delete(sqlite3_vfs* vfs, const char* path, int sync_folder) {
    return inside(vfs).remove(path, sync_folder);
}

int x_access(sqlite3_vfs* vfs, const char* path, int flags, int* result) {
    auto& all = inside(vfs);
    const std::lock_guard lock(all.mutex);
    const auto verdict = all.plan.judge(DiskCall::look, file_name(path));
    return verdict.good() ? all.real->xAccess(all.real, path, flags, result) : verdict.code;
}

int x_full_pathname(sqlite3_vfs* vfs, const char* path, int size, char* out) {
    auto* real = inside(vfs).real;
    return real->xFullPathname(real, path, size, out);
}

int x_randomness(sqlite3_vfs* vfs, int size, char* out) {
    auto* real = inside(vfs).real;
    return real->xRandomness(real, size, out);
}

/// Waiting for a lock takes no time here: SQLite counts what it asked for.
int x_sleep(sqlite3_vfs* /*vfs*/, int microseconds) {
    return microseconds;
}

int x_current_time(sqlite3_vfs* vfs, double* out) {
    auto* real = inside(vfs).real;
    return real->xCurrentTime(real, out);
}

} // namespace

FaultVfs::Inside::Inside(Fsync kind)
    : fsync(kind) {
    static std::atomic<int> made{0};
    name = "fault-" + std::to_string(++made);
    vfs.iVersion = 1;
    vfs.szOsFile = static_cast<int>(sizeof(OpenFile)) + real->szOsFile;
    vfs.mxPathname = real->mxPathname;
    vfs.zName = name.c_str();
    vfs.pAppData = this;
    vfs.xOpen = x_open;
    vfs.xDelete = x_delete;
    vfs.xAccess = x_access;
    vfs.xFullPathname = x_full_pathname;
    vfs.xRandomness = x_randomness;
    vfs.xSleep = x_sleep;
    vfs.xCurrentTime = x_current_time;
    if (sqlite3_vfs_register(&vfs, 0) != SQLITE_OK) {
        throw std::runtime_error("the VFS cannot be registered");
    }
}

int FaultVfs::Inside::open(const char* path, sqlite3_file* out, int flags, int* out_flags) {
    out->pMethods = nullptr; // nothing to close unless this succeeds
    const std::lock_guard lock(mutex);
    const auto file = path == nullptr ? std::string() : file_name(path);
    const bool made = path != nullptr && !std::filesystem::exists(path);
    const auto verdict = plan.judge(made ? DiskCall::make : DiskCall::open, file);
    if (verdict.goes_dark) {
        disk.open(file);
    }
    if (!verdict.good()) {
        return verdict.code;
    }
    auto* mine = new (out) OpenFile{
        .base = {},
        .vfs = this,
        .node = nullptr,
        .name = file,
        .folder_due = made && (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_JOURNAL)) != 0,
    };
    const int code = real->xOpen(real, path, mine->real(), flags, out_flags);
    if (code != SQLITE_OK) {
        mine->~OpenFile();
        out->pMethods = nullptr;
        return code;
    }
    // An empty database was made a moment ago by whoever opens it: its name is not durable yet.
    const bool fresh = made || ((flags & SQLITE_OPEN_MAIN_DB) != 0 && bytes_of(path).empty());
    if (path != nullptr && !fresh && !disk.knows(file)) {
        disk.keep(file, bytes_of(path));
    }
    mine->node = disk.open(file);
    mine->base.pMethods = &kMethods;
    return SQLITE_OK;
}

int FaultVfs::Inside::write(OpenFile& file, std::string_view bytes, std::int64_t offset) {
    const std::lock_guard lock(mutex);
    const auto verdict = plan.judge(DiskCall::write, file.name);
    if (verdict.in_the_dark) {
        return verdict.code;
    }
    const auto done =
        verdict.good() || verdict.goes_dark ? bytes : bytes.substr(0, bytes.size() / 2);
    DiskModel::write(file.node, static_cast<std::size_t>(offset), done);
    const int code = file.real()->pMethods->xWrite(
        file.real(), done.data(), static_cast<int>(done.size()), offset
    );
    return verdict.good() ? code : verdict.code;
}

int FaultVfs::Inside::truncate(OpenFile& file, std::int64_t size) {
    const std::lock_guard lock(mutex);
    const auto verdict = plan.judge(DiskCall::truncate, file.name);
    if (verdict.good() || verdict.goes_dark) {
        DiskModel::truncate(file.node, static_cast<std::size_t>(size));
    }
    return verdict.good() ? file.real()->pMethods->xTruncate(file.real(), size) : verdict.code;
}

int FaultVfs::Inside::sync(OpenFile& file, int flags) {
    const std::lock_guard lock(mutex);
    const auto verdict = plan.judge(DiskCall::sync, file.name);
    if (!verdict.good()) {
        if (!verdict.in_the_dark && !verdict.goes_dark) {
            DiskModel::fail_sync(file.node, plan.changes());
        }
        return verdict.code;
    }
    if (fsync == Fsync::honest) {
        DiskModel::sync(file.node);
        disk.sync_name(file.name);
        if (file.folder_due) {
            disk.sync_folder();
        }
    }
    file.folder_due = false;
    return file.real()->pMethods->xSync(file.real(), flags);
}

int FaultVfs::Inside::remove(const char* path, int sync_folder) {
    const std::lock_guard lock(mutex);
    const auto verdict = plan.judge(DiskCall::remove, file_name(path));
    if (verdict.good() || verdict.goes_dark) {
        disk.remove(file_name(path));
    }
    if (!verdict.good()) {
        return verdict.code;
    }
    if (sync_folder != 0 && fsync == Fsync::honest) {
        disk.sync_folder();
    }
    return real->xDelete(real, path, sync_folder);
}

FaultVfs::FaultVfs(Fsync fsync)
    : inside_(std::make_unique<Inside>(fsync)) {}

FaultVfs::~FaultVfs() = default;

const std::string& FaultVfs::name() const {
    return inside_->name;
}

void FaultVfs::fail_at(std::uint64_t nth, Trouble trouble, Lasting lasting) {
    const std::lock_guard lock(inside_->mutex);
    inside_->plan.fail_at(nth, trouble, lasting);
}

void FaultVfs::fail_syncs(double probability, std::uint64_t seed) {
    const std::lock_guard lock(inside_->mutex);
    inside_->plan.fail_syncs(probability, seed);
}

void FaultVfs::heal() {
    const std::lock_guard lock(inside_->mutex);
    inside_->plan.heal();
}

std::string FaultVfs::struck() const {
    const std::lock_guard lock(inside_->mutex);
    return inside_->plan.struck();
}

void FaultVfs::pull_plug_at(std::uint64_t nth, Moment moment) {
    const std::lock_guard lock(inside_->mutex);
    inside_->plan.pull_plug_at(nth, moment);
}

bool FaultVfs::plug_is_out() const {
    const std::lock_guard lock(inside_->mutex);
    return inside_->plan.is_dark();
}

void FaultVfs::only_the_process_died() {
    const std::lock_guard lock(inside_->mutex);
    inside_->plan.light_up();
}

std::uint64_t FaultVfs::changes() const {
    const std::lock_guard lock(inside_->mutex);
    return inside_->plan.changes();
}

void FaultVfs::power_cut(std::uint64_t seed, const std::string& folder) const {
    const std::lock_guard lock(inside_->mutex);
    for (const auto& [file, bytes] : inside_->disk.after_power_cut(seed)) {
        std::ofstream out(folder + "/" + file, std::ios::binary | std::ios::trunc);
        out << bytes;
    }
}

} // namespace baton::test
