// The summary, and the chapters about what is.

#include "baton/quality/assessment.hpp"
#include "baton/quality/changes.hpp"
#include "baton/quality/criteria.hpp"
#include "baton/quality/gap.hpp"
#include "baton/quality/page.hpp"
#include "baton/quality/readings.hpp"
#include "baton/quality/report.hpp"
#include "baton/quality/report_chapters.hpp"
#include "baton/quality/score.hpp"
#include "baton/quality/trust.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::quality {

namespace {

constexpr std::size_t kShortDigest = 12;

std::string_view status_of(Status status) {
    switch (status) {
    case Status::draft:
        return "draft";
    case Status::submitted:
        return "submitted";
    case Status::reviewed:
        return "reviewed";
    case Status::decided:
        return "decided";
    }
    return "";
}

std::string joined(const std::vector<std::string>& all) {
    return fmt::format("{}", fmt::join(all, ", "));
}

std::string points_text(const Report& report) {
    const auto& score = report.score;
    return fmt::format(
        "{} proven, {} potential, {} in all ({})",
        score.proven,
        score.potential,
        score.max,
        percent_text(score.proven, report.set.total(Base::printed) - score.exempt)
    );
}

std::string p0_text(const Report& report) {
    const auto& p0 = report.score.p0;
    return fmt::format(
        "{} of {}{}",
        p0.met,
        p0.total,
        p0.open.empty() ? "" : fmt::format("; open: {}", joined(p0.open))
    );
}

std::string warning_text(const Warning& warning) {
    return fmt::format("{}: {}", warning.item, warning.text);
}

std::string documented_text(const Report& report) {
    const auto& documented = report.documented;
    return fmt::format(
        "{}{} ({} of {} releases in a row {} {} or better)",
        level_name(report.set, documented.rank),
        documented.stale ? ", stale" : "",
        documented.in_a_row,
        documented.needed,
        documented.in_a_row == 1 ? "is" : "are",
        level_name(report.set, report.score.level)
    );
}

std::string next_text(const Report& report) {
    const auto* const next = report.set.level(report.score.level + 1);
    if (next == nullptr) {
        return "none: this is the best level";
    }
    return fmt::format(
        "{} asks for {}",
        next->name,
        asked_for(*next, points_for(report.score, report.score.reading, next->rank))
    );
}

std::string readings_text(const Report& report) {
    std::string out;
    for (const auto& reading : report.score.readings) {
        out += fmt::format(
            "{}{} {}",
            out.empty() ? "" : ", ",
            name_of(reading.reading),
            level_name(report.set, reading.level)
        );
    }
    return out;
}

std::string way_text(const Report& report) {
    std::vector<std::string> moves;
    for (const auto& move : report.gap->way->moves) {
        moves.push_back(to_text(move, report.set));
    }
    return fmt::format("{} (effort {})", joined(moves), report.gap->way->effort);
}

/// Evidence, one after the other: "smoke (T2, 8 d)".
std::string evidence_text(const ReportItem& item) {
    std::string out;
    for (const auto& use : item.evidence) {
        out += fmt::format(
            "{}{} ({}{}{})",
            out.empty() ? "" : ", ",
            use.evidence->id,
            tier_of(trust_of(*use.evidence)),
            use.age_days ? fmt::format(", {} d", *use.age_days) : "",
            use.expired ? ", expired" : ""
        );
    }
    return out;
}

/// What the tiers behind evidence mean.
std::string tiers_text() {
    std::vector<std::string> all;
    for (const auto trust : kTrusts) {
        all.push_back(fmt::format("{} {}", tier_of(trust), words_of(trust)));
    }
    return fmt::format("Evidence is, as it is declared: {}.", joined(all));
}

std::string review_text(const ReportItem& item) {
    if (item.claim == nullptr || !item.claim->review) {
        return "";
    }
    const auto& review = *item.claim->review;
    const std::string_view word = review.verdict == ReviewVerdict::accept   ? "accepted"
                                  : review.verdict == ReviewVerdict::reject ? "rejected"
                                                                            : "adjusted";
    return fmt::format("{} {}", word, review.by);
}

std::string note_text(const ReportItem& item) {
    const auto& score = item.score;
    return score.before_review
               ? fmt::format("{} before review: {}", *score.before_review, score.note)
               : score.note;
}

std::string score_text(const ItemScore& score) {
    return score.potential == score.proven
               ? fmt::format("{}/{}", score.proven, score.max)
               : fmt::format("{} to {}/{}", score.proven, score.potential, score.max);
}

Grid levels_of(const Report& report) {
    Grid grid{.head = {"level", "asks for", "what users may expect"}, .rows = {}};
    for (const auto reading : kReadings) {
        grid.head.emplace_back(std::string(name_of(reading)));
    }
    for (const auto& level : report.set.levels) {
        const auto own = points_for(report.score, report.score.reading, level.rank);
        Row row{level.name, asked_for(level, own), level.promise};
        for (const auto reading : kReadings) {
            const auto points = points_for(report.score, reading, level.rank);
            row.emplace_back(points ? fmt::format("{}", *points) : "");
        }
        grid.rows.push_back(std::move(row));
    }
    Row reached{"this platform", fmt::format("{} points", report.score.proven), ""};
    for (const auto& reading : report.score.readings) {
        reached.emplace_back(level_name(report.set, reading.level));
    }
    grid.rows.push_back(std::move(reached));
    return grid;
}

} // namespace

