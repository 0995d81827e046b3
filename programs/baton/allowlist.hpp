#pragma once

#include "baton/wire/allowlist.hpp"

#include <CLI/App.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "checkup.hpp"

namespace baton::program {

/// The verbs of `baton allowlist`, one file each.
void add_allowlist_lint(CLI::App& group, int& exit_code);
void add_allowlist_diff(CLI::App& group, int& exit_code);
void add_allowlist_explain(CLI::App& group, int& exit_code);

/// An allowlist file that was read, or a finding that says why it could not be.
struct LintedFile {
    std::string path;
    bool readable{true};
    wire::AllowlistReading reading;
};

LintedFile lint_file(const std::string& path);

/// Where findings are read: by people, by programs, or by GitHub's pages as annotations.
enum class FindingFormat : std::uint8_t { text = 1, json, github };

/// One line: `FILE:LINE:COLUMN: error: ...`, or `::error file=...,line=...,col=...::...`, escaped
/// as GitHub's runner wants it.
std::string line_of(const Found& found, FindingFormat format);

} // namespace baton::program
