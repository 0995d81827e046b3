#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/store/sql/levels.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <boost/system/error_code.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::store::sql::levels {

namespace {

namespace json = boost::json;

/// Every plain count of a day with its name: written and read by the same list.
constexpr std::pair<const char*, std::size_t domain::LadderDay::*> kCounts[] = {
    {"events", &domain::LadderDay::events},
    {"answered", &domain::LadderDay::answered},
    {"decided", &domain::LadderDay::decided},
    {"passed", &domain::LadderDay::passed},
    {"repeated", &domain::LadderDay::repeated},
    {"alone", &domain::LadderDay::alone},
    {"alone_events", &domain::LadderDay::alone_events},
    {"true_positives", &domain::LadderDay::true_positives},
    {"false_alarms", &domain::LadderDay::false_alarms},
    {"completed", &domain::LadderDay::completed},
    {"completed_passed", &domain::LadderDay::completed_passed},
    {"timed_out", &domain::LadderDay::timed_out},
    {"ran", &domain::LadderDay::ran},
    {"overran", &domain::LadderDay::overran},
    {"runs", &domain::LadderDay::runs},
    {"device_named", &domain::LadderDay::device_named},
    {"reports", &domain::LadderDay::reports},
    {"invalid", &domain::LadderDay::invalid},
    {"limited", &domain::LadderDay::limited},
    {"merged", &domain::LadderDay::merged},
    {"merged_covered", &domain::LadderDay::merged_covered},
};
constexpr std::pair<const char*, std::vector<Millis> domain::LadderDay::*> kSamples[] = {
    {"queue", &domain::LadderDay::queue},
    {"e2e", &domain::LadderDay::e2e},
    {"e2e_compat", &domain::LadderDay::e2e_compat},
    {"oncall", &domain::LadderDay::oncall},
};

json::object object_in(std::string_view text) {
    boost::system::error_code broken;
    const auto parsed = json::parse(text, broken);
    const auto* object = broken ? nullptr : parsed.if_object();
    return object == nullptr ? json::object() : *object;
}

std::optional<std::int64_t> number_at(const json::object& object, std::string_view key) {
    const auto* value = object.if_contains(key);
    const auto* number = value == nullptr ? nullptr : value->if_int64();
    return number == nullptr ? std::nullopt : std::optional(*number);
}

std::optional<TimePoint> time_at(const json::object& object, std::string_view key) {
    const auto ms = number_at(object, key);
    return ms ? std::optional(from_ms(*ms)) : std::nullopt;
}

std::vector<std::int64_t> numbers_at(const json::object& object, std::string_view key) {
    std::vector<std::int64_t> numbers;
    const auto* value = object.if_contains(key);
    if (const auto* array = value == nullptr ? nullptr : value->if_array()) {
        for (const auto& item : *array) {
            if (const auto* number = item.if_int64()) {
                numbers.push_back(*number);
            }
        }
    }
    return numbers;
}

std::string string_at(const json::object& object, std::string_view key) {
    const auto* value = object.if_contains(key);
    const auto* text = value == nullptr ? nullptr : value->if_string();
    return text == nullptr ? std::string() : std::string(text->data(), text->size());
}

void put_time(json::object& object, std::string_view key, std::optional<TimePoint> when) {
    if (when) {
        object[key] = to_ms(*when);
    }
}

template <class Counts> json::array array_of(const Counts& counts) {
    json::array array;
    for (const auto count : counts) {
        array.emplace_back(static_cast<std::int64_t>(count));
    }
    return array;
}

template <class Counts> void counts_into(Counts& counts, const std::vector<std::int64_t>& read) {
    for (std::size_t i = 0; i < std::min(counts.size(), read.size()); ++i) {
        counts[i] = static_cast<std::size_t>(read[i]);
    }
}

domain::Level level_from(std::optional<std::int64_t> number) {
    return static_cast<domain::Level>(std::clamp<std::int64_t>(number.value_or(1), 1, 4));
}

} // namespace

