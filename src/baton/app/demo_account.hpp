#pragma once

#include "baton/app/demo_checks.hpp"
#include "baton/app/demo_people.hpp"
#include "baton/app/demo_results.hpp"
#include "baton/app/demo_view.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/dispatch_log.hpp"

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace baton::app::demo {

/// How GitHub's side of one webhook ended: its own log of deliveries, not the relay's word.
struct Delivered {
    std::size_t attempts{0};
    bool accepted{false}; // 202: the relay promised to let it take effect
    std::size_t taken{0}; // answers of any 2xx
};

/// The honest end of a demo: what was sent, what became of it, and whether anything is missing.
struct Account {
    std::size_t made{0};       // webhooks
    std::size_t sent_twice{0}; // by GitHub
    std::size_t late{0};       // arrived after one that was made later
    std::size_t accepted{0};
    std::size_t duplicates{0};
    std::size_t ignored{0};
    std::size_t not_taken{0}; // no 2xx; GitHub's log has them
    std::size_t to_plan{0};   // on disk, not planned yet

    std::map<domain::DispatchState, std::size_t> dispatches;
    std::vector<Counted> failures; // by downstream and reason
    std::vector<Counted> waiting;  // by downstream and why

    std::size_t received{0};
    std::size_t receivers{0};
    std::size_t repeats{0};
    std::size_t unknown_outcomes{0};
    ResultAccount results;
    CheckAccount checks;
    std::vector<std::string> wrong; // each a sentence; empty: nothing is lost
};

/// Compares what the simulated GitHub made, delivered and received with what the store holds.
///
///   - A webhook that was answered 202 is in the store, planned, and every listed downstream has
///   its
///     row or a written reason for having none; those that always get an event have a row.
///   - A row called sent was received; any other was not, unless an attempt's outcome is unknown.
///   - Nothing was received more often than unknown outcomes explain, and nothing without a row.
class Auditor {
public:
    struct Evidence {
        const std::vector<Made>& made;
        const std::map<DeliveryId, Delivered>& delivered;
        const sim::DispatchLog& received;
        const std::vector<domain::Downstream>& downstreams;
        RepoName joined_later; // has rows only from some moment on
    };

    explicit Auditor(const Evidence& evidence);

    /// Each delivery of the store once, newest first.
    void look_at(const ports::DeliveryHistory& history);
    Account finish();

private:
    using Receipt = std::pair<RepoName, DeliveryId>;

    /// What the rows of one delivery to one downstream allow it to have received.
    struct Allowed {
        std::size_t sent{0};
        std::size_t unknown{0};
    };

    void look_at_webhooks();
    void look_at_rows(const ports::DeliveryHistory& history, const Made& made);
    void look_at_dispatch(const ports::DispatchHistory& one);
    void look_at_receipts();
    void find_late();
    void wrong(std::string sentence);

    Evidence evidence_;
    Account account_;
    std::map<DeliveryId, std::size_t> made_at_; // its place in `made`
    std::set<DeliveryId> stored_;
    std::vector<std::size_t> arrivals_; // places in `made`, newest first
    std::map<Receipt, Allowed> allowed_;
    std::map<std::string, std::size_t> failures_;
    std::map<RepoName, std::pair<std::size_t, std::string>> waiting_;
};

struct AccountHead {
    Millis lasted{};
    std::uint64_t seed{0};
};

/// For people, several lines; the last one is the verdict: `nothing lost: …` or `wrong: …`.
std::string to_text(const Account& account, const AccountHead& head);

} // namespace baton::app::demo
