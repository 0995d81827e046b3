#include "baton/store/completeness.hpp"

#include "baton/domain/dispatch.hpp"
#include "baton/domain/recovery.hpp"

#include <cstddef>

namespace baton::store {

void count(
    domain::Completeness& day, domain::DispatchState state, Heard heard, std::size_t number
) {
    switch (state) {
    case domain::DispatchState::superseded:
    case domain::DispatchState::cancelled:
        return; // not to be sent after all
    case domain::DispatchState::pending:
        day.open += number;
        break;
    case domain::DispatchState::finished:
    case domain::DispatchState::started:
    case domain::DispatchState::sent:
        day.accepted += number;
        break;
    case domain::DispatchState::failed:
    case domain::DispatchState::dead:
        day.ended += number;
        break;
    }
    day.started += heard.started ? number : 0;
    day.reported += heard.reported ? number : 0;
    day.due += number;
}

void count(domain::Completeness& day, const domain::SentHook& hook) {
    ++day.sent;
    const auto place = domain::whereabouts_of(hook, day.until);
    day.in_ledger += place == domain::Whereabouts::in_ledger ? 1 : 0;
    day.ignored += place == domain::Whereabouts::ignored ? 1 : 0;
}

} // namespace baton::store
