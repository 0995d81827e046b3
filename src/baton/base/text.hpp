#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace baton {

/// ASCII lower case: enough for header names, logins and repository names.
std::string lower(std::string_view text);

/// Without blanks at both ends.
std::string_view trimmed(std::string_view text);

/// Untrusted text made safe for one line of a log or a terminal: control characters, DEL, turns of
/// the reading direction and broken UTF-8 are written as \xNN, and what is longer than 200 bytes is
/// cut and marked.
std::string inert(std::string_view text);

/// Digits only, without a sign; nullopt for anything else, nothing at all included, and beyond 64
/// bits.
std::optional<std::int64_t> whole_number(std::string_view text);

/// The offset of the first byte that does not belong to well-formed UTF-8; nullopt when all of them
/// do.
std::optional<std::size_t> broken_utf8_at(std::string_view text);

/// The longest beginning of at most `bytes` bytes that does not end inside a UTF-8 sequence.
std::string_view cut_to(std::string_view text, std::size_t bytes);

/// The candidate with the smallest edit distance, if it is near enough to be a likely typing
/// mistake. Case does not count; the first of equally near ones wins.
std::optional<std::string_view>
nearest(std::string_view word, std::span<const std::string_view> candidates);

/// Glob as in .gitignore's simple form: `*` stops at `/`, `**` does not, `?` is one character other
/// than `/`, and
/// `**/` also stands for no folder at all. The whole text has to match. Linear in the product of
/// both lengths, never exponential: patterns come from people, texts from anybody.
bool glob_matches(std::string_view pattern, std::string_view text);

} // namespace baton
