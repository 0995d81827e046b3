#include "faults/power_cut_life.hpp"

#include "baton/base/result.hpp"
#include "baton/sim/seeded_chance.hpp"
#include "baton/store/sqlite/engine.hpp"
#include "baton/store/sqlite/sqlite_store.hpp"

#include <boost/asio/co_spawn.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contract/store_fixture.hpp"
#include "faults/store_deeds.hpp"
#include "faults/truth.hpp"
#include "support/fault_plan.hpp"
#include "support/fault_vfs.hpp"
#include "support/run_awaitable.hpp"
#include "support/temp_folder.hpp"

namespace baton::test {

namespace {

using store::SqliteStore;
using store::sqlite::Connection;
using store::sqlite::Query;

/// One store from its first start to its last, and the machines it lived on.
class PowerCutLife {
public:
    explicit PowerCutLife(const PowerCutPlan& plan)
        : plan_(plan)
        , chance_(sim::seed_for(plan.seed, "power cut")) {}

    PowerCutReport live() {
        const auto cuts = 1 + chance_.draw().below(3);
        for (std::uint64_t i = 0; i < cuts && all_is_well(); ++i) {
            stretch(Ending::power_cut);
        }
        if (all_is_well()) {
            stretch(Ending::good);
        }
        report_.acknowledged = truth_.acknowledged();
        report_.survived = truth_.survived();
        return std::move(report_);
    }

private:
    struct Plug {
        std::uint64_t nth{1};
        Moment moment{Moment::change};
    };

    /// Early, where it recovers from the cut before, or late, where it works; at syncs as often as
    /// anywhere else.
    Plug drawn_plug() {
        const bool early = chance_.draw().below(3) == 0;
        if (chance_.draw().below(2) == 0) {
            return {.nth = 1 + chance_.draw().below(early ? 40 : 500), .moment = Moment::change};
        }
        return {.nth = 1 + chance_.draw().below(early ? 8 : 50), .moment = Moment::sync};
    }

    enum class Ending : std::uint8_t { power_cut = 1, good };

    /// From one start of the machine to its end. Before a power cut the process may have been
    /// killed and started anew.
    void stretch(Ending ending) {
        const bool cut = ending == Ending::power_cut;
        vfs_ = std::make_unique<FaultVfs>(plan_.fsync);
        const auto lives = 1 + chance_.draw().below(2);
        for (std::uint64_t i = 0; i < lives && all_is_well(); ++i) {
            if (is_dark()) {
                vfs_->only_the_process_died();
            }
            if (cut) {
                const auto plug = drawn_plug();
                vfs_->pull_plug_at(plug.nth, plug.moment);
            }
            live_once(cut ? chance_.draw().below(30) : 8);
        }
        if (cut) {
            auto next = std::make_unique<TempFolder>(TempFolder::fast_parent());
            vfs_->power_cut(chance_.draw().bits, next->file(""));
            folder_ = std::move(next);
            ++report_.cuts;
        }
    }

    void live_once(std::uint64_t deeds) {
        open();
        look_whole();
        vfs_->fail_syncs(plan_.sync_failure, chance_.draw().bits);
        work(deeds);
        vfs_->heal();
        store_.reset();
    }

    /// What a start that fails says; nothing when it works, or when the power went.
    std::optional<std::string> try_to_open() {
        store_.reset(); // the last one out writes the log back and removes it
        relay_.reset();
        auto opened = SqliteStore::open({.path = path(), .now = at(0), .vfs = vfs_->name()});
        if (!opened) {
            return opened.error().detail;
        }
        store_ = *std::move(opened);
        const auto recognition = truth_.recognize(*store_);
        if (recognition.refused) {
            return "the relay cannot start";
        }
        if (recognition.wrong && !is_dark()) {
            find(*recognition.wrong);
        }
        relay_ = truth_.relay_before(*store_);
        return std::nullopt;
    }

    void open() {
        if (!try_to_open() || is_dark()) {
            return;
        }
        vfs_->heal(); // a start may meet a sync that fails; the operator tries again
        if (const auto wrong = try_to_open(); wrong && !is_dark()) {
            find("it does not open: " + *wrong);
        }
    }