std::string title_of(const Assessment& assessment) {
    const auto& platform = assessment.platform;
    return fmt::format(
        "{}{}{}, PyTorch {}",
        platform.name,
        platform.version.empty() ? "" : " ",
        platform.version,
        to_text(assessment.release)
    );
}

Grid summary_of(const Report& report) {
    const auto& assessment = report.assessment;
    Grid grid;
    const auto add = [&](std::string_view name, std::string text) {
        grid.rows.push_back({std::string(name), std::move(text)});
    };
    add("grade", level_name(report.set, report.score.level));
    add("points", points_text(report));
    add("P0", p0_text(report));
    for (const auto& warning : report.score.warnings) {
        add("warning", warning_text(warning));
    }
    add("documented", documented_text(report));
    add("next", next_text(report));
    if (report.gap && report.gap->way) {
        add("cheapest way", way_text(report));
    }
    add("readings", readings_text(report));
    add("assessed",
        fmt::format(
            "{}{}{}, {}",
            assessment.assessed.on ? to_text(*assessment.assessed.on) : "without a day",
            assessment.assessed.by.empty() ? "" : " by ",
            joined(assessment.assessed.by),
            status_of(assessment.assessed.status)
        ));
    if (assessment.decision) {
        add("decided", assessment.decision->level);
    }
    add("criteria",
        fmt::format(
            "{}, digest {}", label_of(report.set), report.set.digest.substr(0, kShortDigest)
        ));
    add("as of", to_text(report.as_of));
    return grid;
}

Page lay_out(const Report& report) {
    return {
        .title = title_of(report.assessment),
        .summary = summary_of(report),
        .chapters =
            {verdict_chapter(report),
             p0_chapter(report),
             sections_chapter(report),
             items_chapter(report),
             gap_chapter(report),
             risk_chapter(report),
             changes_chapter(report),
             metrics_chapter(report),
             exemptions_chapter(report),
             interpretations_chapter(report),
             reproduce_chapter(report),
             record_chapter(report)},
    };
}

Chapter verdict_chapter(const Report& report) {
    const auto& score = report.score;
    Chapter chapter{.title = "Verdict and why", .blocks = {}};
    chapter.blocks.emplace_back(fmt::format(
        "Graded {}: {}; P0 {}.",
        level_name(report.set, score.level),
        points_text(report),
        p0_text(report)
    ));
    for (const auto& warning : score.warnings) {
        chapter.blocks.emplace_back(fmt::format("Warning: {}.", warning_text(warning)));
    }
    if (score.reading_sensitive) {
        chapter.blocks.emplace_back("The four readings of the thresholds disagree about it.");
    }
    if (score.potential_level != score.level) {
        chapter.blocks.emplace_back(fmt::format(
            "If everything unknown were met: {}.", level_name(report.set, score.potential_level)
        ));
    }
    if (report.expired) {
        chapter.blocks.emplace_back(fmt::format(
            "Stale: on {} some of these points rest on evidence that no longer counts.",
            to_text(report.as_of)
        ));
    }
    if (const auto& decision = report.assessment.decision) {
        chapter.blocks.emplace_back(fmt::format(
            "Decided{}{}: {}{}.",
            decision->by.empty() ? "" : " by ",
            decision->by,
            decision->level,
            decision->on ? fmt::format(", on {}", to_text(*decision->on)) : ""
        ));
    }
    if (!report.assessment.assessed.requests.empty()) {
        chapter.blocks.emplace_back(
            fmt::format("Asked for by the vendor: {}.", report.assessment.assessed.requests)
        );
    }
    chapter.blocks.emplace_back(levels_of(report));
    return chapter;
}

Chapter p0_chapter(const Report& report) {
    Grid grid{.head = {"item", "title", "state", "points", "evidence", "note"}, .rows = {}};
    for (const auto& item : report.items) {
        if (item.score.priority == Priority::p0) {
            grid.rows.push_back(
                {item.item->id,
                 item.item->title,
                 std::string(name_of(item.score.state)),
                 score_text(item.score),
                 evidence_text(item),
                 note_text(item)}
            );
        }
    }
    Chapter chapter{.title = "Items of priority P0", .blocks = {}};
    if (grid.rows.empty()) {
        chapter.blocks.emplace_back("The criteria have none.");
    } else {
        chapter.blocks.emplace_back(std::move(grid));
    }
    return chapter;
}

Chapter sections_chapter(const Report& report) {
    Bars bars;
    for (const auto& section : report.score.sections) {
        bars.push_back(
            {.id = section.id,
             .title = section.title,
             .proven = section.proven,
             .unknown = section.potential - section.proven,
             .missing = section.max - section.potential,
             .exempt = section.exempt}
        );
    }
    return {.title = "Sections", .blocks = {std::move(bars)}};
}

Chapter items_chapter(const Report& report) {
    Grid grid{
        .head =
            {"item",
             "title",
             "priority",
             "claim",
             "state",
             "points",
             "evidence (trust, age)",
             "review",
             "note"},
        .rows = {}
    };
    for (const auto& item : report.items) {
        grid.rows.push_back(
            {item.item->id,
             item.item->title,
             std::string(name_of(item.score.priority)),
             item.claim == nullptr ? "" : std::string(name_of(item.claim->kind)),
             std::string(name_of(item.score.state)),
             score_text(item.score),
             evidence_text(item),
             review_text(item),
             note_text(item)}
        );
    }
    return {.title = "Items", .blocks = {std::move(grid), tiers_text()}};
}

} // namespace baton::quality
