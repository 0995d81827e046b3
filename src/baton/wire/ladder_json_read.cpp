#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/ladder.hpp"
#include "baton/domain/ladder_day.hpp"
#include "baton/domain/level.hpp"
#include "baton/domain/profile.hpp"
#include "baton/wire/json_document.hpp"
#include "baton/wire/json_fields.hpp"
#include "baton/wire/ladder_json.hpp"

#include <simdjson.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace baton::wire {

namespace {

using domain::Criterion;
using domain::CriterionVerdict;
using domain::LadderStanding;
using domain::LadderTransition;
using fields::element;
using fields::object;

/// What one of our own documents says; the first thing that is wrong is kept, and what follows it
/// is not looked at any more.
class Reader {
public:
    explicit Reader(object in)
        : in_(in) {}

    std::string text(std::string_view pointer) {
        return std::string(take(fields::text_at(in_, pointer)));
    }

    /// Nothing when it is missing.
    std::string words(std::string_view pointer) {
        return std::string(take(fields::text_if(in_, pointer)).value_or(""));
    }

    bool flag(std::string_view pointer) { return take(fields::flag_if(in_, pointer)); }

    std::int64_t whole(std::string_view pointer) {
        std::int64_t number = 0;
        const auto found = fields::member(in_, pointer);
        if (!found || found->get(number) != simdjson::SUCCESS) {
            refuse(fields::expected(pointer, "a whole number").value());
        }
        return number;
    }

    std::optional<double> number_if(std::string_view pointer) {
        double number = 0;
        const auto found = fields::member(in_, pointer);
        if (!found) {
            return std::nullopt;
        }
        if (found->get(number) != simdjson::SUCCESS) {
            refuse(fields::expected(pointer, "a number").value());
        }
        return number;
    }

    std::optional<TimePoint> time_if(std::string_view pointer) {
        const auto text = take(fields::text_if(in_, pointer));
        return text ? std::optional(take(parse_rfc3339(*text))) : std::nullopt;
    }

    /// One of the words that `named` knows.
    template <class Named> auto word(std::string_view pointer, Named named) {
        const auto known = named(text(pointer));
        if (!known) {
            refuse(fields::expected(pointer, "a known word").value());
        }
        return known.value_or(typename decltype(known)::value_type{});
    }

    std::optional<object> part(std::string_view pointer) {
        return take(fields::object_if(in_, pointer));
    }

    template <class Read> auto all(std::string_view pointer, Read read) {
        std::vector<decltype(read(element{}))> items;
        if (const auto array = take(fields::array_if(in_, pointer))) {
            for (const auto item : *array) {
                items.push_back(read(item));
            }
        }
        return items;
    }

    template <class T> T take(Result<T> result) {
        if (result) {
            return *std::move(result);
        }
        refuse(std::move(result).error());
        return T{};
    }

    void refuse(Error error) {
        if (!error_) {
            error_ = std::move(error);
        }
    }

