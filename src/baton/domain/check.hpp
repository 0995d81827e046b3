#pragma once

#include "baton/base/time.hpp"
#include "baton/domain/report.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace baton::domain {

enum class CheckStatus : std::uint8_t { queued = 1, in_progress, completed };

std::string_view name_of(CheckStatus status);
std::optional<CheckStatus> check_status_named(std::string_view name);

/// A check run as it should stand on a commit of the upstream.
struct Check {
    std::string name;        // "crcr/owner/repo/workflow/job", or "crcr/gate"
    std::string external_id; // "<run_id>:<pr>"
    std::string details_url; // empty: none
    CheckStatus status{CheckStatus::queued};
    std::optional<Conclusion> conclusion; // there when completed
    std::optional<TimePoint> started_at;
    std::optional<TimePoint> completed_at; // there when completed
    std::string title;
    std::string summary; // Markdown, everything foreign in it made inert

    friend bool operator==(const Check&, const Check&) = default;
};

} // namespace baton::domain
