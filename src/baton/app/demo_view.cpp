#include "baton/app/demo_view.hpp"

#include "baton/app/demo_figures.hpp"
#include "baton/app/demo_text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/level.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::app::demo {

namespace {

constexpr std::string_view kDot = " · ";
constexpr std::size_t kLevelColumns = 3;
constexpr std::size_t kRepoColumns = 25;
constexpr std::size_t kDeviceColumns = 6;
constexpr std::size_t kFixedRows = 11; // everything but table rows and ticker
constexpr std::size_t kTallRows = 30;  // from here on there is room to breathe
constexpr std::size_t kAiryRows = 3;   // which is used for these
constexpr std::size_t kTickerRowsMax = 10;
constexpr Millis kTroubleStays{std::chrono::seconds{10}};

Line fitted(const Line& line, std::size_t columns) {
    Line out;
    std::size_t room = columns;
    for (const auto& span : line) {
        if (room == 0) {
            break;
        }
        auto text = cut(span.text, room);
        room -= width_of(text);
        out.push_back({.tone = span.tone, .text = std::move(text)});
    }
    return out;
}

/// Left and right, with as much room between them as there is; without the right part if both do
/// not fit.
Line spread(Line left, const Line& right, std::size_t columns) {
    const auto used = width_of(plain_text(left)) + width_of(plain_text(right));
    if (used + 2 <= columns) {
        left.push_back({.text = std::string(columns - used, ' ')});
        std::ranges::copy(right, std::back_inserter(left));
    }
    return left;
}

/// A cell of the table: cut so that a blank stays on its right.
std::string cell(std::string text, std::size_t columns) {
    return padded(cut(std::move(text), columns - 1), columns);
}

bool is_tall(Size size) {
    return size.rows >= kTallRows;
}

Span label(std::string_view name) {
    return {.tone = Tone::quiet, .text = padded(std::string(name), kLabelColumns)};
}

// --- the parts of the screen, from top to bottom

void add_header(std::vector<Line>& lines, const Snapshot& snapshot, Size size) {
    const bool playing = snapshot.stage.empty();
    lines.push_back(spread(
        {{.tone = Tone::strong, .text = "Baton demo  " + snapshot.address}},
        {{.tone = Tone::plain, .text = "up " + clock_text(snapshot.uptime)},
         {.tone = Tone::quiet, .text = fmt::format("{}seed {}{}", kDot, snapshot.seed, kDot)},
         {.tone = playing ? Tone::quiet : Tone::strong,
          .text = playing ? "Ctrl-C stops" : snapshot.stage}},
        size.columns
    ));
    lines.push_back({{
        .text = fmt::format(
            "{}'s events go to {} downstreams. GitHub is simulated, the relay is real.",
            snapshot.upstream,
            snapshot.downstreams.size()
        ),
    }});
    lines.push_back(
        {label("HUD"),
         {.text = fmt::format("{}/", snapshot.address)},
         {.tone = Tone::quiet, .text = "   in a browser; also /readyz and /metrics"}}
    );
    lines.push_back(
        {label("try"),
         {.text = fmt::format("baton deliveries list --store {}", snapshot.store_path)}}
    );
    if (is_tall(size)) {
        lines.push_back({label(""), {.text = "tail -f " + snapshot.log_path}});
    }
    std::string rule;
    for (std::size_t i = 0; i < size.columns; ++i) {
        rule += "─";
    }
    lines.push_back({{.tone = Tone::quiet, .text = std::move(rule)}});
}

void add_figures(std::vector<Line>& lines, const Snapshot& snapshot, Size size) {
    lines.push_back(webhooks_line(snapshot.webhooks, size.columns));
    lines.push_back(dispatches_line(snapshot, size.columns));
    lines.push_back(results_line(snapshot.results, size.columns));
    lines.push_back(checks_line(snapshot.checks, size.columns));
    if (is_tall(size)) {
        lines.push_back(pace_line(snapshot, size.columns));
        lines.push_back({});
    }
}

Line table_row(const DownstreamRow& row) {
    const auto number = [](std::size_t count, std::size_t columns, Tone tone) {
        const auto text = with_commas(count);
        const auto room = columns > text.size() ? columns - text.size() : 0;
        return Span{.tone = count == 0 ? Tone::quiet : tone, .text = std::string(room, ' ') + text};
    };
    return {
        {.tone = Tone::quiet, .text = padded(std::string(name_of(row.level)), kLevelColumns)},
        {.text = cell(row.repo, kRepoColumns)},
        {.tone = Tone::quiet, .text = cell(row.device, kDeviceColumns)},
        number(row.received, 5, Tone::plain),
        number(row.waiting, 6, Tone::warning),
        number(row.failed, 6, Tone::bad),
        {.text = "  "},
        {.tone = row.tone, .text = row.note},
    };
}

/// Which rows are shown: all, or the featured ones first and then as many others as there is room
/// for, always in the order of the table.
std::vector<const DownstreamRow*> chosen(const std::vector<DownstreamRow>& all, std::size_t room) {
    std::vector<bool> shown(all.size(), false);
    for (const bool featured : {true, false}) {
        for (std::size_t i = 0; i < all.size() && room > 0; ++i) {
            if (!shown[i] && all[i].featured == featured) {
                shown[i] = true;
                --room;
            }
        }
    }
    std::vector<const DownstreamRow*> out;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (shown[i]) {
            out.push_back(&all[i]);
        }
    }
    return out;
}

