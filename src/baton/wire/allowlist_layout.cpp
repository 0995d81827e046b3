#include "baton/wire/allowlist_layout.hpp"

#include "baton/domain/level.hpp"
#include "baton/wire/line_edits.hpp"
#include "baton/wire/yaml.hpp"
#include "baton/wire/yaml_findings.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace baton::wire {

namespace {

using yaml::Kind;
using yaml::Node;
using yaml::Place;

std::size_t line_of(const Place& at) {
    return static_cast<std::size_t>(std::max(at.line, 1) - 1);
}

std::size_t column_of(const Place& at) {
    return static_cast<std::size_t>(std::max(at.column, 1) - 1);
}

/// Walks the tree once and notes where everything begins; ends follow from what begins next.
class Surveyor {
public:
    explicit Surveyor(const LineEdits& lines)
        : lines_(lines) {}

    AllowlistLayout survey(const Node& root) {
        AllowlistLayout layout;
        layout.flat = root.kind == Kind::mapping && starts_with_bracket(root.at);
        if (layout.flat || root.kind != Kind::mapping) {
            return layout;
        }
        for (const auto& child : root.children) {
            starts_.insert(line_of(child.key_at));
            if (const auto level = domain::level_named(child.key)) {
                layout.levels.push_back(level_at(*level, child));
            }
        }
        for (auto& level : layout.levels) {
            level.last = end_of(level.key_line, 0);
            for (auto& group : level.groups) {
                for (auto& entry : group.entries) {
                    entry.last = end_of(entry.first, entry.indent);
                    level.last = std::max(level.last, entry.last);
                }
            }
        }
        return layout;
    }

private:
    bool starts_with_bracket(const Place& at) const {
        const auto line = lines_.line(line_of(at));
        const auto column = column_of(at); // in characters: what is before it may be longer
        return column < line.size() && (line[column] == '[' || line[column] == '{');
    }

    LevelPlace level_at(domain::Level level, const Node& node) {
        LevelPlace place{.level = level, .key_line = line_of(node.key_at), .groups = {}};
        if (node.kind == Kind::null || node.children.empty()) {
            place.shape = ListShape::empty;
        } else if (starts_with_bracket(node.at)) {
            place.shape = ListShape::brackets;
        } else if (node.kind == Kind::sequence) {
            place.shape = ListShape::dashes;
            place.groups.push_back(dashes(place, node));
        } else {
            place.shape = ListShape::devices;
            for (const auto& device : node.children) {
                place.groups.push_back(device_at(device));
            }
        }
        return place;
    }

    EntryGroup dashes(const LevelPlace& level, const Node& node) {
        EntryGroup group{.device = {}, .key_line = level.key_line, .entries = {}};
        for (const auto& item : node.children) {
            const auto line = lines_.line(line_of(item.at));
            const auto column = column_of(item.at);
            const auto dash = indent_of(line);
            const auto before = line.substr(0, std::min(column, line.size()));
            const auto is_dash = dash < before.size() && before[dash] == '-' &&
                                 before.find_first_not_of(' ', dash + 1) == std::string_view::npos;
            group.entries.push_back({
                .first = line_of(item.at),
                .indent = dash,
                .key = column,
                .plain = is_dash,
            });
            starts_.insert(line_of(item.at));
        }
        return group;
    }

    EntryGroup device_at(const Node& device) {
        EntryGroup group{
            .device = device.key,
            .key_line = line_of(device.key_at),
            .indent = column_of(device.key_at),
            .entries = {},
        };
        starts_.insert(group.key_line);
        const bool braced = starts_with_bracket(device.at);
        for (const auto& entry : device.children) {
            const auto first = line_of(entry.key_at);
            const auto indent = indent_of(lines_.line(first));
            group.entries.push_back({
                .first = first,
                .indent = indent,
                .key = column_of(entry.key_at),
                .plain = !braced && indent == column_of(entry.key_at),
            });
            starts_.insert(first);
        }
        return group;
    }

    /// The last line of what begins at `first`: before the next thing, without the blank lines and
    /// the comments that stand as far out as it does.
    std::size_t end_of(std::size_t first, std::size_t indent) const {
        const auto next = starts_.upper_bound(first);
        const auto limit = next == starts_.end() ? lines_.size() : *next;
        auto last = first;
        for (auto i = first + 1; i < limit; ++i) {
            const auto line = lines_.line(i);
            if (line.starts_with("---") || line.starts_with("...")) {
                break;
            }
            if (!is_blank(line) && !(is_comment(line) && indent_of(line) <= indent)) {
                last = i;
            }
        }
        return last;
    }

    const LineEdits& lines_;
    std::set<std::size_t> starts_; // lines where a key of the file, a device or an entry begins
};

} // namespace

const LevelPlace* AllowlistLayout::find(domain::Level level) const {
    const auto found = std::ranges::find(levels, level, &LevelPlace::level);
    return found == levels.end() ? nullptr : &*found;
}

std::size_t indent_of(std::string_view line) {
    return std::min(line.find_first_not_of(' '), line.size());
}

bool is_blank(std::string_view line) {
    return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

bool is_comment(std::string_view line) {
    const auto first = line.find_first_not_of(" \t");
    return first != std::string_view::npos && line[first] == '#';
}

std::optional<std::size_t> comment_at(std::string_view line) {
    char quote = '\0';
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        const bool opens =
            i == 0 || std::string_view(" \t[{,:").find(line[i - 1]) != std::string_view::npos;
        if (quote != '\0') {
            i += quote == '"' && c == '\\' ? 1 : 0;
            quote = c == quote ? '\0' : quote;
        } else if ((c == '"' || c == '\'') && opens) {
            quote = c;
        } else if (c == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t')) {
            return i;
        }
    }
    return std::nullopt;
}

AllowlistLayout layout_of(std::string_view text, const LineEdits& lines) {
    yaml::Findings findings;
    const auto root = yaml::read(text, findings);
    return root ? Surveyor(lines).survey(*root) : AllowlistLayout{};
}

} // namespace baton::wire
