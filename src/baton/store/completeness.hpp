#pragma once

#include "baton/domain/dispatch.hpp"
#include "baton/domain/recovery.hpp"

#include <cstddef>

namespace baton::store {

/// What was heard of a dispatch: its jobs that count tell.
struct Heard {
    bool started{false};
    bool reported{false}; // one of them ended, by the downstream's word
};

/// Adds dispatches of one state to a day's account; only the newest generation of each counts.
void count(domain::Completeness& day, domain::DispatchState state, Heard heard, std::size_t number);

/// Adds a webhook.
void count(domain::Completeness& day, const domain::SentHook& hook);

} // namespace baton::store
