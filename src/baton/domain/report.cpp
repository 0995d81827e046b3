#include "baton/domain/report.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace baton::domain {

std::string_view name_of(JobStatus status) {
    return status == JobStatus::in_progress ? "in_progress" : "completed";
}

std::optional<JobStatus> job_status_named(std::string_view name) {
    for (const auto status : {JobStatus::in_progress, JobStatus::completed}) {
        if (name_of(status) == name) {
            return status;
        }
    }
    return std::nullopt;
}

std::string_view name_of(Conclusion conclusion) {
    switch (conclusion) {
    case Conclusion::success:
        return "success";
    case Conclusion::failure:
        return "failure";
    case Conclusion::neutral:
        return "neutral";
    case Conclusion::cancelled:
        return "cancelled";
    case Conclusion::skipped:
        return "skipped";
    case Conclusion::timed_out:
        return "timed_out";
    case Conclusion::action_required:
        return "action_required";
    }
    return "";
}

std::optional<Conclusion> conclusion_named(std::string_view name) {
    const auto* const found = std::ranges::find(kConclusions, name, [](Conclusion conclusion) {
        return name_of(conclusion);
    });
    return found == kConclusions.end() ? std::nullopt : std::optional(*found);
}

} // namespace baton::domain
