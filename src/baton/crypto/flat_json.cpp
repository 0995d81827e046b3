#include "baton/crypto/flat_json.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::crypto {

namespace {

/// Walks along the text; every step says whether it found what it wanted.
class Reader {
public:
    explicit Reader(std::string_view rest)
        : rest_(rest) {}

    bool take(char wanted) {
        skip_blanks();
        if (rest_.empty() || rest_.front() != wanted) {
            return false;
        }
        rest_.remove_prefix(1);
        return true;
    }

    std::optional<std::string> take_text() {
        if (!take('"')) {
            return std::nullopt;
        }
        const auto end = std::ranges::find_if(rest_, [](char c) {
            return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
        });
        if (end == rest_.end() || *end != '"') {
            return std::nullopt;
        }
        return cut(static_cast<std::size_t>(end - rest_.begin()), 1);
    }

    std::optional<std::string> take_number() {
        skip_blanks();
        const auto end =
            std::ranges::find_if_not(rest_, [](char c) { return c >= '0' && c <= '9'; });
        const auto digits = static_cast<std::size_t>(end - rest_.begin());
        if (digits == 0 || (digits > 1 && rest_.front() == '0')) {
            return std::nullopt;
        }
        return cut(digits, 0);
    }

    bool at_end() {
        skip_blanks();
        return rest_.empty();
    }

private:
    void skip_blanks() {
        const auto start = std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size());
        rest_.remove_prefix(start);
    }

    std::string cut(std::size_t count, std::size_t closing) {
        std::string piece(rest_.substr(0, count));
        rest_.remove_prefix(count + closing);
        return piece;
    }

    std::string_view rest_;
};

std::optional<std::string>
found(const std::map<std::string, std::string, std::less<>>& in, std::string_view name) {
    const auto it = in.find(name);
    return it == in.end() ? std::nullopt : std::optional(it->second);
}

} // namespace

std::optional<FlatJson> FlatJson::parse(std::string_view json) {
    FlatJson object;
    Reader reader(json);
    if (!reader.take('{')) {
        return std::nullopt;
    }
    if (reader.take('}')) {
        return reader.at_end() ? std::optional(object) : std::nullopt;
    }
    do {
        auto name = reader.take_text();
        if (!name || !reader.take(':') || object.texts_.contains(*name) ||
            object.numbers_.contains(*name)) {
            return std::nullopt;
        }
        if (auto text = reader.take_text()) {
            object.texts_.emplace(*std::move(name), *std::move(text));
        } else if (auto number = reader.take_number()) {
            object.numbers_.emplace(*std::move(name), *std::move(number));
        } else {
            return std::nullopt;
        }
    } while (reader.take(','));
    return reader.take('}') && reader.at_end() ? std::optional(object) : std::nullopt;
}

std::optional<std::string> FlatJson::text(std::string_view name) const {
    return found(texts_, name);
}

std::optional<std::string> FlatJson::number(std::string_view name) const {
    return found(numbers_, name);
}

} // namespace baton::crypto
