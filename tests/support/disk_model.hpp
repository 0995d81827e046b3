#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace baton::test {

/// One folder of a disk as a file system promises it, and no better: what was synced stays, what
/// was not may be there or not after the plug is pulled, in any order and torn at sectors. Names
/// are content of the folder and need a sync of their own. One thread at a time.
class DiskModel {
public:
    static constexpr std::size_t kSectorBytes = 512;

    struct Node;                        // the bytes of one file, whatever it is called
    using File = std::shared_ptr<Node>; // an open file works on after it was removed
    using Image = std::map<std::string, std::string>; // name to bytes

    /// The file of that name; made, not yet durably, when there is none.
    File open(const std::string& name);
    /// A file that was there before: `bytes` are durable, and so is its name.
    void keep(const std::string& name, std::string bytes);
    bool knows(const std::string& name) const;
    void remove(const std::string& name);

    static void write(const File& file, std::size_t offset, std::string_view bytes);
    static void truncate(const File& file, std::size_t size);
    static void sync(const File& file);
    /// A sync that failed: what it should have written is on disk or lost, and no later sync will
    /// write it. (Linux marks such pages clean.)
    static void fail_sync(const File& file, std::uint64_t seed);
    /// What a sync of a file does for its own name on ext4, XFS and Btrfs.
    void sync_name(const std::string& name);
    void sync_folder();

    /// What somebody finds who plugs the machine in again.
    Image after_power_cut(std::uint64_t seed) const;

private:
    std::map<std::string, File> now_;                  // as programs see it
    std::map<std::string, std::vector<File>> entries_; // per name: the durable one (null: none),
                                                       // then what it was since
};

} // namespace baton::test
