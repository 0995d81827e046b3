// The sets of criteria/, read once.

#include "baton/base/assert.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/wire/criteria.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire {

using quality::CriteriaSet;

namespace {

std::vector<CriteriaSet> read_files() {
    std::vector<CriteriaSet> all;
    for (const auto& file : criteria_files()) {
        auto reading = read_criteria(file.text);
        BATON_ASSERT(reading.set.has_value()); // a test reads them all
        all.push_back(*std::move(reading.set));
    }
    std::ranges::sort(all, {}, quality::label_of);
    return all;
}

} // namespace

const std::vector<CriteriaSet>& builtin_criteria() {
    static const std::vector<CriteriaSet> kSets = read_files();
    return kSets;
}

const CriteriaSet* builtin_criteria_set(std::string_view label) {
    const auto& all = builtin_criteria();
    const auto found = std::ranges::find(all, label, quality::label_of);
    return found == all.end() ? nullptr : &*found;
}

} // namespace baton::wire
