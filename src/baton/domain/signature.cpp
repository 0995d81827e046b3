#include "baton/domain/signature.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace baton::domain {

namespace {

constexpr std::size_t kLookedAtBytesMax = 2'000; // of a text: what stands behind tells no more
constexpr std::size_t kHexRunMin = 7;            // a short commit
constexpr int kHexBase = 16;
constexpr std::size_t kClusterDigits = 16;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_hex_digit(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_word(char c) {
    return is_letter(c) || is_digit(c);
}

bool is_blank(char c) {
    return static_cast<unsigned char>(c) <= ' ' || c == '\x7f';
}

bool is_of_path(char c) {
    constexpr std::string_view kOthers = "./\\~+-@%";
    return is_word(c) || kOthers.find(c) != std::string_view::npos;
}

std::size_t run_of(std::string_view text, bool (*wanted)(char)) {
    const auto end = std::ranges::find_if_not(text, wanted);
    return static_cast<std::size_t>(end - text.begin());
}

/// How many bytes at the beginning are a UUID; 0: it is none. The same for those below.
std::size_t uuid_in(std::string_view text) {
    constexpr std::array<std::size_t, 5> kGroups{8, 4, 4, 4, 12};
    std::size_t at = 0;
    for (const auto group : kGroups) {
        if (at > 0 && (at >= text.size() || text[at++] != '-')) {
            return 0;
        }
        const auto rest = text.substr(std::min(at, text.size()));
        if (run_of(rest.substr(0, group), is_hex_digit) != group) {
            return 0;
        }
        at += group;
    }
    return at < text.size() && is_word(text[at]) ? 0 : at;
}

/// 0x7f3a…, or a run of hexadecimal digits that stands alone and is too long for a word.
std::size_t hex_in(std::string_view text) {
    if (text.starts_with("0x") || text.starts_with("0X")) {
        const auto digits = run_of(text.substr(2), is_hex_digit);
        return digits == 0 ? 0 : digits + 2;
    }
    const auto length = run_of(text, is_hex_digit);
    const bool stands_alone = length == text.size() || !is_word(text[length]);
    const auto run = text.substr(0, length);
    const bool mixed = std::ranges::any_of(run, is_digit) && !std::ranges::all_of(run, is_digit);
    const bool exponent = run.find_first_not_of("0123456789eE") == std::string_view::npos;
    return length >= kHexRunMin && stands_alone && mixed && !exponent ? length : 0;
}

/// 12, 0.5, 1e-05.
std::size_t number_in(std::string_view text) {
    auto length = run_of(text, is_digit);
    if (length == 0) {
        return 0;
    }
    if (length < text.size() && text[length] == '.') {
        const auto fraction = run_of(text.substr(length + 1), is_digit);
        length += fraction == 0 ? 0 : fraction + 1;
    }
    if (length < text.size() && (text[length] == 'e' || text[length] == 'E')) {
        auto rest = text.substr(length + 1);
        const std::size_t sign = rest.starts_with('-') || rest.starts_with('+') ? 1 : 0;
        const auto exponent = run_of(rest.substr(sign), is_digit);
        length += exponent == 0 ? 0 : 1 + sign + exponent;
    }
    return length;
}

std::size_t path_in(std::string_view text, Paths paths) {
    const auto length = run_of(text, is_of_path);
    auto run = text.substr(0, length);
    while (run.ends_with('.')) { // the end of a sentence
        run.remove_suffix(1);
    }
    const bool absolute = run.starts_with('/') || run.starts_with("~/") || run.starts_with("\\");
    const bool dotted = run.starts_with("./") || run.starts_with("../");
    const auto slashes = std::ranges::count(run, '/') + std::ranges::count(run, '\\');
    const bool named = std::ranges::any_of(run, is_word);
    const bool is_path =
        named && slashes > 0 && (absolute || (paths == Paths::all && (dotted || slashes > 1)));
    return is_path ? run.size() : 0;
}

/// Writes the text out piece by piece.
class Writer {
public:
    Writer(Paths paths, std::size_t bytes)
        : paths_(paths)
        , bytes_(bytes) {}

    std::string write(std::string_view text) {
        while (!text.empty() && out_.size() < bytes_) {
            text.remove_prefix(take(text));
        }
        out_.resize(cut_to(out_, bytes_).size());
        while (!out_.empty() && out_.back() == ' ') {
            out_.pop_back();
        }
        return out_;
    }

private:
    /// Reads one piece, and says how long it was.
    std::size_t take(std::string_view text) {
        const char first = text.front();
        const bool inside = !out_.empty() && is_word(before_);
        if (is_blank(first)) {
            put(out_.empty() || out_.back() == ' ' ? "" : " ");
            return went(text, 1);
        }
        if (!inside) {
            if (const auto length = piece(text)) {
                return went(text, length);
            }
        }
        if (const auto length = inside ? run_of(text, is_digit) : number_in(text)) {
            put_number();
            return went(text, length);
        }
        put(text.substr(0, 1));
        return went(text, 1);
    }

    std::size_t piece(std::string_view text) {
        if (const auto length = uuid_in(text)) {
            put("<id>");
            return length;
        }
        if (const auto length = hex_in(text)) {
            put("<hex>");
            return length;
        }
        const bool inside_path = is_of_path(before_) && !out_.empty();
        if (const auto length = inside_path ? 0 : path_in(text, paths_)) {
            put("<path>");
            return length;
        }
        const bool sign = (text.front() == '-' || text.front() == '+') && before_ != '>';
        if (const auto length = sign ? number_in(text.substr(1)) : 0) {
            put_number();
            return length + 1;
        }
        return 0;
    }

    /// Lists of numbers are as long as they happen to be.
    void put_number() {
        for (const std::string_view between : {"<n>, ", "<n>,"}) {
            if (out_.ends_with(between)) {
                out_.resize(out_.size() - between.size());
            }
        }
        put("<n>");
    }

    void put(std::string_view piece) { out_ += piece; }

    std::size_t went(std::string_view text, std::size_t length) {
        before_ = text[length - 1];
        return length;
    }

    Paths paths_;
    std::size_t bytes_;
    std::string out_;
    char before_{' '};
};

std::string_view first_line(std::string_view text) {
    while (!text.empty() && is_blank(text.front())) {
        text.remove_prefix(1);
    }
    return text.substr(0, text.find_first_of("\r\n"));
}

/// FNV-1a. Whoever wants to be in somebody's cluster may send the same words, so nothing is won by
/// a dearer one.
std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 14'695'981'039'346'656'037U;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 1'099'511'628'211U;
    }
    return hash;
}

} // namespace

