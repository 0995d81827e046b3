#include "baton/domain/ruling.hpp"

#include "baton/base/ids.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/plan.hpp"
#include "baton/domain/suspension.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

namespace baton::domain {

Ruling Ruling::yes(std::string reason) {
    return {.admission = Admission::yes, .reason = std::move(reason)};
}

Ruling Ruling::no(std::string reason) {
    return {.admission = Admission::no, .reason = std::move(reason)};
}

Ruling Ruling::undecided(std::string reason) {
    return {.admission = Admission::undecided, .reason = std::move(reason)};
}

Ruling together(const std::vector<Ruling>& rulings) {
    Ruling all;
    for (const auto& ruling : rulings) {
        if (ruling.admission != Admission::yes) {
            return ruling;
        }
        if (!ruling.reason.empty()) {
            all.reason += all.reason.empty() ? ruling.reason : "; " + ruling.reason;
        }
    }
    return all;
}

Ruling general_ruling(const Downstream& downstream, const PlanInput& input) {
    const Pairing pairing{
        .upstream = input.event.repository.value_or(RepoName{}), .downstream = downstream.repo
    };
    if (const auto* held = suspension_of(input.suspensions, pairing, input.now)) {
        return Ruling::no(to_text(*held));
    }
    if (is_paused(downstream, input.now)) {
        return Ruling::no(to_text(*downstream.pause));
    }
    if (!downstream.events.pull_request) {
        return Ruling::no("its events do not include pull_request");
    }
    return Ruling::yes(fmt::format(
        "listed at {}{}{}",
        name_of(downstream.level),
        downstream.device.empty() ? "" : " for ",
        downstream.device
    ));
}

} // namespace baton::domain
