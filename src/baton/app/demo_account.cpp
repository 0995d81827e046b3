#include "baton/app/demo_account.hpp"

#include "baton/app/demo_notes.hpp"
#include "baton/app/demo_people.hpp"
#include "baton/app/demo_view.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/retry.hpp"
#include "baton/ports/store.hpp"
#include "baton/sim/dispatch_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::app::demo {

namespace {

using domain::DispatchState;

bool outcome_unknown(const ports::Attempt& attempt) {
    return !attempt.outcome || *attempt.outcome == domain::Outcome::unknown;
}

bool matches(const std::vector<std::string>& globs, std::string_view ref) {
    const auto last = ref.substr(ref.find('/', std::string_view("refs/").size()) + 1);
    return std::ranges::any_of(globs, [&](const std::string& glob) {
        return glob_matches(glob, ref) || glob_matches(glob, last);
    });
}

/// Whether its settings leave no choice: every forwarded event of this kind has to have a row.
bool always_gets(const domain::Downstream& downstream, const Made& made) {
    const bool plain = downstream.events.pull_request && !downstream.pause;
    if (!made.ref.empty()) {
        const bool wanted = downstream.push_refs.empty()
                                ? downstream.trigger == domain::Trigger::always
                                : matches(downstream.push_refs, made.ref);
        return plain && downstream.paths.empty() && wanted;
    }
    return plain && downstream.trigger == domain::Trigger::always &&
           downstream.trust == domain::Trust::any;
}

bool has_row(const ports::DeliveryHistory& history, const RepoName& downstream) {
    return std::ranges::any_of(history.dispatches, [&](const ports::DispatchHistory& one) {
        return one.dispatch.key.downstream == downstream;
    });
}

/// The ledger's line about planning names everybody, with a reason where there is no dispatch.
bool has_reason(const ports::DeliveryHistory& history, const RepoName& downstream) {
    const auto words = fmt::format(R"("downstream":"{}")", downstream.text());
    return std::ranges::any_of(history.ledger, [&](const ports::LedgerLine& line) {
        return line.kind == "planned" && line.detail.find(words) != std::string::npos;
    });
}

std::string why_waiting(const ports::DispatchHistory& one, const domain::Downstream* downstream) {
    if (one.attempts.empty()) {
        if (downstream != nullptr && downstream->max_concurrent) {
            return fmt::format("max_concurrent {}", *downstream->max_concurrent);
        }
        return "its turn had not come";
    }
    const auto& last = one.attempts.back();
    if (!last.outcome) {
        return "stopped in the middle of an attempt";
    }
    if (*last.outcome == domain::Outcome::throttled) {
        return "GitHub's rate limit";
    }
    return fmt::format("no answer, tried {} times", one.attempts.size());
}

} // namespace

Auditor::Auditor(const Evidence& evidence)
    : evidence_(evidence) {
    for (std::size_t i = 0; i < evidence.made.size(); ++i) {
        made_at_[evidence.made[i].delivery] = i;
    }
}

void Auditor::wrong(std::string sentence) {
    account_.wrong.push_back(std::move(sentence));
}

void Auditor::look_at(const ports::DeliveryHistory& history) {
    const auto& delivery = history.delivery;
    stored_.insert(delivery.id);
    const auto found = made_at_.find(delivery.id);
    if (found == made_at_.end()) {
        wrong(
            fmt::format("delivery {} is in the store and GitHub never made it", delivery.id.text())
        );
        return;
    }
    arrivals_.push_back(found->second);
    if (delivery.state == ports::DeliveryState::to_plan) {
        ++account_.to_plan;
    } else {
        look_at_rows(history, evidence_.made[found->second]);
    }
    for (const auto& one : history.dispatches) {
        look_at_dispatch(one);
    }
}

void Auditor::look_at_rows(const ports::DeliveryHistory& history, const Made& made) {
    if (made.expected != Expected::forwarded) {
        return;
    }
    for (const auto& downstream : evidence_.downstreams) {
        if (has_row(history, downstream.repo) || downstream.repo == evidence_.joined_later) {
            continue;
        }
        const auto& id = history.delivery.id.text();
        if (always_gets(downstream, made)) {
            wrong(fmt::format("delivery {} has no row for {}", id, downstream.repo.text()));
        } else if (!has_reason(history, downstream.repo)) {
            wrong(fmt::format(
                "delivery {} has neither a row nor a reason for {}", id, downstream.repo.text()
            ));
        }
    }
}

