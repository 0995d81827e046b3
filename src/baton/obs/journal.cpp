#include "baton/obs/journal.hpp"

#include "baton/base/limits.hpp"
#include "baton/base/time.hpp"
#include "baton/obs/line.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/journal.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/ostream_sink.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace baton::obs {

namespace {

constexpr std::chrono::minutes kSameTroubleEvery{1};

bool is_refusal(const ports::JournalEntry& entry) {
    const auto* webhook = std::get_if<ports::WebhookAnswered>(&entry);
    const auto* callback = std::get_if<ports::CallbackAnswered>(&entry);
    return (webhook != nullptr && webhook->status >= 400) ||
           (callback != nullptr && callback->status >= 400);
}

} // namespace

/// The logger does what it is good at: whole lines from many threads. Level and time are in the
/// line already.
class LogJournal::Writer {
public:
    explicit Writer(std::ostream& out)
        : logger_("baton", std::make_shared<spdlog::sinks::ostream_sink_mt>(out, true)) {
        logger_.set_pattern("%v", spdlog::pattern_time_type::utc);
    }

    void write(const std::string& line) { logger_.log(spdlog::level::info, line); }

private:
    spdlog::logger logger_;
};

LogJournal::LogJournal(const ports::Clock& clock, std::ostream& out, LogOptions options)
    : clock_(clock)
    , options_(options)
    , writer_(std::make_unique<Writer>(out)) {}

LogJournal::~LogJournal() = default;

void LogJournal::note(const ports::JournalEntry& entry) {
    if (loudness_of(entry) < options_.from) {
        return; // before anything is formatted: this is the path of every webhook that went well
    }
    const auto now = clock_.now();
    const auto unlogged = room_for(entry, now);
    if (!unlogged) {
        return;
    }
    auto line = line_of(entry, now);
    if (*unlogged > 0) {
        line.fields.push_back({.key = "unlogged", .value = static_cast<std::int64_t>(*unlogged)});
    }
    writer_->write(options_.format == LogFormat::json ? to_json(line) : to_logfmt(line));
}

std::optional<std::size_t> LogJournal::room_for(const ports::JournalEntry& entry, TimePoint now) {
    const std::lock_guard lock(mutex_);
    if (const auto* trouble = std::get_if<ports::Trouble>(&entry)) {
        return room_for_trouble(*trouble, now);
    }
    return is_refusal(entry) ? room_for_refusal(now) : 0;
}

std::optional<std::size_t>
LogJournal::room_for_trouble(const ports::Trouble& trouble, TimePoint now) {
    if (told_.size() >= limits::kMetricWordsMax && !told_.contains(trouble.where)) {
        told_.clear(); // no place of ours is so new
    }
    auto& told = told_[trouble.where];
    if (told.detail == trouble.detail && now - told.at < kSameTroubleEvery) {
        ++told.unlogged;
        return std::nullopt;
    }
    const auto unlogged = told.unlogged;
    told = {.detail = trouble.detail, .at = now};
    return unlogged;
}

std::optional<std::size_t> LogJournal::room_for_refusal(TimePoint now) {
    const auto second = std::chrono::floor<std::chrono::seconds>(now);
    if (second != second_) {
        second_ = second;
        refusals_ = 0;
    }
    if (refusals_ == limits::kRefusalLinesPerSecond) {
        ++unlogged_;
        return std::nullopt;
    }
    ++refusals_;
    return std::exchange(unlogged_, 0);
}

Journals::Journals(std::vector<ports::Journal*> journals)
    : journals_(std::move(journals)) {
    std::erase(journals_, nullptr);
}

void Journals::note(const ports::JournalEntry& entry) {
    for (auto* journal : journals_) {
        journal->note(entry);
    }
}

} // namespace baton::obs
