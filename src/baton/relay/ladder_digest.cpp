#include "baton/relay/ladder_digest.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/crypto/sha256.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/outcome.hpp"
#include "baton/domain/report.hpp"
#include "baton/wire/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace baton::relay {

namespace {

std::string text_of(std::optional<TimePoint> when) {
    return when ? fmt::format("{}", to_ms(*when)) : "-";
}

std::string row_of(const domain::LadderEvent& event, const domain::JudgedOutcome& outcome) {
    auto row = fmt::format(
        "{:020} {} {} sent {} silent {} overtaken {}{} {}/{}: {}{}{}{}",
        static_cast<std::int64_t>(event.id),
        event.event_type,
        event.head.text(),
        to_ms(event.sent_at),
        text_of(event.silent_at),
        text_of(event.overtaken_at),
        event.paused ? " paused" : "",
        wire::json_quoted(outcome.workflow),
        wire::json_quoted(outcome.job),
        domain::name_of(outcome.outcome),
        outcome.rule ? fmt::format(" {}", domain::name_of(*outcome.rule)) : "",
        outcome.excluded ? " excluded" : "",
        outcome.repeated ? " repeated" : ""
    );
    for (const auto& job : event.jobs) {
        if (job.workflow != outcome.workflow || job.name != outcome.job) {
            continue;
        }
        for (const auto& attempt : job.attempts) {
            fmt::format_to(
                std::back_inserter(row),
                "; {} {} {} to {}{}{}",
                static_cast<std::int64_t>(attempt.job),
                attempt.conclusion ? domain::name_of(*attempt.conclusion) : "runs",
                text_of(attempt.started_at),
                text_of(attempt.ended_at),
                attempt.said_by == domain::SaidBy::relay ? " by the relay" : "",
                attempt.tests_told ? " told of tests" : ""
            );
        }
    }
    return row;
}

} // namespace

DayRows::DayRows(
    const domain::LadderEvidence& evidence,
    const std::vector<domain::JudgedOutcome>& outcomes,
    Millis day_length
) {
    for (const auto& outcome : outcomes) {
        const auto& event = evidence.events.at(outcome.event);
        const auto since = event.sent_at.time_since_epoch();
        const TimePoint day(since - since % day_length);
        rows_[{event.downstream, day}].push_back(row_of(event, outcome));
    }
    for (auto& [key, rows] : rows_) {
        std::ranges::sort(rows);
    }
}

std::string DayRows::digest_of(const RepoName& downstream, const domain::LadderDay& day) const {
    std::string text = fmt::format(
        "{} {} reports {} {} {} merged {} {}\n",
        downstream.key(),
        to_ms(day.day),
        day.reports,
        day.invalid,
        day.limited,
        day.merged,
        day.merged_covered
    );
    for (const auto wait : day.oncall) {
        fmt::format_to(std::back_inserter(text), "answered after {}\n", wait.count());
    }
    const auto found = rows_.find({downstream, day.day});
    if (found != rows_.end()) {
        for (const auto& row : found->second) {
            text += row;
            text += '\n';
        }
    }
    return crypto::sha256_hex(text);
}

std::string digest_of(const std::vector<domain::LadderDay>& days) {
    std::string text;
    for (const auto& day : days) {
        fmt::format_to(std::back_inserter(text), "{} {}\n", to_ms(day.day), day.digest);
    }
    return crypto::sha256_hex(text);
}

} // namespace baton::relay
