#pragma once

#include "baton/base/time.hpp"
#include "baton/domain/figures.hpp"
#include "baton/domain/job.hpp"
#include "baton/domain/level.hpp"
#include "baton/hud/downstream_line.hpp"
#include "baton/hud/overview.hpp"
#include "baton/hud/pull_page.hpp"
#include "baton/hud/window.hpp"
#include "baton/ports/checks.hpp"
#include "baton/ports/delivery.hpp"
#include "baton/ports/store.hpp"
#include "baton/ports/views.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <optional>
#include <string>

/// The schemas of web/openapi.json, one function each.
namespace baton::api {

boost::json::value json_of(std::optional<TimePoint> when); // null without one
boost::json::value json_of(std::optional<Millis> span);    // the same
std::string date_of(TimePoint day);                        // "2026-11-15"
boost::json::value json_of(std::optional<double> number);
/// `level` as it is listed, and `effective_level` while that is lower.
void put_levels(
    boost::json::object& object, domain::Level effective, std::optional<domain::Level> lowered_from
);
boost::json::object json_of(const domain::Rate& rate);
boost::json::object json_of(const domain::Rates& rates);
boost::json::object json_of(const domain::Spread& spread);
boost::json::object json_of(const domain::Cells& cells);
boost::json::object json_of(const domain::TestCounts& tests);
boost::json::object json_of(const ports::DayView& day);
boost::json::object json_of(const hud::Window& window);
boost::json::object json_of(const hud::DownstreamLine& line);
boost::json::object json_of(const hud::Overview& overview);
boost::json::object json_of(const domain::Job& job);
boost::json::object json_of(const ports::KeptPosting& check);
boost::json::object json_of(const hud::FailedTestOf& test);
boost::json::object json_of(const hud::PullPage& page);
boost::json::object json_of(const ports::Delivery& delivery);
boost::json::object json_of(const ports::DispatchHistory& history);
boost::json::object json_of(const ports::DeliveryHistory& history);

/// Each of them as `write` writes it.
template <class All, class Write> boost::json::array array_of(const All& all, Write write) {
    boost::json::array array;
    for (const auto& one : all) {
        array.push_back(write(one));
    }
    return array;
}

/// The same for what has a schema of its own.
template <class All> boost::json::array array_of(const All& all) {
    return array_of(all, [](const auto& one) { return json_of(one); });
}

/// A link that may be followed: http or https. Anything else becomes empty, so that no page ever
/// makes a link of it.
std::string safe_link(const std::string& url);

} // namespace baton::api
