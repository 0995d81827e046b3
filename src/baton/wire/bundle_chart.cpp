#include "baton/base/time.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/profile.hpp"
#include "baton/wire/bundle.hpp"
#include "baton/wire/bundle_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// A drawing that needs nothing: no script, no font, no network. Colours follow the reader's theme.

namespace baton::wire {

namespace {

using domain::Figure;

constexpr int kWidth = 720;
constexpr int kHeight = 300;
constexpr int kLeft = 56;
constexpr int kRight = 700;
constexpr int kTop = 56;
constexpr int kBottom = 240;
constexpr double kLeast = 0.5; // what is lower stands on the line

constexpr std::string_view kStyle = R"(<style>
svg{background:#fff;font:12px system-ui,sans-serif}
text{fill:#1f2328}.dim{fill:#59636e}.grid{stroke:#d1d9e0}.target{stroke:#9a6700;stroke-dasharray:4 3}
.bound{stroke:#54aeff;stroke-width:6;stroke-opacity:.45}.adj{fill:#0969da}.raw{fill:none;stroke:#59636e;stroke-width:1.5}
@media (prefers-color-scheme:dark){svg{background:#0d1117}text{fill:#f0f6fc}.dim{fill:#9198a1}.grid{stroke:#3d444d}
.target{stroke:#d29922}.bound{stroke:#1f6feb}.adj{fill:#58a6ff}.raw{stroke:#9198a1}}
</style>
)";

double height_of(double rate) {
    const auto shown = std::clamp(rate, kLeast, 1.0);
    return kBottom - (shown - kLeast) / (1 - kLeast) * (kBottom - kTop);
}

double place_of(int day) {
    return kLeft + (day + 0.5) * (kRight - kLeft) / kBundleDays;
}

std::string grid() {
    constexpr std::array<int, 6> kPercents{50, 60, 70, 80, 90, 100};
    std::string out;
    for (const auto percent : kPercents) {
        const auto y = height_of(percent / 100.0);
        out += fmt::format(
            "<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n"
            "<text class=\"dim\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}{} %</text>\n",
            kLeft,
            kRight,
            y,
            y,
            kLeft - 8,
            y + 4,
            percent == 50 ? "≤ " : "",
            percent
        );
    }
    return out;
}

/// The lowest rate that any criterion about passing asks for.
std::optional<double> target_of(const BundleFacts& facts) {
    std::optional<double> target;
    for (const auto* criteria : {&facts.verdict.next, &facts.verdict.demotion}) {
        for (const auto& [criterion, measured, met, advice] : *criteria) {
            const bool passing = criterion.figure == Figure::pass_adj ||
                                 criterion.figure == Figure::pass_raw ||
                                 criterion.figure == Figure::pass_run;
            if (passing && !target) {
                target = criterion.target;
            }
        }
    }
    return target;
}

std::string target_line(const BundleFacts& facts) {
    const auto target = target_of(facts);
    if (!target) {
        return {};
    }
    return fmt::format(
        "<line class=\"target\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"><title>target "
        "{3:.2f} %</title></line>\n",
        kLeft,
        kRight,
        height_of(*target),
        *target * 100
    );
}

std::string day_marks(const BundleFacts& facts, int day) {
    const auto length = facts.history.day_length;
    const auto from = window_of(facts).from + day * length;
    const domain::LadderWindow window{.from = from, .until = from + length};
    const auto rate = [&](Figure figure) {
        return measure(figure, facts.history, window, domain::Quantiles::nearest_rank);
    };
    const auto x = place_of(day);
    const auto adjusted = rate(Figure::pass_adj);
    const auto raw = rate(Figure::pass_raw);
    std::string out;
    if (adjusted.value && adjusted.lower && adjusted.upper) {
        out += fmt::format(
            "<g><title>{}: adjusted {:.2f} % of {}, 95 % bounds {:.2f} to {:.2f} %</title>\n"
            "<line class=\"bound\" x1=\"{:.1f}\" x2=\"{:.1f}\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>\n"
            "<circle class=\"adj\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\"/></g>\n",
            day_text(from),
            *adjusted.value * 100,
            adjusted.n,
            *adjusted.lower * 100,
            *adjusted.upper * 100,
            x,
            x,
            height_of(*adjusted.lower),
            height_of(*adjusted.upper),
            x,
            height_of(*adjusted.value)
        );
    }
    if (raw.value) {
        out += fmt::format(
            "<rect class=\"raw\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"8\" height=\"8\"><title>{}: raw "
            "{:.2f} % of {}</title></rect>\n",
            x - 4,
            height_of(*raw.value) - 4,
            day_text(from),
            *raw.value * 100,
            raw.n
        );
    }
    constexpr int kEvery = 2; // labels would touch otherwise
    constexpr std::size_t kMonthAndDay = 5;
    if (day % kEvery == 0) {
        out += fmt::format(
            "<text class=\"dim\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
            x,
            kBottom + 18,
            to_rfc3339(from).substr(kMonthAndDay, kMonthAndDay)
        );
    }
    return out;
}

} // namespace

std::string chart(const BundleFacts& facts) {
    const auto title = fmt::format(
        "{}: pass rates by day, {} days until {}",
        facts.downstream.text(),
        kBundleDays,
        day_text(facts.verdict.as_of)
    );
    auto out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" role=\"img\" aria-labelledby=\"title\">\n<title id=\"title\">{2}</title>\n"
        "{3}<text x=\"{4}\" y=\"24\" font-size=\"15\" font-weight=\"600\">{2}</text>\n",
        kWidth,
        kHeight,
        title,
        kStyle,
        kLeft
    );
    out += grid() + target_line(facts);
    for (int day = 0; day < kBundleDays; ++day) {
        out += day_marks(facts, day);
    }
    out += fmt::format(
        "<g transform=\"translate({} {})\"><circle class=\"adj\" cx=\"4\" cy=\"-4\" r=\"4\"/><text "
        "x=\"14\">adjusted, with its 95 % bounds</text><rect class=\"raw\" x=\"232\" y=\"-8\" "
        "width=\"8\" height=\"8\"/><text x=\"246\">raw</text><line class=\"target\" x1=\"300\" "
        "x2=\"324\" y1=\"-4\" y2=\"-4\"/><text x=\"330\">target</text></g>\n</svg>\n",
        kLeft,
        kBottom + 44
    );
    return out;
}

} // namespace baton::wire
