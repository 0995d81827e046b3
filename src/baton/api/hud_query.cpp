#include "baton/api/hud_query.hpp"

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/text.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/level.hpp"
#include "baton/hud/pull_list.hpp"
#include "baton/hud/window.hpp"
#include "baton/net/url.hpp"
#include "baton/ports/views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace baton::api {

namespace {

constexpr std::size_t kRows = 50;
constexpr std::size_t kRowsMax = 200;
constexpr std::size_t kShaMin = 7;
constexpr std::size_t kShaMax = 64;

tl::unexpected<Error> wrong(std::string_view name, std::string_view wanted) {
    return fail(Errc::invalid, fmt::format("{} must be {}", name, wanted));
}

} // namespace

Result<void> HudQuery::only(std::span<const std::string_view> known) const {
    for (std::string_view rest = query; !rest.empty();) {
        const auto pair = rest.substr(0, rest.find('&'));
        rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
        const auto name = net::percent_decode(pair.substr(0, pair.find('='))).value_or("");
        if (pair.empty() || std::ranges::find(known, name) != known.end()) {
            continue;
        }
        return fail(
            Errc::invalid,
            fmt::format(
                "there is no parameter {} here; there {}",
                inert(name),
                known.empty() ? "are none" : fmt::format("are {}", fmt::join(known, ", "))
            )
        );
    }
    return {};
}

std::string HudQuery::text(std::string_view name) const {
    return net::query_value(query, name).value_or("");
}

Result<hud::Window> HudQuery::window(TimePoint now) const {
    const auto name = text("window");
    const auto window = hud::window_named(name.empty() ? "7d" : name, now);
    if (!window) {
        return wrong("window", "1d, 7d, 14d, 30d or 90d");
    }
    return *window;
}

Result<std::optional<RepoName>> HudQuery::repository(std::string_view name) const {
    const auto value = text(name);
    if (value.empty()) {
        return std::nullopt;
    }
    auto repo = RepoName::parse(value);
    if (!repo) {
        return wrong(name, "owner/name");
    }
    return *std::move(repo);
}

Result<std::optional<std::int64_t>> HudQuery::number(std::string_view name) const {
    const auto value = text(name);
    if (value.empty()) {
        return std::nullopt;
    }
    const auto number = whole_number(value);
    if (!number) {
        return wrong(name, "a whole number");
    }
    return *number;
}

Result<std::size_t> HudQuery::limit() const {
    BATON_TRY(const auto wanted, number("limit"));
    if (!wanted) {
        return kRows;
    }
    if (*wanted < 1 || *wanted > static_cast<std::int64_t>(kRowsMax)) {
        return wrong("limit", fmt::format("between 1 and {}", kRowsMax));
    }
    return static_cast<std::size_t>(*wanted);
}

Result<HeadSha> HudQuery::sha() const {
    auto value = text("sha");
    const bool is_hex = std::ranges::all_of(value, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
    });
    if (!value.empty() && (!is_hex || value.size() < kShaMin || value.size() > kShaMax)) {
        return wrong("sha", "a commit, in 7 to 64 lower-case hex digits");
    }
    return HeadSha(std::move(value));
}

Result<std::optional<domain::DispatchState>> HudQuery::dispatch_state() const {
    const auto value = text("state");
    if (value.empty()) {
        return std::nullopt;
    }
    const auto state = domain::dispatch_state_named(value);
    if (!state) {
        return wrong(
            "state",
            "a state of a dispatch: pending, sent, started, finished, superseded, cancelled, "
            "failed or dead"
        );
    }
    return state;
}

Result<std::string> HudQuery::event_type() const {
    constexpr std::array<std::string_view, 4> kTypes{"pull_request", "push", "nightly", "periodic"};
    auto value = text("event");
    if (value.empty()) {
        return std::string(kTypes.front());
    }
    if (std::ranges::find(kTypes, value) == kTypes.end()) {
        return wrong("event", "pull_request, push, nightly or periodic");
    }
    return value;
}

Result<ports::PullState> HudQuery::pull_state() const {
    const auto value = text("state");
    if (value.empty() || value == "open") {
        return ports::PullState::open;
    }
    if (value == "closed") {
        return ports::PullState::closed;
    }
    if (value == "all") {
        return ports::PullState::all;
    }
    return wrong("state", "open, closed or all");
}

Result<hud::Wish> HudQuery::wish() const {
    constexpr std::array<std::pair<std::string_view, hud::Wish>, 5> kWishes{{
        {"", hud::Wish::any},
        {"any", hud::Wish::any},
        {"failing", hud::Wish::failing},
        {"waiting", hud::Wish::waiting},
        {"silent", hud::Wish::silent},
    }};
    const auto value = text("standing");
    for (const auto& [name, wish] : kWishes) {
        if (name == value) {
            return wish;
        }
    }
    return wrong("standing", "any, failing, waiting or silent");
}

Result<domain::Level> HudQuery::level() const {
    const auto value = text("level");
    if (value.empty()) {
        return domain::Level::l1;
    }
    const auto level = domain::level_named(value);
    if (!level) {
        return wrong("level", "L1, L2, L3 or L4");
    }
    return *level;
}

Result<std::string> HudQuery::needed(std::string_view name) const {
    auto value = text(name);
    if (value.empty()) {
        return fail(Errc::invalid, fmt::format("{} is missing", name));
    }
    return value;
}

Result<RepoName> HudQuery::needed_repository(std::string_view name) const {
    BATON_TRY(auto repo, repository(name));
    if (!repo) {
        return fail(Errc::invalid, fmt::format("{} is missing: it must be owner/name", name));
    }
    return *std::move(repo);
}

std::string cursor_of(const ports::PullQuery::Place& place) {
    return fmt::format(
        "{}:{}#{}",
        to_ms(place.updated_at),
        place.upstream.text(),
        static_cast<std::int64_t>(place.number)
    );
}

Result<std::optional<ports::PullQuery::Place>> HudQuery::place() const {
    const auto cursor = text("cursor");
    if (cursor.empty()) {
        return std::nullopt;
    }
    const auto colon = cursor.find(':');
    const auto hash = cursor.rfind('#');
    if (colon == std::string::npos || hash == std::string::npos || hash < colon) {
        return wrong("cursor", "`next` of the page before");
    }
    const auto when = whole_number(std::string_view(cursor).substr(0, colon));
    const auto upstream =
        RepoName::parse(std::string_view(cursor).substr(colon + 1, hash - colon - 1));
    const auto number = whole_number(std::string_view(cursor).substr(hash + 1));
    if (!when || !upstream || !number) {
        return wrong("cursor", "`next` of the page before");
    }
    return ports::PullQuery::Place{
        .updated_at = from_ms(*when), .upstream = *upstream, .number = PrNumber{*number}
    };
}

Result<std::string> HudQuery::captured(std::size_t at) const {
    const auto decoded = net::percent_decode(captures.at(at));
    if (!decoded) {
        return fail(Errc::not_found, "there is no such page");
    }
    return *decoded;
}

Result<RepoName> HudQuery::captured_repo(std::size_t owner_at) const {
    BATON_TRY(const auto owner, captured(owner_at));
    BATON_TRY(const auto name, captured(owner_at + 1));
    auto repo = RepoName::parse(fmt::format("{}/{}", owner, name));
    if (!repo) {
        return fail(Errc::not_found, "that is no name of a repository");
    }
    return repo;
}

Result<std::int64_t> HudQuery::captured_number(std::size_t at) const {
    const auto number = whole_number(captures.at(at));
    if (!number) {
        return fail(Errc::invalid, "the path must end with a number");
    }
    return *number;
}

} // namespace baton::api
