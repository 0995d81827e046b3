#include "baton/domain/attribution.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>

namespace baton::domain {

namespace {

template <class Enum, std::size_t kSize>
std::string_view word(const std::array<std::string_view, kSize>& words, Enum value) {
    return words.at(static_cast<std::size_t>(value) - 1);
}

template <class Enum, std::size_t kSize>
std::optional<Enum> named(const std::array<std::string_view, kSize>& words, std::string_view name) {
    const auto found = std::ranges::find(words, name);
    return found == words.end()
               ? std::nullopt
               : std::optional(static_cast<Enum>(std::distance(words.begin(), found) + 1));
}

constexpr std::array<std::string_view, 7> kWhoseWords{
    "pr", "trunk", "backend", "infra", "relay", "flake", "unknown"
};
constexpr std::array<std::string_view, 3> kConfidenceWords{"low", "medium", "high"};
constexpr std::array<std::string_view, 8> kRuleWords{
    "together",
    "seen_elsewhere",
    "job_broken",
    "passed_again",
    "no_results",
    "relay_trouble",
    "triage",
    "override",
};
constexpr std::array<std::string_view, 5> kTriageWords{
    "upstream", "backend", "infra", "flake", "unknown"
};
constexpr std::array<std::string_view, 4> kAgainstBaseWords{"new", "existing", "fixed", "unknown"};

} // namespace

std::string_view name_of(Whose whose) {
    return word(kWhoseWords, whose);
}

std::string_view name_of(Confidence confidence) {
    return word(kConfidenceWords, confidence);
}

std::string_view name_of(Rule rule) {
    return word(kRuleWords, rule);
}

std::string_view name_of(AgainstBase against) {
    return word(kAgainstBaseWords, against);
}

std::optional<Triage> triage_named(std::string_view category, std::string_view confidence) {
    const auto told = named<Triage::Category>(kTriageWords, category);
    const auto sure = named<Confidence>(kConfidenceWords, confidence);
    return told && sure ? std::optional(Triage{.category = *told, .confidence = *sure})
                        : std::nullopt;
}

} // namespace baton::domain
