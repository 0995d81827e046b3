#include "baton/wire/line_edits.hpp"

#include "baton/base/assert.hpp"
#include "baton/wire/byte_order_mark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

constexpr std::size_t kAround = 3;

std::string_view without_end(std::string_view line) {
    for (const std::string_view end : {"\n", "\r"}) {
        if (line.ends_with(end)) {
            line.remove_suffix(end.size());
        }
    }
    return line;
}

/// How far a patch has been written: the next step, and the lines of both texts before it.
struct Position {
    std::size_t step{0};
    std::size_t old_line{0};
    std::size_t new_line{0};
};

template <class Steps> std::size_t next_change(const Steps& steps, std::size_t from) {
    while (from < steps.size() && steps[from].mark == ' ') {
        ++from;
    }
    return from;
}

/// `3,7`, as patches count: a range of nothing starts at the line before it.
std::string range_of(std::size_t first, std::size_t count) {
    return fmt::format("{},{}", count == 0 ? first : first + 1, count);
}

/// The steps from a position to `end`, with their head; the position moves there.
template <class Steps> std::string hunk(const Steps& steps, Position& position, std::size_t end) {
    const auto start = position;
    std::string lines;
    for (; position.step < end; ++position.step) {
        const auto& step = steps[position.step];
        lines += step.mark + step.text;
        lines += step.text.ends_with('\n') ? "" : "\n\\ No newline at end of file\n";
        position.old_line += step.mark == '+' ? 0 : 1;
        position.new_line += step.mark == '-' ? 0 : 1;
    }
    return fmt::format(
        "@@ -{} +{} @@\n{}",
        range_of(start.old_line, position.old_line - start.old_line),
        range_of(start.new_line, position.new_line - start.new_line),
        lines
    );
}

} // namespace

LineEdits::LineEdits(std::string_view text)
    : mark_(byte_order_mark(text)) {
    text.remove_prefix(mark_.size());
    while (!text.empty()) {
        const auto end = text.find('\n');
        const auto bytes = end == std::string_view::npos ? text.size() : end + 1;
        lines_.push_back({.text = std::string(text.substr(0, bytes)), .before = {}, .instead = {}});
        text.remove_prefix(bytes);
    }
    if (!lines_.empty() && lines_.front().text.ends_with("\r\n")) {
        end_ = "\r\n";
    }
}

std::string_view LineEdits::line(std::size_t number) const {
    return without_end(lines_.at(number).text);
}

void LineEdits::erase(std::size_t number) {
    lines_.at(number).erased = true;
}

void LineEdits::insert_before(std::size_t number, std::string line) {
    BATON_ASSERT(number <= lines_.size());
    auto& place = number == lines_.size() ? at_end_ : lines_.at(number).before;
    place.push_back(std::move(line) + end_);
}

void LineEdits::replace(std::size_t number, std::string line) {
    erase(number);
    lines_.at(number).instead = std::move(line) + end_;
}

std::vector<LineEdits::Step> LineEdits::steps() const {
    std::vector<Step> steps;
    std::vector<Step> added; // a patch tells first what goes, then what comes
    const auto come = [&steps, &added] {
        steps.insert(steps.end(), added.begin(), added.end());
        added.clear();
    };
    for (const auto& line : lines_) {
        for (const auto& text : line.before) {
            added.push_back({.mark = '+', .text = text});
        }
        if (line.erased) {
            steps.push_back({.mark = '-', .text = line.text});
            if (line.instead) {
                added.push_back({.mark = '+', .text = *line.instead});
            }
            continue;
        }
        come();
        steps.push_back({.mark = ' ', .text = line.text});
    }
    if (!at_end_.empty() && !steps.empty() && steps.back().mark == ' ' &&
        !steps.back().text.ends_with('\n')) { // the last line gets its end first
        auto last = std::move(steps.back().text);
        steps.back() = {.mark = '-', .text = last};
        added.push_back({.mark = '+', .text = last + end_});
    }
    for (const auto& text : at_end_) {
        added.push_back({.mark = '+', .text = text});
    }
    come();
    return steps;
}

std::vector<LineEdits::Step> LineEdits::marked_steps() const {
    if (mark_.empty()) {
        return steps();
    }
    std::vector<Step> marked;
    std::string_view old_mark = mark_;
    std::string_view new_mark = mark_;
    for (const auto& [kind, text] : steps()) {
        const auto was = kind == '+' ? std::string_view{} : std::exchange(old_mark, {});
        const auto is = kind == '-' ? std::string_view{} : std::exchange(new_mark, {});
        if (kind == ' ' && was != is) { // it is first in one of the texts only
            marked.push_back({.mark = '-', .text = std::string(was) + text});
            marked.push_back({.mark = '+', .text = std::string(is) + text});
        } else {
            marked.push_back({.mark = kind, .text = std::string(was.empty() ? is : was) + text});
        }
    }
    return marked;
}

std::string LineEdits::text() const {
    std::string out;
    for (const auto& step : marked_steps()) {
        out += step.mark == '-' ? "" : step.text;
    }
    return out;
}

std::string LineEdits::unified_diff(std::string_view path) const {
    const auto all = marked_steps();
    std::string out;
    Position position;
    while (true) {
        const auto change = next_change(all, position.step);
        if (change == all.size()) {
            break;
        }
        const auto skipped = std::max(position.step + kAround, change) - kAround - position.step;
        position = {
            .step = position.step + skipped,
            .old_line = position.old_line + skipped,
            .new_line = position.new_line + skipped,
        };
        auto end = change;
        for (auto next = change; next < all.size() && next <= end + 2 * kAround;
             next = next_change(all, next + 1)) {
            end = next;
        }
        out += hunk(all, position, std::min(all.size(), end + 1 + kAround));
    }
    return out.empty() ? out : fmt::format("--- a/{0}\n+++ b/{0}\n{1}", path, out);
}

} // namespace baton::wire
