#pragma once

#include "baton/base/time.hpp"
#include "baton/obs/line.hpp"
#include "baton/ports/clock.hpp"
#include "baton/ports/journal.hpp"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace baton::obs {

enum class LogFormat : std::uint8_t { text = 1, json };

struct LogOptions {
    LogFormat format{LogFormat::text};
    Loudness from{Loudness::info}; // quieter entries are not written
};

/// Writes each entry as one line, whole and in one piece, whichever thread notes it. Time comes
/// from the clock, not from the logger, so that a replay writes the same lines. What a line says
/// and how loud it is: line.hpp.
///
/// Webhooks that are not taken can be sent by anybody at any rate, so at most
/// `limits::kRefusalLinesPerSecond` of them are written; the next line that is says in `unlogged`
/// how many were not. The same trouble in the same place is written once a minute, in the same way:
/// loops that wait for a store tell of it every second. Metrics count them all.
class LogJournal final : public ports::Journal {
public:
    /// `out` (std::cerr in the relay) and `clock` outlive the journal.
    LogJournal(const ports::Clock& clock, std::ostream& out, LogOptions options);
    ~LogJournal() override;

    void note(const ports::JournalEntry& entry) override;

private:
    class Writer;

    /// The trouble that a place told of last.
    struct Told {
        std::string detail;
        TimePoint at;
        std::size_t unlogged{0}; // since then
    };

    /// How many were left out before this one; nullopt: this one is left out too.
    std::optional<std::size_t> room_for(const ports::JournalEntry& entry, TimePoint now);
    std::optional<std::size_t> room_for_refusal(TimePoint now);
    std::optional<std::size_t> room_for_trouble(const ports::Trouble& trouble, TimePoint now);

    const ports::Clock& clock_;
    LogOptions options_;
    std::unique_ptr<Writer> writer_;

    std::mutex mutex_; // guards what follows
    TimePoint second_{};
    std::size_t refusals_{0}; // written in that second
    std::size_t unlogged_{0};
    std::map<std::string, Told> told_; // by place
};

/// Hands every entry to several journals in turn: the log first, then the metrics. They outlive it.
class Journals final : public ports::Journal {
public:
    explicit Journals(std::vector<ports::Journal*> journals); // null: nobody

    void note(const ports::JournalEntry& entry) override;

private:
    std::vector<ports::Journal*> journals_;
};

} // namespace baton::obs