void Auditor::look_at_dispatch(const ports::DispatchHistory& one) {
    const auto& dispatch = one.dispatch;
    ++account_.dispatches[dispatch.state];
    auto& allowed = allowed_[{dispatch.key.downstream, dispatch.key.delivery}];
    const auto unknown =
        static_cast<std::size_t>(std::ranges::count_if(one.attempts, outcome_unknown));
    allowed.unknown += unknown;
    account_.unknown_outcomes += unknown;
    allowed.sent += dispatch.sent_at ? 1 : 0;
    if (dispatch.state == DispatchState::failed) {
        ++failures_[fmt::format(
            "{}: {}", dispatch.key.downstream.text(), advice_in(dispatch.reason)
        )];
    }
    if (dispatch.state == DispatchState::pending) {
        const auto listed = std::ranges::find(
            evidence_.downstreams, dispatch.key.downstream, &domain::Downstream::repo
        );
        const auto* known = listed == evidence_.downstreams.end() ? nullptr : &*listed;
        // Newest first, so the oldest has the last word.
        auto& [count, why] = waiting_[dispatch.key.downstream];
        ++count;
        why = why_waiting(one, known);
    }
}

Account Auditor::finish() {
    look_at_webhooks();
    look_at_receipts();
    find_late();
    account_.failures.assign(failures_.begin(), failures_.end());
    for (const auto& [repo, entry] : waiting_) {
        account_.waiting.emplace_back(
            fmt::format("{}: {}", repo.text(), entry.second), entry.first
        );
    }
    return account_;
}

void Auditor::look_at_webhooks() {
    account_.made = evidence_.made.size();
    for (const auto& made : evidence_.made) {
        const auto found = evidence_.delivered.find(made.delivery);
        const auto delivered = found == evidence_.delivered.end() ? Delivered{} : found->second;
        account_.sent_twice += delivered.attempts > 1 ? 1 : 0;
        account_.accepted += delivered.accepted ? 1 : 0;
        account_.not_taken += delivered.taken == 0 ? 1 : 0;
        const bool stored = stored_.contains(made.delivery);
        if (made.expected == Expected::ignored) {
            account_.ignored += delivered.taken > 0 ? 1 : 0;
        } else {
            account_.duplicates += delivered.taken > 1 ? delivered.taken - 1 : 0;
        }
        if (delivered.accepted && !stored) {
            wrong(fmt::format(
                "delivery {} was accepted and is not in the store", made.delivery.text()
            ));
        } else if (delivered.taken > 0 && made.expected != Expected::ignored && !stored) {
            wrong(fmt::format(
                "delivery {} was answered 200 and is not in the store", made.delivery.text()
            ));
        }
    }
}

void Auditor::look_at_receipts() {
    for (const auto& [repo, count] : evidence_.received.downstreams()) {
        account_.received += count.received;
        account_.repeats += count.repeats;
        ++account_.receivers;
    }
    std::size_t with_rows = 0;
    for (const auto& [key, allowed] : allowed_) {
        const auto& [repo, delivery] = key;
        const auto received =
            evidence_.received.count({.repo = repo, .delivery_id = delivery.text()});
        with_rows += received;
        const auto name = fmt::format("delivery {} to {}", delivery.text(), repo.text());
        if (received < allowed.sent) {
            wrong(fmt::format(
                "{} is called sent {} times and was received {} times", name, allowed.sent, received
            ));
        } else if (received > allowed.sent + allowed.unknown) {
            wrong(fmt::format(
                "{} was received {} times: {} sent, {} outcomes unknown",
                name,
                received,
                allowed.sent,
                allowed.unknown
            ));
        }
    }
    if (with_rows != account_.received) {
        wrong(
            fmt::format("{} dispatches were received without a row", account_.received - with_rows)
        );
    }
}

/// Arrivals stand newest first: one is late when one made after it stands behind it.
void Auditor::find_late() {
    std::size_t newest = 0;
    for (auto place = arrivals_.rbegin(); place != arrivals_.rend(); ++place) {
        account_.late += *place < newest ? 1 : 0;
        newest = std::max(newest, *place);
    }
}

} // namespace baton::app::demo
