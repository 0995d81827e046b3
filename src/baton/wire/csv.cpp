#include "baton/wire/csv.hpp"

#include <string>
#include <string_view>

namespace baton::wire {

namespace {

std::string in_quotes(std::string_view text) {
    std::string cell = "\"";
    for (const char c : text) {
        cell.append(c == '"' ? 2 : 1, c);
    }
    return cell + '"';
}

} // namespace

std::string csv_text(std::string_view text) {
    constexpr std::string_view kFormula = "=+-@\t\r";
    constexpr std::string_view kQuoted = "\",\r\n";
    std::string safe;
    if (!text.empty() && kFormula.find(text.front()) != std::string_view::npos) {
        safe = "'";
    }
    safe += text;
    return safe.find_first_of(kQuoted) == std::string::npos ? safe : in_quotes(safe);
}

} // namespace baton::wire
