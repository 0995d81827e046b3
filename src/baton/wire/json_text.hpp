#pragma once

#include <string>
#include <string_view>

/// The few things about JSON that need no document: writing a text, and taking out the blanks.
namespace baton::wire {

/// Appends `text` as a JSON string with its quotes. Control characters are escaped; bytes that are
/// not UTF-8 become U+FFFD, so that whatever comes in, what goes out is valid.
void append_json_quoted(std::string& out, std::string_view text);

/// Not named `quoted`: the standard library has one, and a call with a std::string would find that.
std::string json_quoted(std::string_view text);

/// The same document without blanks between its parts; numbers and texts keep every byte. `json`
/// must be valid.
std::string minified(std::string_view json);

} // namespace baton::wire
