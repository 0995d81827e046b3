#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::wire {

/// Changes of a text, line by line, each told by its place in the text as it was; and the same
/// changes as a patch. Lines count from 0; ends of lines are kept as they are, and so is a byte
/// order mark, which belongs to no line here.
class LineEdits {
public:
    explicit LineEdits(std::string_view text);

    std::size_t size() const { return lines_.size(); }

    /// Without its end.
    std::string_view line(std::size_t number) const;

    void erase(std::size_t number);
    /// At size(): at the end. Several at one place stand in the order in which they came.
    void insert_before(std::size_t number, std::string line);
    void replace(std::size_t number, std::string line);

    std::string text() const;

    /// With three lines around each change, as `git apply` and `patch -p1` take it; empty when
    /// nothing changes.
    std::string unified_diff(std::string_view path) const;

private:
    struct Line {
        std::string text; // with its end
        bool erased{false};
        std::vector<std::string> before; // with their ends
        std::optional<std::string> instead;
    };

    /// A line of the old text, the new one, or both.
    struct Step {
        char mark{' '}; // ' ', '-' or '+'
        std::string text;
    };

    std::vector<Step> steps() const;
    /// The same, with the byte order mark before the first line of either text.
    std::vector<Step> marked_steps() const;

    std::string_view mark_; // empty: there was none
    std::vector<Line> lines_;
    std::vector<std::string> at_end_;
    std::string end_{"\n"}; // of lines that are inserted
};

} // namespace baton::wire
