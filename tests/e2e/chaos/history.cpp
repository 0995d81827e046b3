#include "e2e/chaos/history.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/api_limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "e2e/chaos/result_history.hpp"

namespace baton::test {

namespace {

using domain::DispatchState;
using Pairing = std::pair<std::string, RepoName>; // delivery and downstream

/// The clocks of two processes on one machine, and an answer on its way.
constexpr std::chrono::seconds kSlack{2};

bool is_unknown(const ports::Attempt& attempt) {
    return !attempt.outcome || *attempt.outcome == domain::Outcome::unknown;
}

bool is_accepted(const ports::Attempt& attempt) {
    return attempt.outcome == domain::Outcome::accepted;
}

std::size_t unknown_attempts(const ports::DispatchHistory& one) {
    return static_cast<std::size_t>(std::ranges::count_if(one.attempts, is_unknown));
}

bool has_arrived(DispatchState state) {
    return state == DispatchState::sent || state == DispatchState::started ||
           state == DispatchState::finished;
}

/// What GitHub wrote down about one pairing.
struct Arrivals {
    std::size_t count{0};
    TimePoint first{};
};

std::map<Pairing, Arrivals> arrivals_in(const History& history) {
    std::map<Pairing, Arrivals> all;
    for (const auto& line : history.received) {
        auto& arrivals = all[{line.delivery_id, line.repo}];
        arrivals.first = arrivals.count == 0 ? line.at : std::min(arrivals.first, line.at);
        ++arrivals.count;
    }
    return all;
}

class Inspection {
public:
    explicit Inspection(const History& history)
        : history_(history)
        , arrivals_(arrivals_in(history)) {}

    std::vector<std::string> findings() {
        look_at_webhooks();
        for (const auto& one : history_.ledger) {
            look_at_delivery(one);
            look_at_pairings(one);
            look_at_sweeps(one);
        }
        look_for_strangers();
        look_at_checks();
        look_at_limits();
        look_at_answers();
        add(broken_results(history_));
        add(history_.stream_gaps);
        add(history_.damage);
        return findings_;
    }

private:
    void look_at_webhooks() {
        for (const auto& one : history_.ledger) {
            ++known_[one.delivery.id];
        }
        for (const auto& [id, count] : known_) {
            expect(count == 1, fmt::format("{} is in the store {} times", id.text(), count));
        }
        for (const auto& id : history_.accepted) {
            expect(
                known_.contains(id), fmt::format("{} got a 2xx and is not in the store", id.text())
            );
        }
        for (const auto& id : history_.entrusted) {
            expect(
                known_.contains(id),
                fmt::format("{} was sent by GitHub and never reached the store", id.text())
            );
        }
    }

    void look_at_delivery(const ports::DeliveryHistory& one) {
        const auto name = one.delivery.id.text();
        expect(
            one.delivery.state == ports::DeliveryState::planned,
            fmt::format("{} was taken and never planned", name)
        );
        for (const auto& downstream : history_.downstreams) {
            const auto rows = std::ranges::count_if(one.dispatches, [&](const auto& row) {
                return row.dispatch.key.downstream == downstream &&
                       row.dispatch.key.generation == 0;
            });
            expect(rows == 1, fmt::format("{} has {} rows for {}", name, rows, downstream.text()));
        }
        for (const auto& row : one.dispatches) {
            rows_.insert({name, row.dispatch.key.downstream});
            look_at_dispatch(row);
        }
    }

    static std::string name_of(const domain::DispatchKey& key) {
        return fmt::format(
            "{} to {} ({})", key.delivery.text(), key.downstream.text(), key.generation
        );
    }

    void look_at_dispatch(const ports::DispatchHistory& row) {
        const auto& dispatch = row.dispatch;
        const auto name = name_of(dispatch.key);
        expect(domain::is_at_rest(dispatch.state), fmt::format("{} never came to rest", name));
        expect(
            dispatch.state != DispatchState::failed && dispatch.state != DispatchState::dead,
            fmt::format("{} is {}: {}", name, domain::name_of(dispatch.state), dispatch.reason)
        );
        const auto accepted = std::ranges::count_if(row.attempts, is_accepted);
        expect(accepted <= 1, fmt::format("{} was accepted {} times", name, accepted));
        if (dispatch.state == DispatchState::superseded ||
            dispatch.state == DispatchState::cancelled) {
            expect(
                is_overtaken(dispatch),
                fmt::format("{} is {} without a cause", name, domain::name_of(dispatch.state))
            );
        }
    }

    bool is_overtaken(const domain::Dispatch& dispatch) const {
        return dispatch.pr && std::ranges::any_of(history_.ledger, [&](const auto& other) {
                   return other.delivery.pr == dispatch.pr &&
                          (other.delivery.head != dispatch.head || other.delivery.action == "closed"
                          );
               });
    }

