#include "baton/wire/visible_text.hpp"

#include "baton/base/text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace baton::wire {

namespace {

/// Elements whose content nobody sees.
constexpr std::array<std::string_view, 3> kHidden{"script", "style", "template"};

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

bool is_html(std::string_view page) {
    constexpr std::size_t kLooked = 1024;
    const auto begin = lower(page.substr(0, kLooked));
    return begin.find("<!doctype html") != std::string::npos ||
           begin.find("<html") != std::string::npos;
}

/// The name of the element that a tag opens, in lower case; empty for any other tag.
std::string opened_by(std::string_view tag) {
    const auto end = std::ranges::find_if(tag, [](char c) { return is_blank(c) || c == '/'; });
    return lower(std::string_view(tag.begin(), end));
}

class Reader {
public:
    explicit Reader(std::string_view page)
        : page_(page)
        , lower_(lower(page)) {}

    std::string text() {
        while (at_ < page_.size()) {
            if (page_[at_] == '<') {
                skip_tag();
                blank();
            } else if (is_blank(page_[at_])) {
                ++at_;
                blank();
            } else {
                out_ += page_[at_++];
            }
        }
        return std::string(trimmed(out_));
    }

private:
    void blank() {
        if (!out_.empty() && out_.back() != ' ') {
            out_ += ' ';
        }
    }

    /// Behind the next `what`, or at the end.
    void skip_behind(std::string_view what) {
        const auto found = lower_.find(what, at_);
        at_ = found == std::string::npos ? page_.size() : found + what.size();
    }

    void skip_tag() {
        if (page_.substr(at_).starts_with("<!--")) {
            skip_behind("-->");
            return;
        }
        const auto begin = at_ + 1;
        skip_behind(">");
        const auto name = opened_by(page_.substr(begin, at_ - begin - (at_ > begin ? 1 : 0)));
        if (std::ranges::find(kHidden, name) != kHidden.end()) {
            skip_behind("</" + name);
            skip_behind(">");
        }
    }

    std::string_view page_;
    std::string lower_;
    std::size_t at_{0};
    std::string out_;
};

} // namespace

std::string visible_text(std::string_view page) {
    return is_html(page) ? Reader(page).text() : std::string(page);
}

} // namespace baton::wire
