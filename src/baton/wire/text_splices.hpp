#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace baton::wire {

/// Changes inside the lines of a text, each told by its place in the text as it was; every other
/// byte stays. Lines and columns count from 1, columns in characters, as the YAML reader tells
/// them.
class TextSplices {
public:
    explicit TextSplices(std::string_view text);

    /// What lines of this text end with.
    std::string_view line_end() const { return end_; }

    /// The byte at that place; NUL where there is none.
    char at(int line, int column) const;

    /// So many bytes give way. False, and nothing changes, when there is no such place.
    bool replace(int line, int column, std::size_t bytes, std::string_view instead);
    /// The same for bytes that must stand there.
    bool replace(int line, int column, std::string_view old, std::string_view instead);

    /// Several after one line stand in the order in which they came.
    void add_line_after(int line, std::string_view added);
    void add_line_before(int line, std::string_view added);
    void add_last_line(std::string_view added);

    std::string text() const;

private:
    struct Splice {
        std::size_t bytes{0};
        std::string instead;
    };

    std::optional<std::size_t> offset_of(int line, int column) const;
    std::size_t end_of(int line) const; // before the end of the line

    std::string_view text_;
    std::string_view end_{"\n"};
    std::vector<std::size_t> starts_;            // of lines
    std::multimap<std::size_t, Splice> splices_; // by offset, then as they came
};

} // namespace baton::wire
