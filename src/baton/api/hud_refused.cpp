#include "baton/api/hud_json.hpp"
#include "baton/api/hud_parts.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/hud/refused.hpp"
#include "baton/hud/shown.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/operators.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace baton::api {

namespace json = boost::json;

namespace {

constexpr int kTotalHours = 24;

json::object group_json(const ports::RefusalGroup& group) {
    const auto& newest = group.newest;
    return {
        {"id", group.id},
        {"at", to_rfc3339(newest.at)},
        {"first_at", to_rfc3339(group.first_at)},
        {"downstream", text_or_null(newest.downstream.text())},
        {"status", newest.status},
        {"reason", newest.reason},
        {"detail", newest.detail},
        {"hint", hud::hint_for(newest.reason)},
        {"delivery", text_or_null(newest.delivery)},
        {"count", group.count},
    };
}

json::array by_reason_json(const std::vector<hud::ReasonTotal>& totals) {
    json::array list;
    for (const auto& total : totals) {
        list.push_back(json::object{
            {"reason", total.reason},
            {"count", total.count},
            {"hint", hud::hint_for(total.reason)},
        });
    }
    return list;
}

json::array by_downstream_json(const std::vector<hud::CallerTotal>& totals) {
    json::array list;
    for (const auto& total : totals) {
        list.push_back(json::object{
            {"downstream", text_or_null(total.downstream.text())},
            {"reason", total.reason},
            {"count", total.count},
            {"last_at", to_rfc3339(total.last_at)},
        });
    }
    return list;
}

json::object totals_json(
    const std::vector<ports::RefusalTotal>& totals, const hud::Shown& shown, TimePoint now
) {
    const auto by_reason = hud::totals_by_reason(totals, shown);
    std::size_t n = 0;
    for (const auto& total : by_reason) {
        n += total.count;
    }
    return {
        {"from", to_rfc3339(hud::hour_before(now, kTotalHours))},
        {"until", to_rfc3339(hud::hour_before(now, -1))},
        {"n", n},
        {"by_reason", by_reason_json(by_reason)},
        {"by_downstream", by_downstream_json(hud::totals_by_downstream(totals, shown))},
    };
}

} // namespace

Answer refused(Around around, net::Request request) {
    const HudQuery query(request);
    const auto shown = around->desk.shown();
    const auto now = around->clock.now();
    ports::RefusalQuery wanted;
    BATON_CO_TRY(wanted.downstream, query.repository("downstream"));
    BATON_CO_TRY(wanted.before, query.number("cursor"));
    BATON_CO_TRY(wanted.limit, query.limit());
    wanted.reason = query.text("reason");
    if (!wanted.reason.empty() && !hud::is_reason(wanted.reason)) {
        co_return fail(Errc::invalid, "reason must be one of the words that the rows have");
    }
    // Whoever asks for a name learns nothing of those that are not shown by it.
    const bool named = wanted.downstream.has_value();
    wanted.shown = [shown, named](const RepoName& downstream) {
        return named ? shown.everywhere(downstream) : hud::may_be_told(downstream, shown);
    };
    const auto limit = wanted.limit;
    BATON_CO_TRY(auto found, co_await around->operators.refusals(std::move(wanted)));
    BATON_CO_TRY(
        const auto totals,
        co_await around->operators.refusal_totals(hud::hour_before(now, kTotalHours))
    );
    json::array rows;
    for (const auto& group : found) {
        rows.push_back(group_json(hud::anonymous(group, shown)));
    }
    const bool more = found.size() == limit;
    co_return json::object{
        {"rows", std::move(rows)},
        {"totals", totals_json(totals, shown, now)},
        {"dropped", around->facts().refusals_dropped},
        {"next", cursor_behind(more, more ? fmt::to_string(found.back().id) : "")},
    };
}

} // namespace baton::api
