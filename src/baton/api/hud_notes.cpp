#include "baton/api/audit.hpp"
#include "baton/api/hud_json.hpp"
#include "baton/api/hud_parts.hpp"
#include "baton/api/hud_query.hpp"
#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/hud/shown.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/operators.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace baton::api {

namespace json = boost::json;

namespace {

constexpr std::size_t kLinesAtOnce = 200;
constexpr int kLooksMax = 50; // pages of the ledger that one page of the audit looks through

json::object act_json(const AuditLine& act) {
    return {
        {"id", act.id},
        {"at", to_rfc3339(act.at)},
        {"action", act.action},
        {"actor", act.actor},
        {"subject", act.subject},
        {"reason", act.reason},
        {"detail", act.detail},
    };
}

/// Whether each repository that the relay's own words name is an upstream, or for everybody to
/// see. One that nobody lists any more is not.
bool names_only_shown(std::string_view text, const Around& around, const hud::Shown& shown) {
    constexpr std::string_view kBetweenWords = " ,;:()\"'";
    while (!text.empty()) {
        const auto end = text.find_first_of(kBetweenWords);
        const auto repo = RepoName::parse(text.substr(0, end));
        if (repo && !shown.everywhere(*repo) &&
            std::ranges::find(around->upstreams, *repo) == around->upstreams.end()) {
            return false;
        }
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    return true;
}

bool is_shown(const AuditLine& act, const Around& around, const hud::Shown& shown) {
    return names_only_shown(act.subject, around, shown) &&
           names_only_shown(act.detail, around, shown) && !shown.betrays(act.subject) &&
           !shown.betrays(act.detail) && !shown.betrays(act.reason);
}

} // namespace

json::object json_of(const ports::Note& note) {
    return {
        {"id", note.id},
        {"about", note.about},
        {"subject", note.subject},
        {"text", note.text},
        {"by", note.actor},
        {"at", to_rfc3339(note.at)},
        {"expires_at", json_of(note.expires_at)},
    };
}

bool is_noted_about(std::string_view word) {
    constexpr std::array<std::string_view, 4> kAbout{"pull", "downstream", "delivery", "cluster"};
    return std::ranges::find(kAbout, word) != kAbout.end();
}

Answer notes(Around around, net::Request request) {
    const HudQuery query(request);
    ports::NoteQuery wanted;
    BATON_CO_TRY(wanted.before, query.number("cursor"));
    BATON_CO_TRY(wanted.limit, query.limit());
    wanted.about = query.text("about");
    wanted.subject = query.text("subject");
    if (!wanted.about.empty() && !is_noted_about(wanted.about)) {
        co_return fail(Errc::invalid, "about must be pull, downstream, delivery or cluster");
    }
    if (!wanted.subject.empty() && wanted.about.empty()) {
        co_return fail(Errc::invalid, "subject needs about: what kind of thing it is");
    }
    wanted.now = around->clock.now();
    wanted.shown = [shown = around->desk.shown()](const ports::Note& note) {
        const auto downstream = RepoName::parse(note.subject);
        const bool hidden =
            note.about == "downstream" && downstream && !shown.everywhere(*downstream);
        return !hidden && !shown.betrays(note.text) && !shown.betrays(note.subject);
    };
    const auto limit = wanted.limit;
    BATON_CO_TRY(const auto found, co_await around->operators.notes(std::move(wanted)));
    const bool more = found.size() == limit;
    co_return json::object{
        {"rows", array_of(found, [](const ports::Note& note) { return json_of(note); })},
        {"next", cursor_behind(more, more ? fmt::to_string(found.back().id) : "")},
    };
}

Answer audit(Around around, net::Request request) {
    const HudQuery query(request);
    const auto shown = around->desk.shown();
    ports::ActQuery wanted{.before = std::nullopt, .limit = kLinesAtOnce};
    BATON_CO_TRY(wanted.before, query.number("cursor"));
    BATON_CO_TRY(const auto limit, query.limit());
    const auto action = query.text("action");
    if (!action.empty() && !is_action(action)) {
        co_return fail(Errc::invalid, "action must be one of the words that the rows have");
    }
    json::array rows;
    bool more = true;
    for (int look = 0; look < kLooksMax && more && rows.size() < limit; ++look) {
        BATON_CO_TRY(const auto lines, co_await around->operators.acts(wanted));
        more = lines.size() == wanted.limit;
        for (const auto& line : lines) {
            if (rows.size() == limit) {
                more = true;
                break;
            }
            wanted.before = line.sequence;
            const auto act = audit_line_of(line);
            if (act && (action.empty() || act->action == action) && is_shown(*act, around, shown)) {
                rows.push_back(act_json(*act));
            }
        }
    }
    auto next = cursor_behind(more && wanted.before, fmt::to_string(wanted.before.value_or(0)));
    co_return json::object{{"rows", std::move(rows)}, {"next", std::move(next)}};
}

} // namespace baton::api
