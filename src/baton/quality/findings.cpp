#include "baton/quality/findings.hpp"

#include "baton/domain/allowlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

namespace baton::quality {

namespace {

constexpr std::array<FindingRule, 31> kRules{{
    {.code = "C001", .text = "a printed subtotal is not the sum of its rows"},
    {.code = "C002", .text = "the printed total is not the sum of all rows"},
    {.code = "C003", .text = "a document id stands twice in its section"},
    {.code = "C004", .text = "a document id is left out"},
    {.code = "C005", .text = "no score reaches a level"},
    {.code = "C006", .text = "a threshold is above the maximum"},
    {.code = "C007", .text = "parts or steps do not fit the maximum"},
    {.code = "C040", .text = "not what the format of criteria asks for"},
    {.code = "Q001", .text = "an item is unknown or missing"},
    {.code = "Q002", .text = "claimed without evidence"},
    {.code = "Q003", .text = "evidence is not declared, or declared and not used"},
    {.code = "Q004", .text = "a part or a value does not fit the item"},
    {.code = "Q005", .text = "the claim contradicts what stands beside it"},
    {.code = "Q006", .text = "the item cannot be exempt so"},
    {.code = "Q007", .text = "an evidence file is missing or has another digest"},
    {.code = "Q010", .text = "evidence is too old, or younger than the assessment"},
    {.code = "Q011", .text = "evidence is older than the release it should prove"},
    {.code = "Q012", .text = "a link is dead, leads to a login or shows something else"},
    {.code = "Q013", .text = "evidence is not public where it has to be"},
    {.code = "Q014", .text = "one link serves for more than five items"},
    {.code = "Q015", .text = "no evidence is of a type that the item asks for"},
    {.code = "Q020", .text = "the result hangs by a thread"},
    {.code = "Q021", .text = "a denominator is not that of the baseline"},
    {.code = "Q022", .text = "more tests flake than are marked"},
    {.code = "Q023", .text = "the result does not fit the relay level"},
    {.code = "Q024", .text = "a level that the criteria do not have"},
    {.code = "Q025", .text = "a review that cannot be"},
    {.code = "Q030", .text = "a level is requested without the release before"},
    {.code = "Q031", .text = "the assessment before is another one"},
    {.code = "Q032", .text = "an item requires one that the criteria do not have"},
    {.code = "Q040", .text = "not what the format of assessments asks for"},
}};

} // namespace

std::string to_text(const Finding& finding, std::string_view file) {
    const domain::Finding plain{
        .severity = finding.severity,
        .line = finding.at.line,
        .column = finding.at.column,
        .message = fmt::format(
            "{}: {}{}{}",
            finding.code,
            finding.message,
            finding.hint.empty() ? "" : "; ",
            finding.hint
        )
    };
    return domain::to_text(plain, file);
}

bool has_errors(std::span<const Finding> findings) {
    return std::ranges::any_of(findings, [](const Finding& finding) {
        return finding.severity == Severity::error;
    });
}

std::span<const FindingRule> finding_rules() {
    return kRules;
}

} // namespace baton::quality
