#pragma once

#include "baton/base/ids.hpp"
#include "baton/base/result.hpp"
#include "baton/base/time.hpp"
#include "baton/domain/dispatch.hpp"
#include "baton/domain/level.hpp"
#include "baton/hud/pull_list.hpp"
#include "baton/hud/window.hpp"
#include "baton/net/server.hpp"
#include "baton/ports/views.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Parameters of a request, each `invalid` with its name and what it may be.
namespace baton::api {

/// One that is not there is its empty value, or what it is when nobody says.
struct HudQuery {
    explicit HudQuery(const net::Request& request)
        : query(request.head.query)
        , captures(request.captures) {}

    /// `invalid` when the query has any other name.
    Result<void> only(std::span<const std::string_view> known) const;
    std::string text(std::string_view name) const; // empty: not there
    Result<hud::Window> window(TimePoint now) const;
    Result<std::optional<RepoName>> repository(std::string_view name) const;
    Result<std::size_t> limit() const;
    Result<std::optional<std::int64_t>> number(std::string_view name) const;
    Result<HeadSha> sha() const;
    Result<std::optional<domain::DispatchState>> dispatch_state() const;
    Result<std::string> event_type() const;
    Result<ports::PullState> pull_state() const;
    Result<hud::Wish> wish() const;
    Result<domain::Level> level() const;                     // the lowest one when nobody says
    Result<std::string> needed(std::string_view name) const; // `invalid` when it is not there
    Result<RepoName> needed_repository(std::string_view name) const;
    Result<std::optional<ports::PullQuery::Place>>
    place() const; // the cursor of a list of pull requests

    // --- of the path
    Result<RepoName> captured_repo(std::size_t owner_at) const;
    Result<std::int64_t> captured_number(std::size_t at) const;
    Result<std::string> captured(std::size_t at) const;

    const std::string& query;
    const std::vector<std::string>& captures;
};

/// The cursor behind a row; read by HudQuery::place.
std::string cursor_of(const ports::PullQuery::Place& place);

} // namespace baton::api