std::string text_of(const domain::LadderDay& day) {
    json::object text{{"level", static_cast<std::int64_t>(day.level)}, {"paused", day.paused}};
    for (const auto& [name, count] : kCounts) {
        text[name] = static_cast<std::int64_t>(day.*count);
    }
    text["outcomes"] = array_of(day.outcomes);
    text["excluded"] = array_of(day.excluded);
    put_time(text, "last_answer_at", day.last_answer_at);
    put_time(text, "first_unanswered_at", day.first_unanswered_at);
    for (const auto& [name, samples] : kSamples) {
        json::array array;
        for (const auto sample : day.*samples) {
            array.emplace_back(sample.count());
        }
        text[name] = std::move(array);
    }
    return json::serialize(text);
}

domain::LadderDay day_from(std::string_view text) {
    const auto read = object_in(text);
    domain::LadderDay day;
    day.level = level_from(number_at(read, "level"));
    const auto* paused = read.if_contains("paused");
    day.paused = paused != nullptr && paused->is_bool() && paused->get_bool();
    for (const auto& [name, count] : kCounts) {
        day.*count = static_cast<std::size_t>(number_at(read, name).value_or(0));
    }
    counts_into(day.outcomes, numbers_at(read, "outcomes"));
    counts_into(day.excluded, numbers_at(read, "excluded"));
    day.last_answer_at = time_at(read, "last_answer_at");
    day.first_unanswered_at = time_at(read, "first_unanswered_at");
    for (const auto& [name, samples] : kSamples) {
        for (const auto sample : numbers_at(read, name)) {
            (day.*samples).emplace_back(sample);
        }
    }
    return day;
}

std::string text_of(const domain::LadderStanding& standing) {
    json::object text{
        {"violated", standing.violated},
        {"clean", standing.clean},
        {"ready", standing.ready},
    };
    json::array temporaries;
    for (const auto began : standing.temporaries) {
        temporaries.emplace_back(to_ms(began));
    }
    text["temporaries"] = std::move(temporaries);
    put_time(text, "raised_at", standing.raised_at);
    put_time(text, "lowered_at", standing.lowered_at);
    put_time(text, "watched_at", standing.watched_at);
    if (const auto& proposal = standing.proposal) {
        text["proposal"] = json::object{
            {"from", static_cast<std::int64_t>(proposal->from)},
            {"to", static_cast<std::int64_t>(proposal->to)},
            {"since", to_ms(proposal->since)},
            {"reason", proposal->reason},
        };
    }
    return json::serialize(text);
}

void detail_into(domain::LadderStanding& standing, std::string_view text) {
    const auto read = object_in(text);
    standing.violated = static_cast<int>(number_at(read, "violated").value_or(0));
    standing.clean = static_cast<int>(number_at(read, "clean").value_or(0));
    standing.ready = static_cast<int>(number_at(read, "ready").value_or(0));
    for (const auto began : numbers_at(read, "temporaries")) {
        standing.temporaries.push_back(from_ms(began));
    }
    standing.raised_at = time_at(read, "raised_at");
    standing.lowered_at = time_at(read, "lowered_at");
    standing.watched_at = time_at(read, "watched_at");
    const auto* value = read.if_contains("proposal");
    if (const auto* proposal = value == nullptr ? nullptr : value->if_object()) {
        standing.proposal = domain::LevelProposal{
            .from = level_from(number_at(*proposal, "from")),
            .to = level_from(number_at(*proposal, "to")),
            .since = time_at(*proposal, "since").value_or(TimePoint{}),
            .reason = string_at(*proposal, "reason"),
        };
    }
}

std::string text_of(const std::vector<std::string>& rules) {
    return json::serialize(json::array(rules.begin(), rules.end()));
}

std::vector<std::string> rules_from(std::string_view text) {
    std::vector<std::string> rules;
    boost::system::error_code broken;
    const auto parsed = json::parse(text, broken);
    if (const auto* array = broken ? nullptr : parsed.if_array()) {
        for (const auto& rule : *array) {
            if (const auto* id = rule.if_string()) {
                rules.emplace_back(id->data(), id->size());
            }
        }
    }
    return rules;
}

} // namespace baton::store::sql::levels
