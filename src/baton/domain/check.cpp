#include "baton/domain/check.hpp"

#include <optional>
#include <string_view>

namespace baton::domain {

std::string_view name_of(CheckStatus status) {
    switch (status) {
    case CheckStatus::queued:
        return "queued";
    case CheckStatus::in_progress:
        return "in_progress";
    case CheckStatus::completed:
        return "completed";
    }
    return "";
}

std::optional<CheckStatus> check_status_named(std::string_view name) {
    for (const auto status :
         {CheckStatus::queued, CheckStatus::in_progress, CheckStatus::completed}) {
        if (name_of(status) == name) {
            return status;
        }
    }
    return std::nullopt;
}

} // namespace baton::domain
