#include "baton/wire/yaml_findings.hpp"

#include "baton/base/limits.hpp"
#include "baton/domain/allowlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::wire::yaml {

using domain::Finding;
using domain::Severity;

void Findings::error(Place at, std::string message) {
    ++errors_;
    add(
        {.severity = Severity::error,
         .line = at.line,
         .column = at.column,
         .message = std::move(message)}
    );
}

void Findings::warning(Place at, std::string message) {
    add(
        {.severity = Severity::warning,
         .line = at.line,
         .column = at.column,
         .message = std::move(message)}
    );
}

void Findings::add(Finding finding) {
    if (findings_.size() + 1 < limits::kFindingsMax) {
        findings_.push_back(std::move(finding));
    } else {
        ++dropped_;
        dropped_error_ = dropped_error_ || finding.severity == Severity::error;
    }
}

std::vector<Finding> Findings::take() && {
    std::ranges::sort(findings_, [](const Finding& a, const Finding& b) {
        return std::tie(a.line, a.column, a.message) < std::tie(b.line, b.column, b.message);
    });
    if (dropped_ > 0) {
        findings_.push_back(
            {.severity = dropped_error_ ? Severity::error : Severity::warning,
             .message = fmt::format("{} more, not shown: mend these first", dropped_)}
        );
    }
    return std::move(findings_);
}

} // namespace baton::wire::yaml
