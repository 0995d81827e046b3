#include "baton/domain/allowlist_diff.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/level.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

/// What a level does not give is what somebody who is not listed gets.
Policy policy_or_none(const Downstream* entry) {
    return entry == nullptr ? Policy{} : policy_of(entry->level);
}

std::string events_sentence(const Downstream& entry) {
    if (!entry.events.pull_request) {
        return "gets no pull requests and pushes";
    }
    return entry.trigger == Trigger::label ? "gets a pull request once a label asks for it"
                                           : "gets pull requests and pushes";
}

/// Whether the App will send it anything when a pull request is opened or a branch pushed.
void tell_events(const AllowlistChange& change, std::vector<std::string>& told) {
    const auto [before, after] = change;
    if (after == nullptr) {
        told.emplace_back("gets no events any more");
    } else if (before == nullptr || before->events.pull_request != after->events.pull_request ||
               before->trigger != after->trigger) {
        told.push_back(events_sentence(*after));
    }
    if (after == nullptr || before == nullptr) {
        return;
    }
    if (before->push_refs != after->push_refs) {
        told.emplace_back("gets pushes of other refs than before");
    }
    if (before->paths != after->paths) {
        told.emplace_back("gets pushes that change other files than before");
    }
    if (before->schedule != after->schedule) {
        told.emplace_back("has other nightly times than before");
    }
}

std::string_view trust_sentence(Trust trust) {
    switch (trust) {
    case Trust::any:
        return "gets pull requests of anybody";
    case Trust::approved:
        return "gets pull requests of strangers only once they are approved";
    case Trust::write:
        return "gets only pull requests of people with write access";
    }
    return "";
}

void tell_holds(const AllowlistChange& change, std::vector<std::string>& told) {
    const auto [before, after] = change;
    if (after == nullptr) {
        return;
    }
    const auto trusted = before == nullptr ? Trust::any : before->trust;
    if (after->trust != trusted) {
        told.emplace_back(trust_sentence(after->trust));
    }
    if (after->pause && (before == nullptr || before->pause != after->pause)) {
        told.push_back("gets nothing before " + to_rfc3339(after->pause->until));
    } else if (before != nullptr && before->pause && !after->pause) {
        told.emplace_back("is no longer paused");
    }
    if (before != nullptr && (before->max_concurrent != after->max_concurrent ||
                              before->max_per_day != after->max_per_day)) {
        told.emplace_back("has other limits on how much it is sent");
    }
}

/// What people see of its results, by level.
void tell_results(const AllowlistChange& change, std::vector<std::string>& told) {
    const auto before = policy_or_none(change.before);
    const auto after = policy_or_none(change.after);
    if (before.display_on_hud != after.display_on_hud) {
        told.emplace_back(
            after.display_on_hud ? "its results are on the HUD" : "its results leave the HUD"
        );
    }
    if (before.display_on_pr != after.display_on_pr) {
        switch (after.display_on_pr) {
        case DisplayOnPr::never:
            told.emplace_back("gets no checks any more");
            break;
        case DisplayOnPr::label_only:
            told.emplace_back("gets a check where a label asks for its device");
            break;
        case DisplayOnPr::always:
            told.emplace_back("gets a check on every pull request");
            break;
        }
    }
    if (before.block_pr != after.block_pr) {
        told.emplace_back(
            after.block_pr ? "blocks merges through the gate" : "blocks no merges any more"
        );
    }
    if (change.before != nullptr && change.after != nullptr) {
        if (change.before->device != change.after->device) {
            told.emplace_back("is asked for by another label than before");
        }
        if (before.block_pr && after.block_pr &&
            change.before->required_jobs != change.after->required_jobs) {
            told.emplace_back("the gate waits for other jobs than before");
        }
        if (change.before->visibility != change.after->visibility) {
            told.emplace_back(
                change.after->visibility == Visibility::closed ? "disappears from public pages"
                                                               : "appears on public pages"
            );
        }
    }
}

} // namespace

std::string_view name_of(ChangeKind kind) {
    switch (kind) {
    case ChangeKind::added:
        return "added";
    case ChangeKind::removed:
        return "removed";
    case ChangeKind::moved:
        return "moved";
    case ChangeKind::changed:
        return "changed";
    }
    return "unknown";
}

ChangeKind AllowlistChange::kind() const {
    if (before == nullptr || after == nullptr) {
        return before == nullptr ? ChangeKind::added : ChangeKind::removed;
    }
    return before->level != after->level ? ChangeKind::moved : ChangeKind::changed;
}

Downstream normal_form(Downstream entry) {
    entry.line = 0;
    std::ranges::sort(entry.oncalls, {}, &Login::text);
    for (auto* list : {&entry.required_jobs, &entry.push_refs, &entry.paths}) {
        std::ranges::sort(*list);
    }
    return entry;
}

std::vector<AllowlistChange> changes_between(const Allowlist& before, const Allowlist& after) {
    std::vector<AllowlistChange> changes;
    for (const auto& entry : after.downstreams()) {
        const auto* former = before.find(entry.repo);
        if (former == nullptr || normal_form(*former) != normal_form(entry)) {
            changes.push_back({.before = former, .after = &entry});
        }
    }
    for (const auto& entry : before.downstreams()) {
        if (after.find(entry.repo) == nullptr) {
            changes.push_back({.before = &entry, .after = nullptr});
        }
    }
    return changes;
}

std::vector<std::string> meaning_of(const AllowlistChange& change) {
    std::vector<std::string> told;
    tell_events(change, told);
    tell_holds(change, told);
    tell_results(change, told);
    return told;
}

} // namespace baton::domain