Line folded(const std::vector<DownstreamRow>& all, const std::vector<const DownstreamRow*>& shown) {
    std::size_t received = 0;
    std::size_t waiting = 0;
    std::size_t failed = 0;
    for (const auto& row : all) {
        if (std::ranges::find(shown, &row) == shown.end()) {
            received += row.received;
            waiting += row.waiting;
            failed += row.failed;
        }
    }
    const auto count = all.size() - shown.size();
    DownstreamRow rest{
        .repo = fmt::format("and {} more", count),
        .device = "",
        .received = received,
        .waiting = waiting,
        .failed = failed,
        .note = "a taller window shows them",
        .tone = Tone::quiet,
    };
    auto line = table_row(rest);
    line.front().text = padded("", kLevelColumns);
    return line;
}

void add_table(std::vector<Line>& lines, const Snapshot& snapshot, std::size_t room) {
    const auto& all = snapshot.downstreams;
    lines.push_back({{
        .tone = Tone::quiet,
        .text = padded("", kLevelColumns) + padded("DOWNSTREAM", kRepoColumns) +
                padded("DEVICE", kDeviceColumns) + "  GOT WAITS FAILS  NOTE",
    }});
    const bool fold = all.size() > room;
    const auto shown = chosen(all, fold && room > 0 ? room - 1 : room);
    for (const auto* row : shown) {
        lines.push_back(table_row(*row));
    }
    if (fold) {
        lines.push_back(folded(all, shown));
    }
    lines.push_back({});
}

/// Trouble stays for some seconds although lesser news come several times a second.
std::vector<Happening> news(const Snapshot& snapshot, std::size_t room) {
    const auto& all = snapshot.happenings;
    std::set<std::size_t>
        shown; // places, so that they come out in the order in which they happened
    for (std::size_t i = all.size(); i-- > 0 && shown.size() < (room + 1) / 2;) {
        if (all[i].trouble && all[i].at + kTroubleStays > snapshot.uptime) {
            shown.insert(i);
        }
    }
    for (std::size_t i = all.size(); i-- > 0 && shown.size() < room;) {
        shown.insert(i);
    }
    std::vector<Happening> out;
    for (const auto place : shown) {
        out.push_back(all[place]);
    }
    return out;
}

void add_ticker(std::vector<Line>& lines, const Snapshot& snapshot, std::size_t room) {
    for (const auto& one : news(snapshot, room)) {
        lines.push_back(
            {{.tone = Tone::quiet, .text = padded(clock_text(one.at), 6)},
             {.tone = one.trouble ? Tone::warning : Tone::plain,
              .text = (one.trouble ? "! " : "  ") + one.text}}
        );
    }
}

struct Division {
    std::size_t table;
    std::size_t ticker;
};

Division divided(Size size, std::size_t downstreams) {
    const auto fixed = kFixedRows + (is_tall(size) ? kAiryRows : 0);
    const std::size_t room = size.rows > fixed ? size.rows - fixed : 0;
    constexpr std::size_t kTickerRows = 4;
    if (room >= downstreams + kTickerRows) {
        return {.table = downstreams, .ticker = std::min(room - downstreams, kTickerRowsMax)};
    }
    const auto ticker = std::min(kTickerRows, room / 3);
    return {.table = room - ticker, .ticker = ticker};
}

} // namespace

std::vector<Line> view(const Snapshot& snapshot, Size size) {
    std::vector<Line> lines;
    const auto [table, ticker] = divided(size, snapshot.downstreams.size());
    add_header(lines, snapshot, size);
    add_figures(lines, snapshot, size);
    add_table(lines, snapshot, table);
    add_ticker(lines, snapshot, ticker);
    lines.resize(std::min(lines.size(), size.rows));
    for (auto& line : lines) {
        line = fitted(line, size.columns);
    }
    return lines;
}

} // namespace baton::app::demo