    /// All generations of a pairing together: GitHub's record does not tell them apart.
    void look_at_pairings(const ports::DeliveryHistory& one) {
        std::map<RepoName, std::pair<std::size_t, std::size_t>> allowed; // least and most
        for (const auto& row : one.dispatches) {
            auto& [least, most] = allowed[row.dispatch.key.downstream];
            const std::size_t sent = has_arrived(row.dispatch.state) ? 1 : 0;
            least += sent;
            most += sent + unknown_attempts(row);
        }
        for (const auto& [downstream, bounds] : allowed) {
            const auto name = fmt::format("{} to {}", one.delivery.id.text(), downstream.text());
            const auto found = arrivals_.find({one.delivery.id.text(), downstream});
            const auto count = found == arrivals_.end() ? 0 : found->second.count;
            expect(
                count >= bounds.first,
                fmt::format("{} is called sent and was received {} times", name, count)
            );
            expect(
                count <= bounds.second,
                fmt::format(
                    "{} was received {} times, and {} can be explained", name, count, bounds.second
                )
            );
        }
    }

    /// A line that says the same of the same dispatch twice is a second sweep.
    void look_at_sweeps(const ports::DeliveryHistory& one) {
        std::map<std::string, std::size_t> told;
        for (const auto& line : one.ledger) {
            const bool is_silence = line.kind == "silent";
            if (!line.dispatch || (!is_silence && line.kind != "timed_out")) {
                continue;
            }
            const auto what = fmt::format(
                "{} of dispatch {}{}",
                line.kind,
                static_cast<std::int64_t>(*line.dispatch),
                is_silence ? "" : " (" + line.detail + ")"
            );
            expect(++told[what] == 1, fmt::format("{} was told {} times", what, told[what]));
            const auto wait = is_silence ? history_.start_timeout : history_.run_timeout;
            const auto first = first_arrival(one, *line.dispatch);
            expect(
                !first || line.at + kSlack >= *first + wait, fmt::format("{} came too early", what)
            );
        }
    }

    std::optional<TimePoint>
    first_arrival(const ports::DeliveryHistory& one, DispatchId dispatch) const {
        for (const auto& row : one.dispatches) {
            const auto found =
                arrivals_.find({one.delivery.id.text(), row.dispatch.key.downstream});
            if (row.dispatch.id == dispatch && found != arrivals_.end()) {
                return found->second.first;
            }
        }
        return std::nullopt;
    }

    void look_for_strangers() {
        for (const auto& [pairing, arrivals] : arrivals_) {
            expect(
                rows_.contains(pairing),
                fmt::format(
                    "{} received {} and no row knows of it", pairing.second.text(), pairing.first
                )
            );
        }
    }

    void look_at_checks() {
        std::map<std::pair<std::string, std::string>, std::size_t> made;
        for (const auto& check : history_.checks) {
            const auto name = fmt::format("the check {} on {}", check.name, check.head.text());
            expect(++made[{check.head.text(), check.name}] == 1, name + " was made twice");
            expect(check.status == "completed", fmt::format("{} is {}", name, check.status));
        }
    }

    void look_at_limits() {
        for (const auto& [kind, count] : history_.limits.answers) {
            expect(
                kind == sim::LimitKind::fault || count == 0,
                fmt::format("a limit ({}) was run into {} times", sim::name_of(kind), count)
            );
        }
        expect(
            history_.limits.while_limited <= history_.limited_asks_excused,
            fmt::format(
                "{} requests left while limited, and {} could not know",
                history_.limits.while_limited,
                history_.limited_asks_excused
            )
        );
    }

    void look_at_answers() {
        static const std::set<int> allowed{0, 200, 202, 503};
        for (const auto& [status, count] : history_.answers) {
            expect(
                allowed.contains(status),
                fmt::format("a webhook was answered with {}, {} times", status, count)
            );
        }
        for (const auto& [status, count] : history_.page_answers) {
            expect(
                allowed.contains(status),
                fmt::format("a page was answered with {}, {} times", status, count)
            );
        }
    }

    void add(const std::vector<std::string>& more) {
        findings_.insert(findings_.end(), more.begin(), more.end());
    }

    void expect(bool holds, std::string otherwise) {
        if (!holds) {
            findings_.push_back(std::move(otherwise));
        }
    }

    const History& history_;
    std::map<Pairing, Arrivals> arrivals_;
    std::map<DeliveryId, std::size_t> known_;
    std::set<Pairing> rows_;
    std::vector<std::string> findings_;
};

} // namespace

std::vector<std::string> broken_rules(const History& history) {
    return Inspection(history).findings();
}

Repeats repeats_in(const History& history) {
    Repeats repeats;
    for (const auto& one : history.ledger) {
        for (const auto& row : one.dispatches) {
            ++repeats.dispatches;
            repeats.unknown += unknown_attempts(row);
        }
    }
    for (const auto& [pairing, arrivals] : arrivals_in(history)) {
        repeats.again += arrivals.count - 1;
    }
    return repeats;
}

} // namespace baton::test
