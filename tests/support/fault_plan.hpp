#pragma once

#include "baton/sim/seeded_chance.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::test {

/// What SQLite asks of a disk.
enum class DiskCall : std::uint8_t {
    open = 1, // a file that is there
    make,     // a file that is not
    read,
    write,
    truncate,
    sync,
    size,
    lock,
    remove,
    look,
    map_shared,
    lock_shared,
};

/// What goes wrong. Only calls that can meet it are counted.
enum class Trouble : std::uint8_t {
    io_error = 1, // any call
    disk_full,    // writes
    busy,         // locks
};

enum class Lasting : std::uint8_t { once = 1, until_healed };

/// When the plug may be pulled: at any change of the disk (a write, truncation, sync, removal or
/// new file), or at syncs only, where a commit is all there and not yet safe.
enum class Moment : std::uint8_t { change = 1, sync };

/// Which calls fail, and when the light goes out. One thread at a time.
class FaultPlan {
public:
    struct Verdict {
        int code{0};             // SQLite's; 0: go on
        bool goes_dark{false};   // the last call of all: it may have been done, or half
        bool in_the_dark{false}; // not even its beginning reaches the disk

        bool good() const { return code == 0; }
    };

    Verdict judge(DiskCall call, std::string_view file);

    void fail_at(std::uint64_t nth, Trouble trouble, Lasting lasting);
    void fail_syncs(double probability, std::uint64_t seed);
    void heal();

    const std::string& struck() const { return struck_; }

    void pull_plug_at(std::uint64_t nth, Moment moment) {
        dark_in_ = nth;
        moment_ = moment;
    }

    bool is_dark() const { return dark_; }

    void light_up() { dark_ = false; }

    std::uint64_t changes() const { return changes_; }

private:
    Trouble trouble_{Trouble::io_error};
    Lasting lasting_{Lasting::once};
    std::uint64_t fails_in_{0}; // counts down; 0: never
    bool failing_{false};
    double sync_failure_{0};
    std::optional<sim::SeededChance> chance_;
    std::string struck_;
    std::uint64_t dark_in_{0}; // counts down; 0: never
    Moment moment_{Moment::change};
    bool dark_{false};
    std::uint64_t changes_{0};
};

} // namespace baton::test
