#pragma once

#include "baton/base/time.hpp"
#include "baton/sim/github_types.hpp"
#include "baton/sim/token_book.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <cstdint>
#include <string>

/// The one App of this GitHub, and how its installations look in answers and webhooks. Pure.
namespace baton::sim {

struct AppFacts {
    std::int64_t id{0};
    std::string slug;
};

inline constexpr TimePoint kAppBirthday{Millis{1'767'225'600'000}}; // 2026-01-01

/// What the App may do wherever it is installed.
const Grants& app_grants();
boost::json::object grants_json(const Grants& grants);
boost::json::array app_events_json();

/// The App as answers carry it.
boost::json::object app_json(const Site& site, const AppFacts& app);

boost::json::object installation_json(
    const Site& site, const AppFacts& app, const Account& owner, InstallationId installation
);

} // namespace baton::sim
