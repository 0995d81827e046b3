#include "baton/domain/gate_suspension.hpp"

#include "baton/domain/suspension.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace baton::domain {

std::optional<GateSuspension>
suspension_of(const std::vector<GateSuspension>& all, const Pairing& pairing) {
    const auto found = std::ranges::find_if(all, [&pairing](const GateSuspension& one) {
        return one.upstream == pairing.upstream && one.downstream == pairing.downstream;
    });
    return found == all.end() ? std::nullopt : std::optional(*found);
}

} // namespace baton::domain
