// The part of the tables that is about what follows from results, and what is due by the clock:
// letters to sinks and schedules.

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/job.hpp"
#include "baton/ports/store.hpp"
#include "baton/store/ledger_text.hpp"
#include "baton/store/memory/memory_tables.hpp"
#include "baton/store/reporting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::store::memory {

bool Tables::is_lane_busy(const std::string& sink, const std::string& lane) const {
    return std::ranges::any_of(letters_, [&](const auto& entry) {
        const auto& row = entry.second;
        return row.letter.sink == sink && row.letter.lane == lane && !row.died_at;
    });
}

void Tables::next_of_lane(const std::string& sink, const std::string& lane, TimePoint now) {
    for (auto& [id, row] : letters_) {
        if (row.letter.sink == sink && row.letter.lane == lane && !row.died_at) {
            row.due_at = now;
            return;
        }
    }
}

void Tables::put_letter(const ports::Letter& letter, const domain::Job& job, TimePoint now) {
    LetterRow row;
    row.letter.sink = letter.sink;
    row.letter.lane = lane_of(job);
    row.job = job.id;
    row.letter.body = letter.body;
    put_letter(std::move(row), now);
}

void Tables::put_letter(LetterRow row, TimePoint now) {
    row.letter.id = ++last_letter_;
    row.letter.created_at = now;
    if (!is_lane_busy(row.letter.sink, row.letter.lane)) {
        row.due_at = now;
    }
    letters_.emplace(row.letter.id, std::move(row));
}

std::vector<ports::TakenLetter> Tables::take_letters(const ports::LetterQuery& query) {
    std::vector<std::pair<TimePoint, std::int64_t>> due;
    for (const auto& [id, row] : letters_) {
        if (row.letter.sink == query.sink && row.due_at && *row.due_at <= query.now) {
            due.emplace_back(*row.due_at, id);
        }
    }
    std::ranges::sort(due);
    due.resize(std::min(due.size(), query.limit));
    std::vector<ports::TakenLetter> taken;
    for (const auto& [when, id] : due) {
        auto& row = letters_.at(id);
        row.due_at = query.until; // a lease that runs out is due again
        row.lease_until = query.until;
        ++row.letter.attempts;
        row.letter.fence = Fence{static_cast<std::int64_t>(row.letter.fence) + 1};
        taken.push_back(row.letter);
        auto& letter = taken.back();
        if (!row.job) {
            continue;
        }
        letter.job = jobs_.at(*row.job).job;
        if (const auto dispatch = letter.job.subject.dispatch) {
            letter.delivery = dispatches_.at(*dispatch).dispatch.key.delivery;
        }
    }
    return taken;
}

Result<void> Tables::end_letter(const ports::LetterEnd& end) {
    const auto at = letters_.find(end.id);
    if (at == letters_.end() || at->second.lease_until == TimePoint{} ||
        at->second.letter.fence != end.fence) {
        return fail(
            Errc::conflict, fmt::format("the lease on letter {} is no longer held", end.id)
        );
    }
    auto& row = at->second;
    row.lease_until = TimePoint{};
    row.detail = end.detail;
    row.due_at = end.again_at;
    const auto letter = row.letter;
    if (end.done) {
        letters_.erase(at);
    } else if (!end.again_at) {
        row.died_at = end.now;
    }
    if (end.done || !end.again_at) {
        next_of_lane(letter.sink, letter.lane, end.now);
    }
    return {};
}

std::vector<ports::DeadLetter> Tables::dead_letters(std::size_t limit) const {
    std::vector<ports::DeadLetter> found;
    for (const auto& [id, row] : letters_) {
        if (row.died_at) {
            found.push_back({
                .id = id,
                .sink = row.letter.sink,
                .lane = row.letter.lane,
                .created_at = row.letter.created_at,
                .died_at = *row.died_at,
                .attempts = row.letter.attempts,
                .detail = row.detail,
            });
        }
    }
    std::ranges::sort(found, std::greater{}, [](const ports::DeadLetter& letter) {
        return std::tuple(letter.died_at, letter.id);
    });
    found.resize(std::min(found.size(), limit));
    return found;
}

std::size_t
Tables::revive_letters(const std::string& sink, const std::string& actor, TimePoint now) {
    std::size_t revived = 0;
    for (auto& [id, row] : letters_) {
        if (!row.died_at || (!sink.empty() && row.letter.sink != sink)) {
            continue;
        }
        if (!is_lane_busy(row.letter.sink, row.letter.lane)) {
            row.due_at = now;
        }
        row.died_at.reset();
        ++revived;
    }
    if (revived > 0) {
        write_line(
            now, kLettersRevived, {}, std::nullopt, letters_revived_detail(revived, sink, actor)
        );
    }
    return revived;
}

void Tables::void_letter_leases(TimePoint now) {
    for (auto& [id, row] : letters_) {
        if (row.lease_until != TimePoint{}) {
            row.lease_until = TimePoint{};
            row.due_at = now;
        }
    }
}

// --- schedules

std::vector<ports::ScheduleMark> Tables::schedule_marks() const {
    std::vector<ports::ScheduleMark> marks;
    for (const auto& [key, mark] : schedules_) {
        marks.push_back(mark);
    }
    return marks;
}

bool Tables::advance_schedule(const ports::ScheduleMark& mark) {
    const auto [at, first] = schedules_.emplace(std::pair(mark.upstream, mark.downstream), mark);
    if (first) {
        return true;
    }
    auto& known = at->second;
    if (mark.last_due <= known.last_due) {
        return false;
    }
    known.last_due = mark.last_due;
    known.last_missed = mark.last_missed;
    known.missed += mark.missed;
    return true;
}

Result<bool> Tables::fire_schedule(const ports::ScheduledRun& run) {
    const ports::ScheduleMark mark{
        .upstream = run.dispatch.upstream,
        .downstream = run.dispatch.key.downstream,
        .last_due = run.due,
        .last_missed = "",
    };
    const auto known = schedules_.find({mark.upstream, mark.downstream});
    if (known != schedules_.end() && mark.last_due <= known->second.last_due) {
        return false;
    }
    if (!insert_delivery(run.delivery)) {
        return fail(
            Errc::conflict, fmt::format("delivery {} is there already", run.delivery.id.text())
        );
    }
    BATON_TRY(const auto receipt, commit_plan(plan_of(run)));
    static_cast<void>(receipt);
    write_line(run.now, kScheduled, run.delivery.id, std::nullopt, scheduled_for(run.due));
    return advance_schedule(mark);
}

bool Tables::miss_schedule(const ports::MissedRun& run) {
    const bool advanced = advance_schedule({
        .upstream = run.upstream,
        .downstream = run.downstream,
        .last_due = run.due,
        .last_missed = run.excused ? "" : run.reason,
        .missed = run.excused ? std::size_t{0} : 1,
    });
    if (advanced) {
        const auto kind = run.excused ? kScheduleExcused : kScheduleMissed;
        write_line(run.now, kind, {}, std::nullopt, schedule_missed_detail(run));
    }
    return advanced;
}

} // namespace baton::store::memory
