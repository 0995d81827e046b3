#pragma once

#include "baton/app/demo_view.hpp"

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

namespace baton::app::demo {

/// Standard output: a terminal that is drawn on in place, or a pipe that gets lines. Colours only
/// on a terminal and unless NO_COLOR is set; where the locale is not UTF-8, plain ASCII. One
/// thread, but `leave` from any.
class Screen {
public:
    Screen();

    bool is_terminal() const { return terminal_; }

    Size size() const;

    /// Shows these lines and nothing else, in one write: what does not change does not flicker.
    /// The first time it moves to the terminal's second page, so what was there comes back.
    void draw(const std::vector<Line>& lines, Size size);
    /// Back to the first page, cursor visible. Harmless when nothing was drawn.
    void leave();
    /// Prints text as it is, after `leave`. False when nobody reads any more.
    bool print(std::string_view text) const;

private:
    std::string rendered(const Line& line) const;

    bool terminal_{false};
    bool colour_{false};
    bool utf8_{false};
    std::atomic<bool> drawn_{false};
};

} // namespace baton::app::demo
