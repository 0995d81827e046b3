#pragma once

#include "baton/domain/allowlist.hpp"
#include "baton/domain/comparison.hpp"

#include <string_view>
#include <vector>

namespace baton::wire {

/// What another relay sent, read from a file that people make from its log.
struct SentLog {
    std::vector<domain::OtherDispatch> dispatches;
    std::vector<domain::Finding> findings; // all errors, the first limits::kFindingsMax of them
};

/// NDJSON (the first character is `{`) or CSV with a head; either has `delivery_id`, `downstream`
/// and, where they are known, `event_type` and `at` (RFC 3339). Other fields are passed over. Blank
/// lines too. Any bytes get an answer.
SentLog read_sent_log(std::string_view text);

} // namespace baton::wire
