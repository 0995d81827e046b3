#pragma once

#include "baton/base/time.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>

namespace baton::ports {

/// One step of a walk through what is kept, the oldest first: so many are looked at, those whose
/// time is over are removed.
struct PruneQuery {
    TimePoint now{};
    Millis keep_for{};
    std::int64_t after{0}; // where the step before came to; 0: from the oldest on
    std::size_t limit{200};
};

struct PruneStep {
    std::size_t removed{0};
    std::optional<std::int64_t> next; // for `after` of the next step; none: the walk is over
};

/// What a store keeps, as people ask how much room it takes. `free` is room that was taken before
/// and will be used again.
enum class StoredKind : std::uint8_t {
    payloads = 1,
    deliveries,
    dispatches,
    results,
    roll_ups,
    ledger,
    checks,
    other,
    free
};

struct NamedStoredKind {
    StoredKind kind{};
    std::string_view name;
};

inline constexpr std::array<NamedStoredKind, 9> kStoredKinds{{
    {.kind = StoredKind::payloads, .name = "payloads"},
    {.kind = StoredKind::deliveries, .name = "deliveries"},
    {.kind = StoredKind::dispatches, .name = "dispatches"},
    {.kind = StoredKind::results, .name = "results"},
    {.kind = StoredKind::roll_ups, .name = "roll_ups"},
    {.kind = StoredKind::ledger, .name = "ledger"},
    {.kind = StoredKind::checks, .name = "checks"},
    {.kind = StoredKind::other, .name = "other"},
    {.kind = StoredKind::free, .name = "free"},
}};

/// How much room each kind takes on disk, with its indexes. Empty: nobody has measured yet.
struct StoreSizes {
    std::map<StoredKind, std::size_t> bytes;
    TimePoint at{};
};

} // namespace baton::ports
