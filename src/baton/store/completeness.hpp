#pragma once

#include "baton/domain/dispatch.hpp"
#include "baton/domain/recovery.hpp"

#include <cstddef>

namespace baton::store {

/// Adds dispatches of one state to a day's account; only the newest generation of each counts.
void count(domain::Completeness& day, domain::DispatchState state, std::size_t number);

/// Adds a webhook.
void count(domain::Completeness& day, const domain::SentHook& hook);

} // namespace baton::store
