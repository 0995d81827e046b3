#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace baton::crypto {

/// A JSON object of plain texts and whole numbers, nothing nested: what the header and the claims
/// of an App's token are. Not a JSON library: crypto links none, and what does not look like this
/// is no App token.
class FlatJson {
public:
    /// nullopt for anything else, also for escapes in texts, doubled names, fractions, and bytes
    /// after the end.
    static std::optional<FlatJson> parse(std::string_view json);

    std::optional<std::string> text(std::string_view name) const;
    std::optional<std::string> number(std::string_view name) const; // its digits

private:
    std::map<std::string, std::string, std::less<>> texts_;
    std::map<std::string, std::string, std::less<>> numbers_;
};

} // namespace baton::crypto
