#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// Foreign text on its way into a check or a comment.
///
/// GitHub looks for mentions, issue numbers, commits and addresses in the finished text, so
/// escaping them is no help: only inside code nothing is looked for. So what a stranger wrote
/// stands in code.
namespace baton::domain {

/// Text of a stranger made harmless inside Markdown: code on one line, at most `most` characters of
/// theirs, without what could end the code, a cell of a table or the reading direction.
std::string inert_markdown(std::string_view text, std::size_t most);

/// A sentence of ours that may quote a stranger: as it is when nothing in it means anything to
/// Markdown or GitHub, else as code.
std::string inert_sentence(std::string_view text, std::size_t most);

/// `[words](url)` where a stranger chose the url; nullopt unless it is http or https, without
/// blanks, and shows the host it leads to. What could end the link is percent-encoded.
std::optional<std::string> link_to(std::string_view words, std::string_view url);

/// The lines that fit into `most` bytes, and then a last one that says how the text was cut. In
/// bytes, because nobody promises what GitHub counts as a character, and no count is greater.
std::string cut_lines(std::string text, std::size_t most);

} // namespace baton::domain
