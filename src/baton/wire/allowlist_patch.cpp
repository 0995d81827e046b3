#include "baton/wire/allowlist_patch.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/domain/allowlist.hpp"
#include "baton/domain/level.hpp"
#include "baton/wire/allowlist.hpp"
#include "baton/wire/allowlist_layout.hpp"
#include "baton/wire/allowlist_spelling.hpp"
#include "baton/wire/byte_order_mark.hpp"
#include "baton/wire/line_edits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

using domain::Downstream;
using domain::Level;

/// A line further in or out; never more than its blanks are taken away.
std::string shifted(std::string_view line, std::size_t from, std::size_t to) {
    if (is_blank(line)) {
        return std::string(line);
    }
    const auto indent = indent_of(line);
    const auto wanted = indent + to - std::min(indent + to, from);
    return std::string(wanted, ' ') + std::string(line.substr(indent));
}

/// An entry on its way from one list to another.
struct Taken {
    std::vector<std::string> comments; // that go with it, without blanks before them
    std::vector<std::string> lines;    // as they stood; empty: it is spelled anew
    EntryPlace place;
    ListShape shape{ListShape::dashes};
};

class Mover {
public:
    struct Task {
        const Downstream& entry;
        Level to;
        bool anew; // spell the entry anew, whatever it looks like
    };

    Mover(LineEdits& lines, const AllowlistLayout& layout, const domain::Allowlist& list, Task task)
        : lines_(lines)
        , layout_(layout)
        , list_(list)
        , task_(task) {}

    /// An empty text, or why it cannot be done.
    std::string move() {
        const auto* source = layout_.find(task_.entry.level);
        if (layout_.flat || source == nullptr) {
            return "the whole file is written in braces: move the entry by hand";
        }
        const auto* target = layout_.find(task_.to);
        if (target != nullptr && target->shape == ListShape::devices &&
            task_.entry.device.empty()) {
            return fmt::format(
                "{} lists its repositories by device, and {} names none: give it a device first",
                name_of(task_.to),
                task_.entry.repo.text()
            );
        }
        const auto taken = take(*source);
        if (target == nullptr) {
            put_into_new_level(taken);
        } else if (target->shape == ListShape::brackets || target->shape == ListShape::empty) {
            open_up(*target);
            put_list(taken, target->last + 1);
        } else if (target->shape == ListShape::dashes) {
            const auto& entries = target->groups.front().entries;
            put_entry(taken, ListShape::dashes, entries.back().last + 1, entries.front().indent);
        } else {
            put_under_device(taken, *target);
        }
        return {};
    }

private:
    // --- out of the list where it stands

    Taken take(const LevelPlace& source) {
        if (source.shape == ListShape::brackets) {
            open_up(source);
            return {};
        }
        for (const auto& group : source.groups) {
            const auto line = static_cast<std::size_t>(task_.entry.line - 1);
            const auto found = std::ranges::find(group.entries, line, &EntryPlace::first);
            if (found != group.entries.end()) {
                return take_from(source, group, *found);
            }
        }
        return {};
    }

    Taken take_from(const LevelPlace& source, const EntryGroup& group, const EntryPlace& place) {
        Taken taken{.comments = {}, .lines = {}, .place = place, .shape = source.shape};
        // What stands above the first one may speak of the whole list.
        auto above = place.first;
        while (place.first != group.entries.front().first && is_comment(lines_.line(above - 1)) &&
               indent_of(lines_.line(above - 1)) == place.indent) {
            --above;
        }
        for (auto i = above; i < place.first; ++i) {
            taken.comments.emplace_back(lines_.line(i).substr(place.indent));
            lines_.erase(i);
        }
        const bool verbatim = place.plain && !task_.anew;
        for (auto i = place.first; i <= place.last; ++i) {
            const auto line = lines_.line(i);
            const auto comment = comment_at(line);
            if (verbatim) {
                taken.lines.emplace_back(line);
            } else if (comment) {
                taken.comments.emplace_back(line.substr(*comment));
            }
            lines_.erase(i);
        }
        if (source.shape == ListShape::devices && group.entries.size() == 1) {
            drop_key(group.key_line); // a device without repositories is an error
        }
        return taken;
    }

