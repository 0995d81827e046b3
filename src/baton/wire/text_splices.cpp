#include "baton/wire/text_splices.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::wire {

namespace {

bool continues_character(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

} // namespace

TextSplices::TextSplices(std::string_view text)
    : text_(text) {
    starts_.push_back(0);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n' && i + 1 < text.size()) {
            starts_.push_back(i + 1);
        }
    }
    if (text.find("\r\n") != std::string_view::npos) {
        end_ = "\r\n";
    }
}

std::optional<std::size_t> TextSplices::offset_of(int line, int column) const {
    if (line < 1 || column < 1 || static_cast<std::size_t>(line) > starts_.size()) {
        return std::nullopt;
    }
    auto offset = starts_[static_cast<std::size_t>(line) - 1];
    const auto end = end_of(line);
    for (int passed = 1; passed < column; ++passed) {
        if (offset >= end) {
            return std::nullopt;
        }
        ++offset;
        while (offset < end && continues_character(text_[offset])) {
            ++offset;
        }
    }
    return offset;
}

std::size_t TextSplices::end_of(int line) const {
    const auto start = starts_[static_cast<std::size_t>(line) - 1];
    auto end = std::min(text_.find('\n', start), text_.size());
    if (end > start && text_[end - 1] == '\r') {
        --end;
    }
    return end;
}

char TextSplices::at(int line, int column) const {
    const auto offset = offset_of(line, column);
    return offset && *offset < text_.size() ? text_[*offset] : '\0';
}

bool TextSplices::replace(int line, int column, std::size_t bytes, std::string_view instead) {
    const auto offset = offset_of(line, column);
    if (!offset || *offset + bytes > text_.size()) {
        return false;
    }
    splices_.emplace(*offset, Splice{.bytes = bytes, .instead = std::string(instead)});
    return true;
}

bool TextSplices::replace(int line, int column, std::string_view old, std::string_view instead) {
    const auto offset = offset_of(line, column);
    return offset && text_.substr(*offset).starts_with(old) &&
           replace(line, column, old.size(), instead);
}

void TextSplices::add_line_after(int line, std::string_view added) {
    splices_.emplace(
        end_of(line), Splice{.bytes = 0, .instead = std::string(end_) + std::string(added)}
    );
}

void TextSplices::add_line_before(int line, std::string_view added) {
    splices_.emplace(
        starts_[static_cast<std::size_t>(line) - 1],
        Splice{.bytes = 0, .instead = std::string(added) + std::string(end_)}
    );
}

void TextSplices::add_last_line(std::string_view added) {
    const bool ended = text_.empty() || text_.ends_with('\n');
    auto line = std::string(ended ? "" : end_);
    line += added;
    line += end_;
    splices_.emplace(text_.size(), Splice{.bytes = 0, .instead = std::move(line)});
}

std::string TextSplices::text() const {
    std::string out;
    std::size_t done = 0;
    for (const auto& [offset, splice] : splices_) {
        out += text_.substr(done, offset - done);
        out += splice.instead;
        done = offset + splice.bytes;
    }
    out += text_.substr(done);
    return out;
}

} // namespace baton::wire
