#include "baton/store/postgres/dialect.hpp"

#include "baton/base/text.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace baton::store::postgres {

namespace {

constexpr std::string_view kIndexedBy = "INDEXED BY ";
constexpr std::string_view kOwnOpens = "/*+ ";
constexpr std::string_view kOwnCloses = " */";
constexpr std::string_view kCrossJoin = "CROSS JOIN ";
constexpr std::string_view kInstead = "\xef\xbf\xbd"; // U+FFFD

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

std::size_t after_quoted(std::string_view sql, std::size_t at) {
    const auto end = sql.find(sql[at], at + 1);
    return end == std::string_view::npos ? sql.size() : end + 1;
}

std::size_t after_hint(std::string_view sql, std::size_t at) {
    at += kIndexedBy.size();
    while (at < sql.size() && is_word(sql[at])) {
        ++at;
    }
    return at;
}

} // namespace

std::string to_postgres(std::string_view sql) {
    std::string text;
    text.reserve(sql.size());
    for (std::size_t at = 0; at < sql.size();) {
        const auto rest = sql.substr(at);
        if (sql[at] == '\'' || sql[at] == '"') {
            const auto end = after_quoted(sql, at);
            text.append(sql.substr(at, end - at));
            at = end;
        } else if (rest.starts_with(kIndexedBy)) {
            at = after_hint(sql, at);
        } else if (rest.starts_with(kOwnOpens)) {
            at += kOwnOpens.size();
        } else if (rest.starts_with(kOwnCloses)) {
            at += kOwnCloses.size();
        } else if (rest.starts_with(kCrossJoin)) {
            text.append("JOIN ");
            at += kCrossJoin.size();
        } else {
            text.push_back(sql[at] == '?' ? '$' : sql[at]);
            ++at;
        }
    }
    return text;
}

std::string clean(std::string_view text) {
    std::string cleaned;
    while (!text.empty()) {
        const auto bad = std::min(broken_utf8_at(text).value_or(text.size()), text.find('\0'));
        cleaned.append(text.substr(0, bad));
        if (bad >= text.size()) {
            break;
        }
        cleaned.append(kInstead);
        text.remove_prefix(bad + 1);
    }
    return cleaned;
}

} // namespace baton::store::postgres
