#pragma once

#include "baton/base/result.hpp"

namespace baton::relay {

/// Whether it can end without a person.
inline bool heals_by_itself(const Error& error) {
    return error.code == Errc::unavailable || error.code == Errc::timed_out ||
           error.code == Errc::throttled;
}

} // namespace baton::relay
