#pragma once

#include "baton/base/time.hpp"
#include "baton/ports/store.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::api {

/// What somebody did, as the audit shows it.
struct AuditLine {
    std::int64_t id{0};
    TimePoint at{};
    std::string action; // one of the words of the API
    std::string actor;  // empty: not recorded
    std::string subject;
    std::string reason; // empty: none was given
    std::string detail;
};

/// A line of the ledger as an act. nullopt when nobody did it (the relay by itself), and when
/// another line tells of it: what is done through the API has a line "acted" beside the one that
/// the command line writes too.
std::optional<AuditLine> audit_line_of(const ports::LedgerLine& line);

bool is_action(std::string_view word);

} // namespace baton::api
