#include "faults/truth.hpp"

#include "baton/ports/store.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "contract/store_fixture.hpp"
#include "faults/store_deeds.hpp"

namespace baton::test {

namespace {

/// From the first difference on, for people.
std::string difference(const std::string& found, const std::string& expected) {
    std::size_t same = 0;
    while (same < found.size() && same < expected.size() && found[same] == expected[same]) {
        ++same;
    }
    const auto from = same > 80 ? same - 80 : 0;
    return fmt::format(
        "found \"{}\", expected \"{}\"", found.substr(from, 240), expected.substr(from, 240)
    );
}

} // namespace

std::optional<std::string>
Truth::acknowledge(const Deed& deed, const std::string& answer, bool wrote) {
    const auto wanted = expected_.doer.perform(deed);
    done_.push_back(deed);
    if (wrote) {
        candidates_.resize(1);
    }
    for (auto& candidate : candidates_) {
        candidate.push_back(deed);
    }
    candidates_.front() = done_;
    if (answer != wanted) {
        return "it answers differently: " + difference(answer, wanted);
    }
    return std::nullopt;
}

void Truth::refuse(const Deeds& deeds) {
    auto& candidate = candidates_.emplace_back(done_);
    candidate.insert(candidate.end(), deeds.begin(), deeds.end());
}

Truth::Recognition Truth::recognize(ports::Store& store) {
    // Long after everything else: the time of a start does not depend on what happened before.
    Deed start;
    start.starts = at(1'000'000 + (++starts_ * std::int64_t{1'000'000}));
    const auto answer = relay_before(store).perform(start);
    if (answer == kRefused) {
        add_with(start);
        return {.refused = true, .wrong = std::nullopt};
    }
    std::string nearest;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
        Expectation expected(candidates_[i]);
        const auto wanted = expected.doer.perform(start);
        Doer doer = expected.doer;
        doer.go_on_with(store);
        const auto seen = answer + doer.picture(bigs_);
        const auto hoped = wanted + expected.doer.picture(bigs_);
        if (seen == hoped) {
            done_ = candidates_[i];
            done_.push_back(start);
            if (i > 0) { // seen now, so it stays
                ++survived_;
                candidates_.resize(1);
            }
            candidates_.front() = done_;
            expected_ = std::move(expected);
            return {};
        }
        nearest = nearest.empty() ? difference(seen, hoped) : nearest;
    }
    add_with(start); // should the power have gone while we looked
    return {
        .refused = false,
        .wrong = fmt::format(
            "after {} acknowledged deeds it holds something else: {}", done_.size(), nearest
        )
    };
}

void Truth::add_with(const Deed& deed) {
    for (std::size_t i = 0, known = candidates_.size(); i < known; ++i) {
        auto& candidate = candidates_.emplace_back(Deeds(candidates_[i]));
        candidate.push_back(deed);
    }
}

Doer Truth::relay_before(ports::Store& store) const {
    Doer doer = expected_.doer;
    doer.go_on_with(store);
    return doer;
}

} // namespace baton::test
