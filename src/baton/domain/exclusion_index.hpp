#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/exclusion.hpp"
#include "baton/domain/outcome.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

/// What the rules of exclusion look up, found without walking: everything is sorted once.
namespace baton::domain {

/// Whether it ended by the downstream's own word, so that it says something about the commit.
bool has_reported(OutcomeClass outcome);

/// An outcome by numbers: equal numbers are equal names.
struct OutcomeKey {
    std::uint32_t cell{0}; // downstream, workflow and job
    std::uint32_t head{0};
    std::uint32_t owner{0};
    std::int64_t day{0};
};

/// The newest trunk run before an outcome.
struct OutcomeBase {
    std::size_t event{0};
    std::uint32_t head{0};
    bool red{false};
};

class OutcomeIndex {
public:
    OutcomeIndex(
        const LadderEvidence& evidence,
        const std::vector<JudgedOutcome>& outcomes,
        Millis day_length
    );

    const OutcomeKey& key(std::size_t outcome) const { return keys_[outcome]; }

    std::optional<OutcomeBase> base_of(std::size_t outcome) const;
    /// The first word of trunk about the same job, sent after `when`; true: red.
    std::optional<bool> trunk_after(std::size_t outcome, TimePoint when) const;
    /// Another head of its pull request, sent later, on which the same job passed.
    bool has_newer_pass(std::size_t outcome) const;

    std::size_t heads() const { return heads_.size(); }

private:
    struct Seen {
        TimePoint sent{};
        DispatchId dispatch{};
        std::size_t event{0};
        std::uint32_t head{0};
        bool red{false};
    };

    struct Pass {
        TimePoint sent{};
        std::uint32_t head{0};
    };

    struct PullCell {
        PrNumber pr{};
        std::uint32_t cell{0};

        friend bool operator==(const PullCell&, const PullCell&) = default;
    };

    struct PullCellHash {
        std::size_t operator()(const PullCell& of) const noexcept;
    };

    void take(std::size_t outcome);
    void sort();
    const LadderEvent& event_of(std::size_t outcome) const;
    const std::vector<Seen>* trunk_of(std::size_t outcome) const;

    const LadderEvidence& evidence_;
    const std::vector<JudgedOutcome>& outcomes_;
    std::int64_t day_ms_;
    std::vector<OutcomeKey> keys_;
    std::unordered_map<std::string, std::uint32_t> cells_;
    std::unordered_map<std::string, std::uint32_t> heads_;
    std::unordered_map<std::string, std::uint32_t> owners_;
    std::unordered_map<std::uint32_t, std::vector<Seen>> trunk_; // by cell
    std::unordered_map<std::string, std::vector<Seen>> alive_; // trunk by downstream: red, unheard
    std::unordered_map<PullCell, std::vector<Pass>, PullCellHash> passes_;
};

/// Owners that reported on a commit, and those of them that are red there. An owner with several
/// downstreams is one voice.
class Crowds {
public:
    struct Crowd {
        std::size_t reported{0};
        std::size_t red{0};
    };

    explicit Crowds(std::size_t heads)
        : all_(heads)
        , rows_(heads) {}

    void add(const OutcomeKey& key, const LadderEvent& event, bool red);

    /// Without `owner`.
    Crowd others(std::uint32_t head, std::uint32_t owner) const;
    /// "acme/x (dispatch 12), bolt/y (dispatch 9) and 3 more": the red ones without `owner`.
    std::string red_ones(std::uint32_t head, std::uint32_t owner) const;

private:
    struct Voice {
        bool red{false};
    };

    struct Row {
        std::uint32_t owner{0};
        DispatchId dispatch{};
        std::string downstream;
    };

    std::vector<Crowd> all_;
    std::vector<std::vector<Row>> rows_; // by downstream; one of each red owner, the lowest
    std::unordered_map<std::uint64_t, Voice> voices_;
};

} // namespace baton::domain
