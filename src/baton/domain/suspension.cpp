#include "baton/domain/suspension.hpp"

#include "baton/base/time.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace baton::domain {

bool is_in_force(const Suspension& suspension, TimePoint now) {
    return !suspension.until || now < *suspension.until;
}

const Suspension*
suspension_of(const std::vector<Suspension>& all, const Pairing& pairing, TimePoint now) {
    const Suspension* found = nullptr;
    for (const auto& one : all) {
        const bool meant = one.downstream == pairing.downstream &&
                           (one.upstream.empty() || one.upstream == pairing.upstream);
        if (meant && is_in_force(one, now) && (found == nullptr || one.upstream.empty())) {
            found = &one;
        }
    }
    return found;
}

std::string to_text(const Suspension& suspension) {
    return suspension.until
               ? fmt::format(
                     "suspended until {}: {}", to_rfc3339(*suspension.until), suspension.reason
                 )
               : fmt::format("suspended: {}", suspension.reason);
}

} // namespace baton::domain
