#include "baton/wire/allowlist_spelling.hpp"

#include "baton/base/text.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/wire/allowlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace baton::wire {

namespace {

bool is_plain_word(std::string_view text) {
    constexpr std::array<std::string_view, 8> kTaken{
        "null", "true", "false", "yes", "no", "on", "off", "n"
    };
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    return !text.empty() && letter(text.front()) && text != "y" && text != "Y" &&
           std::ranges::find(kTaken, lower(text)) == kTaken.end() &&
           std::ranges::all_of(text, [&letter](char c) {
               return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '/';
           });
}

/// `["dora", "null"]` becomes `[dora, "null"]`: as people write it.
std::string unquoted_words(std::string_view value) {
    std::string out;
    while (!value.empty()) {
        const auto open = value.find('"');
        out += value.substr(0, open);
        if (open == std::string_view::npos) {
            break;
        }
        auto close = open + 1;
        while (close < value.size() && value[close] != '"') {
            close += value[close] == '\\' ? 2 : 1;
        }
        const auto word = value.substr(open + 1, close - open - 1);
        out += is_plain_word(word) ? std::string(word) : value.substr(open, close - open + 1);
        value.remove_prefix(std::min(value.size(), close + 1));
    }
    return out;
}

} // namespace

std::string spelled_word(std::string_view word) {
    return is_plain_word(word) ? std::string(word) : fmt::format("\"{}\"", word);
}

std::string spelled_entry(const domain::Downstream& entry, Listed where) {
    auto keys = keys_of(entry);
    if (where == Listed::under_device) {
        std::erase_if(keys, [](const EntryKey& key) { return key.name == "device"; });
    }
    const auto name = entry.repo.text();
    if (keys.empty()) {
        return where == Listed::under_device ? name + ":" : name;
    }
    if (keys.size() == 1 && keys.front().name == "oncalls") {
        return fmt::format("{}: {}", name, unquoted_words(keys.front().value));
    }
    std::string inside;
    for (const auto& key : keys) {
        inside += fmt::format(
            "{}{}: {}", inside.empty() ? "" : ", ", key.name, unquoted_words(key.value)
        );
    }
    return fmt::format("{}: {{{}}}", name, inside);
}

} // namespace baton::wire