    void drop_key(std::size_t line) {
        const auto text = lines_.line(line);
        if (const auto comment = comment_at(text)) {
            lines_.insert_before(
                line, std::string(indent_of(text), ' ') + std::string(text.substr(*comment))
            );
        }
        lines_.erase(line);
    }

    /// Writes a list of brackets, or of nothing, as one of dashes, without the entry that moves.
    void open_up(const LevelPlace& level) {
        const auto line = lines_.line(level.key_line);
        const auto head = line.substr(0, line.find(':') + 1);
        if (level.shape == ListShape::empty && is_blank(line.substr(head.size()))) {
            return;
        }
        const auto comment = comment_at(line);
        const auto tail = comment ? "  " + std::string(line.substr(*comment)) : std::string{};
        if (line != std::string(head) + tail) {
            lines_.replace(level.key_line, std::string(head) + tail);
        }
        for (auto i = level.key_line + 1; i <= level.last; ++i) {
            if (const auto inner = comment_at(lines_.line(i))) {
                lines_.insert_before(
                    i, std::string(dash_indent(), ' ') + std::string(lines_.line(i).substr(*inner))
                );
            }
            lines_.erase(i);
        }
        for (const auto& entry : list_.downstreams()) {
            if (entry.level == level.level && entry.repo != task_.entry.repo) {
                lines_.insert_before(
                    level.last + 1,
                    fmt::format(
                        "{:{}}- {}", "", dash_indent(), spelled_entry(entry, Listed::by_itself)
                    )
                );
            }
        }
    }

    /// How far in the file's other lists stand.
    std::size_t dash_indent() const {
        constexpr std::size_t kUsual = 2;
        const auto dashes =
            std::ranges::find(layout_.levels, ListShape::dashes, &LevelPlace::shape);
        return dashes == layout_.levels.end() ? kUsual
                                              : dashes->groups.front().entries.front().indent;
    }

    // --- into the other list

    /// The first of its list, which looks as the list it comes from.
    void put_list(const Taken& taken, std::size_t before) {
        if (taken.shape == ListShape::devices && !taken.lines.empty()) {
            const auto inner = taken.place.indent;
            const auto outer = std::min<std::size_t>(inner - std::min<std::size_t>(inner, 1), 2);
            lines_.insert_before(
                before, fmt::format("{:{}}{}:", "", outer, spelled_word(task_.entry.device))
            );
            put_entry(taken, ListShape::devices, before, inner);
        } else {
            put_entry(taken, ListShape::dashes, before, dash_indent());
        }
    }

    void put_into_new_level(const Taken& taken) {
        const LevelPlace* below = nullptr;
        for (const auto& level : layout_.levels) {
            if (level.level < task_.to && (below == nullptr || level.level > below->level)) {
                below = &level;
            }
        }
        auto before = below != nullptr ? below->last + 1 : layout_.levels.front().key_line;
        lines_.insert_before(before, std::string(name_of(task_.to)) + ":");
        put_list(taken, before);
    }

    void put_under_device(const Taken& taken, const LevelPlace& target) {
        const auto& device = task_.entry.device;
        const auto found = std::ranges::find(target.groups, device, &EntryGroup::device);
        if (found != target.groups.end()) {
            const auto& entries = found->entries;
            put_entry(taken, ListShape::devices, entries.back().last + 1, entries.front().indent);
            return;
        }
        const auto& sibling = target.groups.front();
        lines_.insert_before(
            target.last + 1, fmt::format("{:{}}{}:", "", sibling.indent, spelled_word(device))
        );
        put_entry(taken, ListShape::devices, target.last + 1, sibling.entries.front().indent);
    }

