#pragma once

#include "baton/domain/profile.hpp"
#include "baton/quality/findings.hpp"
#include "baton/quality/readings.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What platforms are judged by, as data: docs/design/quality.md, "Files".
namespace baton::quality {

/// bin: all or nothing. add: the sum of its parts. step: the highest step reached. metric: all or
/// nothing, and only a measured value can say which.
enum class Kind : std::uint8_t { bin = 1, add, step, metric };
enum class Priority : std::uint8_t { p0 = 1, p1, p2 };

std::string_view name_of(Kind kind);
std::string_view name_of(Priority priority); // "P0"

/// A number with three decimals, kept whole so that no comparison rounds.
struct Amount {
    std::int64_t thousandths{0};

    friend auto operator<=>(const Amount&, const Amount&) = default;
};

std::string to_text(Amount amount); // "41.5"
/// Digits with at most three decimals, a million at most; nullopt for everything else.
std::optional<Amount> parse_amount(std::string_view text);

struct Part { // of an item that adds
    std::string id;
    int points{0};
    std::string text;
    Position at;
};

struct Step { // of an item that climbs: reached when 100 * num >= percent * den
    int percent{0};
    int points{0};
    Position at;
};

struct Check { // a bullet of the document that earns nothing by itself (A13)
    std::string id;
    std::string text;
    std::string only_class; // asked of this class of platforms only (A14); empty: of all
    Position at;
};

using domain::Comparison;

bool holds(Amount left, Comparison comparison, Amount right);

/// A named figure of a measured value against its limit. `percent` is 100 * num / den.
struct Limit {
    std::string figure;
    Comparison comparison{Comparison::at_most};
    Amount bound;
};

/// How a measured value decides, and which metric of the relay measures it.
struct AutoRule {
    std::string metric;        // "flaky_marked_pct"
    std::vector<Limit> limits; // all must hold; empty for steps
    int window_days{0};        // 0: not stated
    int min_runs{0};           // for who measures
    std::int64_t min_den{1};   // with less the value is insufficient
};

struct EvidenceRule {
    std::vector<std::string> types; // empty: any
    int max_age_days{0};            // 0: by type
    bool of_release{false};         // must not be older than the release (Q011)
    bool open{false};               // must be readable without logging in (Q013)
};

/// Work to get something, in the units of whoever estimates: one number for all of an item, or one
/// for each part or step ("float64", "80").
struct Effort {
    std::optional<int> whole;
    std::map<std::string, int> each;

    friend bool operator==(const Effort&, const Effort&) = default;
};

/// How this agrees with the relay's levels (Q023); 0: says nothing.
struct RelayRule {
    int needs{0};   // to hold, the relay level must be at least this
    int implies{0}; // from this relay level on it should hold
};

struct Item {
    std::string id;      // ours, stable: "FEAT-7"
    std::string section; // "FEAT"
    std::string doc_id;  // as the document prints it: "5"
    std::string category;
    std::string title;
    std::string text; // what it asks for, own words
    Priority priority{Priority::p1};
    Kind kind{Kind::bin};
    int max{0};
    std::vector<Part> parts;
    std::vector<Step> steps; // lowest first
    std::vector<Check> checks;
    std::string exempt_without; // exempt when the platform does not target this (A12); empty: never
    std::optional<AutoRule> automatic;
    EvidenceRule evidence;
    Effort effort;
    RelayRule relay;
    std::string remedy;
    std::string while_open; // what everybody is told until it is whole (A16); mostly empty
    std::vector<std::string> interpretations; // "A17"
    Position at;
};

struct Section {
    std::string id;
    std::string title;
    std::optional<int> printed; // the subtotal the document prints, when it prints one
    Position at;
};

struct Requirement {
    std::optional<Priority> all_priority; // every applicable item of this priority
    std::optional<int> percent;           // of the applicable total
    std::optional<int> points;
    std::vector<std::string> items; // each of them whole
};

struct Level {
    int rank{0}; // 0 is the lowest; code speaks of ranks only (A35)
    std::string name;
    Requirement require;
    RelayRule relay;
    std::string promise; // what users may expect
    Position at;
};

enum class Missing : std::uint8_t { break_pair = 1, carry, fail }; // a release without assessment
enum class ExemptPoints : std::uint8_t { exclude = 1, credit, zero }; // A10

struct HistoryRule {
    int consecutive{2};
    Missing missing{Missing::break_pair};
};

struct Reserved { // an id that nobody may use again
    std::string id;
    std::string why;
};

struct Source {
    std::string repo;
    std::int64_t pull{0};
    std::string commit;
    std::string url;
};

struct CriteriaSet {
    std::string set;     // "pytorch-cpq"
    std::string version; // "2025.11-124"
    std::string title;
    std::string text;
    Source source;
    std::optional<int> printed_total;
    Position printed_at;
    std::vector<Section> sections; // in document order
    std::vector<Level> levels;     // best first
    Reading reading{Reading::printed};
    ExemptPoints exempt{ExemptPoints::exclude};
    HistoryRule history;
    std::map<std::string, std::string> parameters; // for who measures: "size_ratio" is "1.5"
    std::vector<Reserved> reserved;
    std::vector<Item> items; // in document order
    std::string digest;      // SHA-256 of the file's bytes, hex

    const Item* find(std::string_view id) const;
    const Level* level(int rank) const;
    const Level* level_named(std::string_view name) const;
    int rows_total() const;     // the sum of all maxima
    int total(Base base) const; // the printed one where the document prints one
    int rows_of(std::string_view section) const;
};

std::string label_of(const CriteriaSet& set); // "pytorch-cpq/2025.11-124"

/// Where the document contradicts itself, and what no platform could reach. By code:
///   C001 section: printed subtotal is not the sum of its rows   C002 the same for the total
///   C003 a document id stands twice in its section              C004 a document id is left out
///   C005 no score reaches a level                               C006 a threshold above the maximum
///   C007 parts or steps do not fit the maximum
/// C001 to C004 and C007 are what a document may have wrong (warnings, since a set can still be
/// scored, C007 excepted); C005 to C007 are errors.
std::vector<Finding> check(const CriteriaSet& set);

/// What became of an item between two sets.
struct ItemChange {
    enum class What : std::uint8_t { added = 1, removed, changed };
    std::string id;
    What what{What::changed};
    std::vector<std::string> details; // "max 6 -> 4"
    int points{0};                    // how the total changes
};

/// In the order of `before`, what is new last. Items are the same when their ids are.
std::vector<ItemChange> diff(const CriteriaSet& before, const CriteriaSet& after);

/// The document's tables, made from the same data, as Markdown.
std::string to_markdown(const CriteriaSet& set);

} // namespace baton::quality
