#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace baton::test {

inline std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size() - 1);
        lines.emplace_back(text.substr(0, end + 1));
        text.remove_prefix(end + 1);
    }
    return lines;
}

/// What `patch -p1` does; an empty text when the patch does not fit.
inline std::string applied(std::string_view before, std::string_view diff) {
    const auto old = lines_of(before);
    std::string out;
    std::size_t at = 0;
    std::string last;
    for (const auto& line : lines_of(diff)) {
        if (line.starts_with("---") || line.starts_with("+++")) {
            continue;
        }
        if (line.starts_with("@@")) {
            const auto start = std::stoul(line.substr(4));
            while (at + 1 < start) {
                out += old.at(at++);
            }
            continue;
        }
        if (line.starts_with("\\")) {
            if (last == "+" || last == " ") {
                out.pop_back();
            }
            continue;
        }
        last = line.substr(0, 1);
        if (last != "+") {
            const auto has = old.at(at++);
            if (has != line.substr(1) && has + "\n" != line.substr(1)) {
                return "";
            }
        }
        out += last == "-" ? "" : line.substr(1);
    }
    while (at < old.size()) {
        out += old.at(at++);
    }
    return out;
}

} // namespace baton::test
