#include "baton/quality/test_ids.hpp"

#include "baton/base/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::quality {

namespace {

constexpr std::string_view kParting = "::";
constexpr int kShardsMax = 1000;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_word(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// What stands between the partings; a file, a class or a test without a name is none.
std::vector<std::string_view> parts_of(std::string_view id) {
    std::vector<std::string_view> parts;
    while (!id.empty()) {
        const auto part = id.substr(0, id.find(kParting));
        id.remove_prefix(std::min(id.size(), part.size() + kParting.size()));
        if (!part.empty()) {
            parts.push_back(part);
        }
    }
    return parts;
}

/// The device as a word of its own, whatever its case, becomes `<dev>`.
std::string fold_words(std::string_view text, std::string_view device) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        const auto rest = text.substr(i);
        const bool begins = i == 0 || !is_word(text[i - 1]);
        const bool ends = rest.size() == device.size() ||
                          (rest.size() > device.size() && !is_word(rest[device.size()]));
        if (begins && ends && lower(rest.substr(0, device.size())) == device) {
            out += "<dev>";
            i += device.size();
        } else {
            out += text[i++];
        }
    }
    return out;
}

/// A class ends with the device in capitals where tests are made for each device.
std::string fold_class(std::string_view text, std::span<const std::string> devices) {
    for (const auto& device : devices) {
        if (text.size() <= device.size()) {
            continue;
        }
        const auto tail = text.substr(text.size() - device.size());
        const bool capitals =
            std::ranges::none_of(tail, [](char c) { return c >= 'a' && c <= 'z'; });
        if (capitals && lower(tail) == device) {
            return std::string(text.substr(0, text.size() - tail.size())) + "<DEV>";
        }
    }
    return std::string(text);
}

/// `test.test_ops.TestCommon` is the class TestCommon of test/test_ops.py.
std::pair<std::string, std::string_view> module_of(std::string_view class_name) {
    const auto dot = class_name.rfind('.');
    if (dot == std::string_view::npos || dot == 0) {
        return {"", class_name};
    }
    auto file = std::string(class_name.substr(0, dot));
    std::ranges::replace(file, '.', '/');
    return {file + ".py", class_name.substr(dot + 1)};
}

/// The number that ends at `end`, and where it begins.
std::optional<std::pair<int, std::size_t>> number_before(std::string_view text, std::size_t end) {
    auto begin = end;
    while (begin > 0 && is_digit(text[begin - 1])) {
        --begin;
    }
    int number = 0;
    const auto read = std::from_chars(text.data() + begin, text.data() + end, number);
    if (begin == end || read.ec != std::errc{}) {
        return std::nullopt;
    }
    return std::pair{number, begin};
}

/// A slash between numbers parts them in `1/3`, but folders in `2026/1/3`.
bool is_path(std::string_view text, std::size_t begin, std::size_t end) {
    return (begin > 0 && text[begin - 1] == '/') ||
           (end < text.size() && (text[end] == '/' || text[end] == '.'));
}

std::size_t digits_after(std::string_view text, std::size_t begin) {
    while (begin < text.size() && is_digit(text[begin])) {
        ++begin;
    }
    return begin;
}

} // namespace

std::string baseline_id(std::string_view id, std::span<const std::string> devices) {
    auto parts = parts_of(id);
    if (parts.empty()) {
        return "";
    }
    std::string name(parts.back());
    parts.pop_back();
    for (const auto& device : devices) {
        name = fold_words(name, device);
    }
    std::string file;
    if (parts.size() > 1 || (parts.size() == 1 && parts.front().ends_with(".py"))) {
        file = parts.front();
        parts.erase(parts.begin());
    } else if (parts.size() == 1) {
        std::tie(file, parts.front()) = module_of(parts.front());
    }
    const auto class_name = fold_class(fmt::format("{}", fmt::join(parts, kParting)), devices);
    std::string out;
    out += file.empty() ? "" : file + std::string(kParting);
    out += class_name.empty() ? "" : class_name + std::string(kParting);
    return out + name;
}

std::optional<Shard> shard_in(std::string_view name) {
    constexpr std::array<std::string_view, 5> kWords{" of ", "-of-", "_of_", "of", "/"};
    for (const auto word : kWords) {
        for (auto at = name.find(word); at != std::string_view::npos;
             at = name.find(word, at + 1)) {
            const auto number = number_before(name, at);
            const auto end = digits_after(name, at + word.size());
            const auto count = number_before(name, end);
            const bool fits = number && count && count->second >= at + word.size() &&
                              !(word == "/" && is_path(name, number->second, end));
            if (fits && number->first >= 1 && number->first <= count->first &&
                count->first <= kShardsMax) {
                auto of = std::string(name.substr(0, number->second)) + "*";
                of += name.substr(at);
                return Shard{.of = std::move(of), .number = number->first, .count = count->first};
            }
        }
    }
    return std::nullopt;
}

std::vector<std::string> missing_shards(std::span<const std::string> names) {
    std::map<std::string, std::pair<int, std::set<int>>> found;
    for (const auto& name : names) {
        if (auto shard = shard_in(name)) {
            auto& [count, numbers] = found[shard->of];
            count = shard->count;
            numbers.insert(shard->number);
        }
    }
    std::vector<std::string> sentences;
    for (const auto& [of, shards] : found) {
        std::vector<int> missing;
        for (int number = 1; number <= shards.first; ++number) {
            if (!shards.second.contains(number)) {
                missing.push_back(number);
            }
        }
        if (!missing.empty()) {
            sentences.push_back(fmt::format(
                "{}: {} {} missing",
                inert(of),
                fmt::join(missing, ", "),
                missing.size() == 1 ? "is" : "are"
            ));
        }
    }
    return sentences;
}

} // namespace baton::quality