std::string normal_text(std::string_view text, Paths paths, std::size_t bytes) {
    return Writer(paths, bytes).write(cut_to(text, kLookedAtBytesMax));
}

Signature signature_of(const RepoName& upstream, std::string_view test, std::string_view message) {
    auto text = normal_text(test, Paths::absolute, kSignatureTestBytesMax);
    const auto said = normal_text(first_line(message), Paths::all, kSignatureMessageBytesMax);
    if (!said.empty()) {
        text += ": " + said;
    }
    const auto hash = hash_of(fmt::format("{}\n{}", upstream.key(), text));
    return {.cluster = ClusterId{static_cast<std::int64_t>(hash)}, .text = std::move(text)};
}

std::string to_text(ClusterId id) {
    return fmt::format("{:016x}", static_cast<std::uint64_t>(id));
}

std::optional<ClusterId> cluster_named(std::string_view name) {
    std::uint64_t number{0};
    const auto* end = name.data() + name.size();
    const auto [stopped, error] = std::from_chars(name.data(), end, number, kHexBase);
    if (name.size() != kClusterDigits || error != std::errc() || stopped != end ||
        std::ranges::any_of(name, [](char c) { return c >= 'A' && c <= 'F'; })) {
        return std::nullopt;
    }
    return ClusterId{static_cast<std::int64_t>(number)};
}

} // namespace baton::domain
