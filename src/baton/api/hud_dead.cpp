#include "baton/api/hud_json.hpp"
#include "baton/api/hud_parts.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/hud/shown.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/operators.hpp"
#include "baton/ports/views.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace baton::api {

namespace json = boost::json;

namespace {

constexpr std::size_t kGroupedMax = 10'000; // of each kind
constexpr std::size_t kGroupsShown = 100;

json::object dispatch_json(const ports::DeadDispatch& dispatch) {
    return {
        {"id", static_cast<std::int64_t>(dispatch.id)},
        {"delivery", dispatch.delivery},
        {"downstream", dispatch.downstream.text()},
        {"upstream", dispatch.upstream.text()},
        {"state", domain::name_of(dispatch.state)},
        {"reason", dispatch.reason},
        {"created_at", to_rfc3339(dispatch.created_at)},
        {"attempts", dispatch.attempts},
        {"number", number_or_null(dispatch.pr)},
        {"event_type", dispatch.event_type},
    };
}

json::object letter_json(const ports::LetterView& letter) {
    return {
        {"id", letter.id},
        {"sink", letter.sink},
        {"lane", letter.lane},
        {"created_at", to_rfc3339(letter.created_at)},
        {"died_at", to_rfc3339(letter.died_at)},
        {"attempts", letter.attempts},
        {"detail", letter.detail},
        {"downstream", letter.downstream.text()},
        {"number", number_or_null(letter.pr)},
        {"event_type", letter.event_type},
    };
}

/// Where a page of both lists ended: "d12" and "l34.56", joined with "_"; a list whose end was
/// reached is not there.
struct Place {
    std::optional<std::int64_t> dispatch;
    std::optional<ports::LetterViewQuery::Place> letter;
    bool dispatches_left{true};
    bool letters_left{true};
};

std::string to_text(const Place& place) {
    std::string text;
    if (place.dispatch) {
        text = fmt::format("d{}", *place.dispatch);
    }
    if (place.letter) {
        text += fmt::format(
            "{}l{}.{}", text.empty() ? "" : "_", to_ms(place.letter->died_at), place.letter->id
        );
    }
    return text;
}

Result<Place> place_in(const std::string& cursor) {
    if (cursor.empty()) {
        return Place{};
    }
    Place place{.dispatch = {}, .letter = {}, .dispatches_left = false, .letters_left = false};
    for (std::string_view rest = cursor; !rest.empty();) {
        const auto part = rest.substr(0, rest.find('_'));
        rest.remove_prefix(std::min(part.size() + 1, rest.size()));
        const auto dot = part.find('.');
        const auto number = part.empty() ? std::nullopt : whole_number(part.substr(1, dot - 1));
        if (number && part.front() == 'd' && dot == std::string_view::npos) {
            place.dispatch = *number;
            place.dispatches_left = true;
            continue;
        }
        const auto id = number && dot != std::string_view::npos ? whole_number(part.substr(dot + 1))
                                                                : std::nullopt;
        if (!id || part.front() != 'l') {
            return fail(Errc::invalid, "cursor must be `next` of the page before");
        }
        place.letter = {.died_at = from_ms(*number), .id = *id};
        place.letters_left = true;
    }
    return place;
}

/// What was asked for, without the place.
struct Wanted {
    ports::GivenUpQuery dispatches;
    ports::LetterViewQuery letters;
    bool any_dispatches{true};
    bool any_letters{true};
};

Result<Wanted> wanted_by(const HudQuery& query, const hud::Shown& shown) {
    Wanted wanted;
    BATON_TRY(const auto downstream, query.repository("downstream"));
    const auto kind = query.text("kind");
    if (!kind.empty() && kind != "dispatch" && kind != "letter") {
        return fail(Errc::invalid, "kind must be dispatch or letter");
    }
    wanted.any_dispatches = kind != "letter";
    wanted.any_letters = kind != "dispatch";
    wanted.dispatches.downstream = downstream;
    wanted.dispatches.reason = query.text("reason");
    wanted.dispatches.shown = [shown](const ports::DeadDispatch& one) {
        return shown.has(one.upstream, one.downstream);
    };
    wanted.letters.downstream = downstream;
    wanted.letters.reason = query.text("reason");
    wanted.letters.shown = [shown](const ports::LetterView& one) {
        return shown.has(one.upstream, one.downstream);
    };
    return wanted;
}

using Group = std::tuple<std::string_view, std::string, std::string>; // kind, downstream, reason

boost::asio::awaitable<Result<json::array>> groups(Around around, Wanted wanted) {
    std::map<Group, std::size_t> counts;
    if (wanted.any_dispatches) {
        wanted.dispatches.limit = kGroupedMax;
        BATON_CO_TRY(
            const auto all, co_await around->operators.given_up(std::move(wanted.dispatches))
        );
        for (const auto& one : all.rows) {
            ++counts[{"dispatch", one.downstream.text(), one.reason}];
        }
    }
    if (wanted.any_letters) {
        wanted.letters.limit = kGroupedMax;
        BATON_CO_TRY(
            const auto all, co_await around->operators.dead_letters(std::move(wanted.letters))
        );
        for (const auto& one : all.rows) {
            ++counts[{"letter", one.downstream.text(), one.detail}];
        }
    }
    std::vector<std::pair<Group, std::size_t>> ranked(counts.begin(), counts.end());
    std::ranges::sort(ranked, [](const auto& a, const auto& b) {
        return std::tie(b.second, a.first) < std::tie(a.second, b.first);
    });
    ranked.resize(std::min(ranked.size(), kGroupsShown));
    json::array list;
    for (const auto& [group, count] : ranked) {
        const auto& [kind, downstream, reason] = group;
        list.push_back(json::object{
            {"kind", kind}, {"downstream", downstream}, {"reason", reason}, {"count", count}
        });
    }
    co_return list;
}

} // namespace

Answer dead(Around around, net::Request request) {
    const HudQuery query(request);
    const auto shown = around->desk.shown();
    BATON_CO_TRY(auto wanted, wanted_by(query, shown));
    BATON_CO_TRY(const auto limit, query.limit());
    BATON_CO_TRY(const auto from, place_in(query.text("cursor")));
    Place next;
    json::array dispatches;
    if (wanted.any_dispatches && from.dispatches_left) {
        auto page = wanted.dispatches;
        page.before = from.dispatch;
        page.limit = limit;
        BATON_CO_TRY(const auto found, co_await around->operators.given_up(std::move(page)));
        dispatches = array_of(found.rows, dispatch_json);
        next.dispatch = found.next;
    }
    json::array letters;
    if (wanted.any_letters && from.letters_left) {
        auto page = wanted.letters;
        page.before = from.letter;
        page.limit = limit;
        BATON_CO_TRY(const auto found, co_await around->operators.dead_letters(std::move(page)));
        letters = array_of(found.rows, letter_json);
        next.letter = found.next;
    }
    json::array grouped;
    if (query.text("cursor").empty()) { // the same on every page
        BATON_CO_TRY(grouped, co_await groups(around, std::move(wanted)));
    }
    const bool more = next.dispatch || next.letter;
    co_return json::object{
        {"dispatches", std::move(dispatches)},
        {"letters", std::move(letters)},
        {"groups", std::move(grouped)},
        {"more", more},
        {"next", cursor_behind(more, to_text(next))},
    };
}

} // namespace baton::api