    void put_entry(const Taken& taken, ListShape shape, std::size_t before, std::size_t indent) {
        for (const auto& comment : taken.comments) {
            lines_.insert_before(before, std::string(indent, ' ') + comment);
        }
        if (taken.lines.empty() || (shape == ListShape::dashes && taken.shape != shape)) {
            for (const auto& line : taken.lines) {
                if (const auto comment = comment_at(line)) {
                    lines_.insert_before(before, std::string(indent, ' ') + line.substr(*comment));
                }
            }
            lines_.insert_before(
                before,
                fmt::format(
                    "{:{}}{}{}",
                    "",
                    indent,
                    shape == ListShape::dashes ? "- " : "",
                    spelled_entry(
                        task_.entry,
                        shape == ListShape::dashes ? Listed::by_itself : Listed::under_device
                    )
                )
            );
            return;
        }
        // Under a device the dash falls away, and what followed it keeps its place below the name.
        const auto from = taken.shape == shape ? taken.place.indent : taken.place.key;
        bool first = true;
        for (auto line : taken.lines) {
            if (std::exchange(first, false) && taken.shape != shape) {
                line = std::string(from, ' ') + line.substr(from);
            }
            lines_.insert_before(before, shifted(line, from, indent));
        }
    }

    LineEdits& lines_;
    const AllowlistLayout& layout_;
    const domain::Allowlist& list_;
    Task task_;
};

/// Whether `text` says what `before` says, in that order, but for one entry's level.
bool reads_back(const domain::Allowlist& before, const Mover::Task& task, std::string_view text) {
    const auto reading = read_allowlist(text);
    if (!reading.allowlist) {
        return false;
    }
    const auto others = [&task](const domain::Allowlist& list) {
        std::vector<Downstream> entries;
        for (auto entry : list.downstreams()) {
            if (entry.repo != task.entry.repo) {
                entry.line = 0;
                entries.push_back(std::move(entry));
            }
        }
        return entries;
    };
    const auto* moved = reading.allowlist->find(task.entry.repo);
    if (moved == nullptr || moved->level != task.to ||
        others(before) != others(*reading.allowlist)) {
        return false;
    }
    auto back = *moved;
    back.level = task.entry.level;
    back.line = task.entry.line;
    return back == task.entry;
}

} // namespace

Result<AllowlistPatch>
patch_level(std::string_view text, const RepoName& downstream, Level level, std::string_view path) {
    const auto reading = read_allowlist(text);
    if (!reading.allowlist) {
        const auto error = std::ranges::find(
            reading.findings, domain::Severity::error, &domain::Finding::severity
        );
        return fail(Errc::invalid, "the list cannot be read: " + to_text(*error, path));
    }
    const auto* entry = reading.allowlist->find(downstream);
    if (entry == nullptr) {
        return fail(Errc::not_found, fmt::format("{} is not in the list", downstream.text()));
    }
    if (entry->level == level) {
        return fail(
            Errc::conflict,
            fmt::format("{} stands at {} already", downstream.text(), name_of(level))
        );
    }
    const auto mark = byte_order_mark(text).size();
    for (const bool anew : {false, true}) {
        LineEdits lines(text);
        const auto layout = layout_of(text.substr(mark), lines);
        const Mover::Task task{.entry = *entry, .to = level, .anew = anew};
        const auto refusal = Mover(lines, layout, *reading.allowlist, task).move();
        if (!refusal.empty()) {
            return fail(Errc::invalid, refusal);
        }
        auto patched = lines.text();
        if (reads_back(*reading.allowlist, task, patched)) {
            return AllowlistPatch{.text = std::move(patched), .diff = lines.unified_diff(path)};
        }
    }
    return fail(
        Errc::invalid,
        fmt::format(
            "{} is written in a way that only a person can move: see line {} of the list",
            downstream.text(),
            entry->line
        )
    );
}

} // namespace baton::wire