    void look_whole() {
        static constexpr Query kIntegrity{"integrity", "PRAGMA integrity_check"};
        static constexpr Query kForeign{"foreign", "SELECT count(*) FROM pragma_foreign_key_check"};
        auto db = store::sqlite::open(path(), store::sqlite::Access::read, vfs_->name());
        if (!db) {
            return;
        }
        std::string found;
        {
            auto rows = db->rows(kIntegrity);
            found = rows.next() ? rows.text(0) : "";
        }
        auto rows = db->rows(kForeign);
        found += rows.next() ? fmt::format(", {} orphans", rows.integer(0)) : "";
        if (!is_dark() && found != "ok, 0 orphans") {
            find("SQLite finds it broken: " + found);
        }
    }

    void work(std::uint64_t deeds) {
        for (std::uint64_t i = 0; i < deeds && !is_dark() && all_is_well(); ++i) {
            switch (chance_.draw().below(12)) {
            case 0:
                checkpoint();
                break;
            case 1:
                open();
                break;
            case 2:
                burst();
                break;
            case 3:
                attempt({.big = truth_.next_big()});
                break;
            default:
                attempt(drawn_step(chance_));
            }
        }
    }

    void attempt(const Deed& deed) {
        if (!relay_) {
            return;
        }
        const auto changes = vfs_->changes();
        const auto answer = relay_->perform(deed);
        if (answer == kRefused) {
            relay_ = truth_.relay_before(*store_); // its time has not passed either
            refuse({deed});
        } else {
            acknowledge(deed, answer, vfs_->changes() != changes);
        }
    }

    /// Several inserts at once share commits; they take effect in the order in which they came.
    void burst() {
        const auto count = 2 + chance_.draw().below(6);
        Deeds deeds;
        std::vector<std::string> answers(count);
        auto& loop = lasting_loop();
        loop.restart();
        for (auto& answer : answers) {
            deeds.push_back({.big = truth_.next_big()});
            boost::asio::co_spawn(
                loop,
                store_->insert_delivery(big_delivery(*deeds.back().big)),
                [&answer](const std::exception_ptr& /*thrown*/, const Result<bool>& result) {
                    answer = text_of(result);
                }
            );
        }
        loop.run();
        for (std::size_t i = 0; i < count; ++i) {
            if (answers[i] != kRefused) {
                acknowledge(deeds[i], answers[i], true);
                continue;
            }
            Deeds together; // who shares the commit is not known: whoever follows may
            for (auto j = i; j < count && answers[j] == kRefused; ++j) {
                together.push_back(deeds[j]);
                refuse(together);
            }
        }
    }

    void checkpoint() {
        constexpr const char* kKinds[] = {
            "PRAGMA wal_checkpoint(PASSIVE)",
            "PRAGMA wal_checkpoint(FULL)",
            "PRAGMA wal_checkpoint(RESTART)",
            "PRAGMA wal_checkpoint(TRUNCATE)",
        };
        const auto* kind = kKinds[chance_.draw().below(4)];
        auto db = store::sqlite::open(path(), store::sqlite::Access::write, vfs_->name());
        if (db) {
            db->script(kind, "checkpoint");
        }
    }

    void acknowledge(const Deed& deed, const std::string& answer, bool wrote) {
        // After a sync that failed nobody can say what was written over, only what was
        // acknowledged.
        const bool certain = wrote && plan_.sync_failure == 0;
        if (auto wrong = truth_.acknowledge(deed, answer, certain)) {
            find(*std::move(wrong));
        }
    }

    void refuse(const Deeds& deeds) {
        if (!is_dark() && plan_.sync_failure == 0) {
            find("it refuses a deed without a reason");
        }
        report_.refused += deeds.size() == 1 ? 1 : 0;
        truth_.refuse(deeds);
    }

    bool is_dark() const { return vfs_->plug_is_out(); }

    bool all_is_well() const { return report_.findings.empty(); }

    std::string path() const { return folder_->file("baton.db"); }

    void find(std::string sentence) { report_.findings.push_back(std::move(sentence)); }

    PowerCutPlan plan_;
    sim::SeededChance chance_;
    Truth truth_;
    PowerCutReport report_;
    std::unique_ptr<TempFolder> folder_{std::make_unique<TempFolder>(TempFolder::fast_parent())};
    std::unique_ptr<FaultVfs> vfs_;
    std::unique_ptr<SqliteStore> store_; // none: it could not be opened
    std::optional<Doer> relay_;
};

} // namespace

PowerCutReport live_with_power_cuts(const PowerCutPlan& plan) {
    return PowerCutLife(plan).live();
}

} // namespace baton::test