    template <class T> Result<T> done(T value) {
        if (error_) {
            return fail(*std::move(error_));
        }
        return value;
    }

private:
    object in_;
    std::optional<Error> error_;
};

std::optional<domain::Met> met_named(std::string_view name) {
    for (const auto met : {domain::Met::yes, domain::Met::no, domain::Met::insufficient}) {
        if (name_of(met) == name) {
            return met;
        }
    }
    return std::nullopt;
}

Result<object> object_of(element item) {
    object found;
    if (item.get(found) != simdjson::SUCCESS) {
        return fail(Errc::invalid, "expected an object");
    }
    return found;
}

Result<CriterionVerdict> criterion_of(element item) {
    BATON_TRY(const auto in, object_of(item));
    Reader from(in);
    CriterionVerdict one{
        .criterion =
            {
                .id = from.text("/id"),
                .figure = from.word("/figure", domain::figure_named),
                .window = static_cast<int>(from.whole("/window")),
                .comparison = from.word("/comparison", domain::comparison_named),
                .target = from.number_if("/target").value_or(0),
                .least = static_cast<std::size_t>(from.whole("/least")),
                .bound = from.word("/bound", domain::bound_named),
                .text = from.words("/text"),
            },
        .measured =
            {
                .value = from.number_if("/value"),
                .n = static_cast<std::size_t>(from.whole("/n")),
                .lower = from.number_if("/lower"),
                .upper = from.number_if("/upper"),
            },
        .met = from.word("/met", met_named),
        .advice = from.words("/advice"),
    };
    return from.done(std::move(one));
}

Result<LadderTransition> transition_of(element item) {
    BATON_TRY(const auto in, object_of(item));
    Reader from(in);
    LadderTransition moved{
        .move = from.word("/move", domain::ladder_move_named),
        .from_state = from.word("/from_state", domain::ladder_state_named),
        .to_state = from.word("/to_state", domain::ladder_state_named),
        .from = from.word("/from", domain::level_named),
        .to = from.word("/to", domain::level_named),
        .rules = {},
        .reason = from.words("/reason"),
    };
    moved.rules = from.all("/rules", [&from](element rule) {
        std::string_view text;
        if (rule.get(text) != simdjson::SUCCESS) {
            from.refuse(fields::expected("/rules", "texts").value());
        }
        return std::string(text);
    });
    return from.done(std::move(moved));
}

Result<LadderStanding> standing_of(object in) {
    Reader from(in);
    LadderStanding standing{
        .listed = from.word("/listed", domain::level_named),
        .effective = from.word("/effective", domain::level_named),
        .state = from.word("/state", domain::ladder_state_named),
        .since = from.time_if("/since").value_or(TimePoint{}),
        .as_of = from.time_if("/as_of"),
        .violated = static_cast<int>(from.whole("/violated")),
        .clean = static_cast<int>(from.whole("/clean")),
        .ready = static_cast<int>(from.whole("/ready")),
        .temporaries = {},
        .raised_at = from.time_if("/raised_at"),
        .lowered_at = from.time_if("/lowered_at"),
        .proposal = {},
    };
    standing.temporaries = from.all("/temporaries", [&from](element began) {
        std::string_view text;
        if (began.get(text) != simdjson::SUCCESS) {
            from.refuse(fields::expected("/temporaries", "times").value());
        }
        return from.take(parse_rfc3339(text));
    });
    if (const auto part = from.part("/proposal")) {
        Reader proposal(*part);
        domain::LevelProposal read{
            .from = proposal.word("/from", domain::level_named),
            .to = proposal.word("/to", domain::level_named),
            .since = proposal.time_if("/since").value_or(TimePoint{}),
            .reason = proposal.words("/reason"),
        };
        standing.proposal = from.take(proposal.done(std::move(read)));
    }
    return from.done(std::move(standing));
}

std::vector<CriterionVerdict> criteria_of(Reader& from, std::string_view pointer) {
    return from.all(pointer, [&from](element item) { return from.take(criterion_of(item)); });
}

Result<domain::LadderVerdict> verdict_of(object in) {
    Reader from(in);
    domain::LadderVerdict verdict{
        .as_of = from.time_if("/as_of").value_or(TimePoint{}),
        .violated = from.flag("/violated"),
        .insufficient = from.flag("/insufficient"),
        .earliest = from.time_if("/earliest"),
        .forecast = from.words("/forecast"),
    };
    if (const auto standing = from.part("/standing")) {
        verdict.standing = from.take(standing_of(*standing));
    } else {
        from.refuse(fields::expected("/standing", "an object").value());
    }
    if (!from.words("/ready_for").empty()) {
        verdict.ready_for = from.word("/ready_for", domain::level_named);
    }
    verdict.demotion = criteria_of(from, "/demotion");
    verdict.next = criteria_of(from, "/next");
    verdict.transitions =
        from.all("/transitions", [&from](element item) { return from.take(transition_of(item)); });
    return from.done(std::move(verdict));
}

} // namespace

Result<domain::LadderVerdict> read_verdict(std::string_view json) {
    return read_json_object(JsonBytes(json), verdict_of);
}

Result<std::vector<CriterionVerdict>> read_figures(std::string_view json) {
    return read_json_object(
        JsonBytes(json),
        [](object in) -> Result<std::vector<CriterionVerdict>> {
            Reader from(in);
            auto criteria = criteria_of(from, "/criteria");
            return from.done(std::move(criteria));
        }
    );
}

} // namespace baton::wire
