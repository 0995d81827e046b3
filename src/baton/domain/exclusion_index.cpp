#include "baton/domain/exclusion_index.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace baton::domain {

namespace {

constexpr std::size_t kNamedOthers = 3;

std::uint32_t number_in(std::unordered_map<std::string, std::uint32_t>& names, std::string name) {
    return names.try_emplace(std::move(name), static_cast<std::uint32_t>(names.size()))
        .first->second;
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    return (a / b) - (a % b < 0 ? 1 : 0);
}

std::uint64_t voice_of(std::uint32_t head, std::uint32_t owner) {
    return (std::uint64_t{head} << 32U) | owner;
}

} // namespace

bool has_reported(OutcomeClass outcome) {
    return is_decided(outcome) && outcome != OutcomeClass::missing &&
           outcome != OutcomeClass::zombie;
}

std::size_t OutcomeIndex::PullCellHash::operator()(const PullCell& of) const noexcept {
    const auto pr = static_cast<std::uint64_t>(of.pr);
    return std::hash<std::uint64_t>{}((pr << 24U) ^ of.cell);
}

OutcomeIndex::OutcomeIndex(
    const LadderEvidence& evidence, const std::vector<JudgedOutcome>& outcomes, Millis day_length
)
    : evidence_(evidence)
    , outcomes_(outcomes)
    , day_ms_(day_length.count()) {
    keys_.reserve(outcomes.size());
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        take(i);
    }
    sort();
}

const LadderEvent& OutcomeIndex::event_of(std::size_t outcome) const {
    return evidence_.events[outcomes_[outcome].event];
}

void OutcomeIndex::take(std::size_t outcome) {
    const auto& one = outcomes_[outcome];
    const auto& event = event_of(outcome);
    const auto& downstream = event.downstream.key();
    keys_.push_back({
        .cell = number_in(cells_, fmt::format("{}\n{}\n{}", downstream, one.workflow, one.job)),
        .head = number_in(heads_, event.head.text()),
        .owner = number_in(owners_, lower(event.downstream.owner())),
        .day = floor_div(to_ms(event.sent_at), day_ms_),
    });
    if (!is_decided(one.outcome)) {
        return;
    }
    const auto& key = keys_.back();
    if (is_trunk(event)) {
        Seen seen{
            .sent = event.sent_at,
            .dispatch = event.id,
            .event = one.event,
            .head = key.head,
            .red = is_red(one.outcome),
        };
        trunk_[key.cell].push_back(seen);
        seen.red = one.outcome == OutcomeClass::missing;
        alive_[downstream].push_back(seen);
    } else if (event.pr && is_green(one.outcome)) {
        passes_[{.pr = *event.pr, .cell = key.cell}].push_back(
            {.sent = event.sent_at, .head = key.head}
        );
    }
}

void OutcomeIndex::sort() {
    const auto in_order = [](std::vector<Seen>& all) {
        std::ranges::sort(all, {}, [](const Seen& seen) {
            return std::tuple(seen.sent, seen.dispatch, seen.red);
        });
    };
    for (auto& [cell, all] : trunk_) {
        in_order(all);
    }
    for (auto& [downstream, all] : alive_) {
        in_order(all);
    }
}

/// Nobody started a run that is missing, so no job of it can be compared: what counts is whether
/// anything was heard of the trunk run before.
const std::vector<OutcomeIndex::Seen>* OutcomeIndex::trunk_of(std::size_t outcome) const {
    if (outcomes_[outcome].outcome == OutcomeClass::missing) {
        const auto found = alive_.find(event_of(outcome).downstream.key());
        return found == alive_.end() ? nullptr : &found->second;
    }
    const auto found = trunk_.find(keys_[outcome].cell);
    return found == trunk_.end() ? nullptr : &found->second;
}

std::optional<OutcomeBase> OutcomeIndex::base_of(std::size_t outcome) const {
    const auto* const all = trunk_of(outcome);
    if (all == nullptr) {
        return std::nullopt;
    }
    const auto& event = event_of(outcome);
    const auto after = std::ranges::lower_bound(*all, event.sent_at, {}, &Seen::sent);
    if (after == all->begin()) {
        return std::nullopt;
    }
    const auto& base = *std::prev(after);
    if (event.sent_at - base.sent > kBaseAgeMax) {
        return std::nullopt;
    }
    return OutcomeBase{.event = base.event, .head = base.head, .red = base.red};
}

std::optional<bool> OutcomeIndex::trunk_after(std::size_t outcome, TimePoint when) const {
    const auto* const all = trunk_of(outcome);
    if (all == nullptr) {
        return std::nullopt;
    }
    const auto after = std::ranges::upper_bound(*all, when, {}, &Seen::sent);
    return after == all->end() ? std::nullopt : std::optional(after->red);
}

bool OutcomeIndex::has_newer_pass(std::size_t outcome) const {
    const auto& event = event_of(outcome);
    const auto& key = keys_[outcome];
    const auto found = passes_.find({.pr = event.pr.value_or(PrNumber{}), .cell = key.cell});
    return found != passes_.end() && std::ranges::any_of(found->second, [&](const Pass& pass) {
               return pass.sent > event.sent_at && pass.head != key.head;
           });
}

void Crowds::add(const OutcomeKey& key, const LadderEvent& event, bool red) {
    const auto [voice, is_new] = voices_.try_emplace(voice_of(key.head, key.owner));
    auto& crowd = all_[key.head];
    crowd.reported += is_new ? 1 : 0;
    if (!red) {
        return;
    }
    auto& rows = rows_[key.head];
    Row row{.owner = key.owner, .dispatch = event.id, .downstream = event.downstream.text()};
    const auto order = [](const Row& of) { return std::tie(of.downstream, of.dispatch); };
    if (!voice->second.red) {
        voice->second.red = true;
        ++crowd.red;
        rows.insert(std::ranges::upper_bound(rows, order(row), {}, order), std::move(row));
        return;
    }
    const auto known = std::ranges::find(rows, key.owner, &Row::owner);
    if (order(row) < order(*known)) {
        rows.erase(known);
        rows.insert(std::ranges::upper_bound(rows, order(row), {}, order), std::move(row));
    }
}

Crowds::Crowd Crowds::others(std::uint32_t head, std::uint32_t owner) const {
    auto crowd = all_[head];
    if (const auto own = voices_.find(voice_of(head, owner)); own != voices_.end()) {
        --crowd.reported;
        crowd.red -= own->second.red ? 1 : 0;
    }
    return crowd;
}

std::string Crowds::red_ones(std::uint32_t head, std::uint32_t owner) const {
    std::string text;
    std::size_t named = 0;
    for (const auto& row : rows_[head]) {
        if (row.owner == owner || named == kNamedOthers) {
            continue;
        }
        const auto id = static_cast<std::int64_t>(row.dispatch);
        text += fmt::format("{}{} (dispatch {})", named == 0 ? "" : ", ", row.downstream, id);
        ++named;
    }
    const auto red = others(head, owner).red;
    return red > named ? fmt::format("{} and {} more", text, red - named) : text;
}

} // namespace baton::domain
