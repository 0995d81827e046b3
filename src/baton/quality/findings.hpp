#pragma once

#include "baton/domain/allowlist.hpp"

#include <span>
#include <string>
#include <string_view>

/// The quality of compute platforms: criteria as data, assessments, scores. docs/design/quality.md
/// has the words and the rules. Pure: nothing here reads a file, a clock or a network.
namespace baton::quality {

using domain::Severity;

/// Where something stands in its file, both from 1; zero: no place in particular.
struct Position {
    int line{0};
    int column{0};

    friend auto operator<=>(const Position&, const Position&) = default;
};

/// One thing that is wrong with a file of criteria (C...) or an assessment (Q...). Codes never
/// change their meaning.
struct Finding {
    std::string code; // "Q002"
    Severity severity{Severity::error};
    Position at;
    std::string message; // what is wrong, with the item's id
    std::string hint;    // what to do about it; may be empty

    friend bool operator==(const Finding&, const Finding&) = default;
};

/// `FILE:LINE:COLUMN: error: Q002: MESSAGE; HINT`
std::string to_text(const Finding& finding, std::string_view file);

bool has_errors(std::span<const Finding> findings);

/// What a code means, for tools that list rules.
struct FindingRule {
    std::string_view code;
    std::string_view text;
};

/// All of them, by code.
std::span<const FindingRule> finding_rules();

} // namespace baton::quality
