#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/domain/report.hpp"

#include <string>
#include <string_view>

namespace baton::wire {

/// A callback body, read: the dispatch's client_payload, echoed, and what the downstream says.
struct Callback {
    DeliveryId delivery;
    std::string event_type;
    std::string callback_token; // empty: none
    std::string upstream;       // payload.repository.full_name of a nightly or periodic
    domain::Report report;
};

/// `invalid` with the JSON pointer of the first member that is missing or of the wrong kind. What
/// is only too long, or no part of the verdict, is cut or dropped and named in the report's notes.
Result<Callback> parse_callback(const std::string& body);

/// The same body without its callback_token, which nobody but us may see. `body` parses.
std::string without_callback_token(const std::string& body);

} // namespace baton::wire
