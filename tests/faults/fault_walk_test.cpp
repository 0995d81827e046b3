// Every call that SQLite makes of the disk fails once, one after the other, and then again from
// there on until it is mended. The store says `unavailable`, keeps what it acknowledged, and works
// again as soon as the disk does.

#include "baton/base/result.hpp"
#include "baton/store/sqlite/engine.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "contract/store_fixture.hpp"
#include "faults/store_deeds.hpp"
#include "faults/truth.hpp"
#include "sim/options.hpp"
#include "support/fault_plan.hpp"
#include "support/fault_vfs.hpp"
#include "support/temp_folder.hpp"

namespace baton::test {
namespace {

using store::SqliteStore;
using store::sqlite::Connection;

struct WalkCase {
    const char* name;
    Trouble trouble;
    Lasting lasting;
};

void PrintTo(const WalkCase& walk, std::ostream* out) {
    *out << walk.name;
}

/// The same life each time: every verb, a body of several pages, a log written back, a restart.
Deeds fixed_life() {
    sim::SeededChance chance(20261115);
    Deeds deeds;
    for (int i = 0; i < 30; ++i) {
        deeds.push_back(drawn_step(chance));
    }
    return deeds;
}

/// One passage through the life with one fault in it.
class Passage {
public:
    Passage(const WalkCase& walk, std::uint64_t nth) {
        vfs_.fail_at(nth, walk.trouble, walk.lasting);
    }

    /// False when the life ended before the fault came.
    bool run() {
        static const auto kLife = fixed_life();
        open();
        for (std::size_t i = 0; i < kLife.size(); ++i) {
            attempt(kLife[i]);
            if (i == 10 || i == 20) {
                attempt({.big = truth_.next_big()});
                write_log_back();
            }
            if (i == 15) {
                open();
            }
        }
        const bool struck = !vfs_.struck().empty();
        const auto was = vfs_.struck();
        vfs_.heal();
        mended_ = true;
        SCOPED_TRACE(was);
        if (!store_) {
            open();
        }
        attempt({.big = truth_.next_big()});
        open();
        EXPECT_TRUE(store_) << "it does not open again";
        return struck;
    }

private:
    void open() {
        store_.reset();
        relay_.reset();
        auto opened = SqliteStore::open({.path = path_, .now = at(0), .vfs = vfs_.name()});
        if (!opened) {
            EXPECT_EQ(opened.error().code, Errc::unavailable) << opened.error().detail;
            expect_trouble(opened.error().detail);
            return;
        }
        store_ = *std::move(opened);
        const auto recognition = truth_.recognize(*store_);
        if (recognition.refused) {
            expect_trouble("start");
            store_.reset();
            return;
        }
        if (recognition.wrong) { // one of the looks may have met the fault
            expect_trouble(*recognition.wrong);
            store_.reset();
            return;
        }
        relay_ = truth_.relay_before(*store_);
    }

    void attempt(const Deed& deed) {
        if (!store_) {
            open();
        }
        if (!relay_) {
            return;
        }
        const auto changes = vfs_.changes();
        const auto answer = relay_->perform(deed);
        if (answer == kRefused) {
            expect_trouble("deed");
            truth_.refuse({deed});
            relay_ = truth_.relay_before(*store_);
            return;
        }
        const auto wrong = truth_.acknowledge(deed, answer, vfs_.changes() != changes);
        EXPECT_EQ(wrong.value_or(""), "") << "after " << vfs_.struck();
    }

    void write_log_back() {
        auto db = store::sqlite::open(path_, store::sqlite::Access::write, vfs_.name());
        if (db) {
            db->script("PRAGMA wal_checkpoint(RESTART)", "checkpoint");
        }
    }

    /// Nothing is refused before something failed, and nothing once it is mended.
    void expect_trouble(const std::string& what) {
        EXPECT_NE(vfs_.struck(), "") << what;
        EXPECT_FALSE(mended_) << "it does not recover: " << what;
    }

    TempFolder folder_{TempFolder::fast_parent()};
    std::string path_{folder_.file("baton.db")};
    FaultVfs vfs_;
    Truth truth_;
    std::unique_ptr<SqliteStore> store_; // none: it could not be opened
    std::optional<Doer> relay_;
    bool mended_{false};
};

class FaultWalk : public testing::TestWithParam<WalkCase> {};

TEST_P(FaultWalk, EveryCallOfTheDiskMayFailAndNothingAcknowledgedIsLost) {
    std::uint64_t nth = 1;
    std::uint64_t passages = 0;
    while (Passage(GetParam(), nth).run() && !HasFailure()) {
        nth += options().walk_stride;
        ++passages;
    }
    EXPECT_FALSE(HasFailure()) << "at call " << nth;
    EXPECT_GT(nth, 20U);
    std::cout << "calls up to " << nth << ", passages " << passages << "\n";
}

INSTANTIATE_TEST_SUITE_P(
    Troubles,
    FaultWalk,
    testing::Values(
        WalkCase{"IoErrorOnce", Trouble::io_error, Lasting::once},
        WalkCase{"IoErrorsUntilMended", Trouble::io_error, Lasting::until_healed},
        WalkCase{"DiskFullOnce", Trouble::disk_full, Lasting::once},
        WalkCase{"DiskFullUntilThereIsRoom", Trouble::disk_full, Lasting::until_healed},
        WalkCase{"BusyOnce", Trouble::busy, Lasting::once}
    ),
    [](const auto& info) { return std::string(info.param.name); }
);

} // namespace
} // namespace baton::test
